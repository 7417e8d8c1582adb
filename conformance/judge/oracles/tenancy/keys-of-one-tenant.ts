/**
 * Judges two keys that read one tenant record. The key identifies the tenant, so both list keys in common, and either one
 * reads the threads that the other one made.
 */

import { bothCompletions, countText, threadOperations } from '../../../../spec/index.ts'
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { areTwoTenants } from '../../history/thread-origins.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { firstReaderOf, recordsByKey, type TenantRecord, tenantRecordOf, tenantsOf } from './tenant-records.ts'

/** Both keys are keys of the tenant, so a list without any key of the other list leaves one of the two out. */
export const keysOfOneTenant: Oracle = (analysis, observe) => {
  const records = [...recordsByKey(analysis).values()]
  for (const [index, first] of records.entries()) {
    for (const other of records.slice(index + 1)) {
      // For two tenants, the shared record itself is the fault.
      if (areTwoTenants(first.parsed.tenant, other.parsed.tenant)) continue
      const common = other.keys.find((key) => first.keys.includes(key))
      if (first.id !== other.id) {
        if (common !== undefined && isSpareOf(first, other)) reportDifferentIds(observe, first, other, common)
        continue
      }
      if (first.keys.length === 0 || other.keys.length === 0 || common !== undefined) continue
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [first.parsed.id, other.parsed.id],
        expected: 'the same keys for each key of a tenant',
        actual: 'no key record in common',
        pointer: '/api_keys',
        because: `${first.parsed.id} and ${other.parsed.id} use two keys of the tenant ${first.id}, and each list leaves the key of the other call out.`,
        headline: 'two keys of one tenant are not listed to each other',
      })
    }
  }
}

/** Whether the profile says that the two keys are of one tenant; of a throttled key it does not. */
const isSpareOf = (...both: readonly TenantRecord[]): boolean =>
  (['primary', 'spare'] as const).every((name) => both.some(({ parsed }) => parsed.tenant === name))

/** A key record belongs to one tenant, whose record has one id. */
function reportDifferentIds(observe: ObservationLog, first: TenantRecord, other: TenantRecord, key: string): undefined {
  observe.contradicted('listMyApiKeys', null, {
    exchanges: [first.parsed.id, other.parsed.id],
    expected: `tenant ${first.id}`,
    actual: `tenant ${other.id}`,
    pointer: '/id',
    because: `${first.parsed.id} and ${other.parsed.id} both list the key record ${key}, and each key reads another id of the tenant.`,
    headline: 'keys that list the same key record read different ids of the tenant',
  })
}

/** A key that the tenant has before a list and after it belongs in the list, regardless of the key that requests it. */
export const keysAllListed: Oracle = (analysis, observe) => {
  const lists = [...tenantsOf(analysis)].flatMap(({ parsed, record }) => tenantRecordOf(parsed, record) ?? [])
  const shown = shownKeys(analysis, lists)
  for (const list of lists) {
    const { sentAtMs, endedAtMs, id: listId } = list.parsed
    const known = shown.get(ownerOf(analysis, list)) ?? []
    for (const [key, { first, last }] of known) {
      if (list.keys.includes(key) || first.endedAtMs >= sentAtMs || last.sentAtMs <= endedAtMs) continue
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [first.id, last.id, listId],
        expected: `the key record ${key} in the list`,
        actual: countText(list.keys.length, 'other key record'),
        pointer: '/api_keys',
        because: `${first.id} and ${last.id} list the key record ${key} of the tenant ${list.id}, and the list of ${listId} in between lacks it.`,
        headline: 'the list lacks a key of the tenant that others show',
      })
      break
    }
  }
}

const ownerOf = (analysis: TraceAnalysis, { id, parsed }: TenantRecord): string =>
  `${id} ${firstReaderOf(analysis, id, parsed.tenant)}`

/** The first and the last list that shows a key record. */
type ShownIn = { readonly first: ParsedExchange; last: ParsedExchange }

/** Owner → key record → where it is shown. */
function shownKeys(
  analysis: TraceAnalysis,
  lists: readonly TenantRecord[],
): ReadonlyMap<string, ReadonlyMap<string, ShownIn>> {
  const shown = new Map<string, Map<string, ShownIn>>()
  for (const list of lists) {
    const owner = ownerOf(analysis, list)
    const own = shown.get(owner) ?? new Map<string, ShownIn>()
    shown.set(owner, own)
    for (const key of list.keys) {
      const known = own.get(key)
      if (known === undefined) own.set(key, { first: list.parsed, last: list.parsed })
      else known.last = list.parsed
    }
  }
  return shown
}

/** A thread that one key of a tenant created is known to the other keys of that tenant. */
export const dataOfOneTenant: Oracle = (analysis, observe) => {
  const records = recordsByKey(analysis)
  if (new Set([...records.values()].map(({ id }) => id)).size === records.size) return
  for (const parsed of [...threadOperations, ...bothCompletions].flatMap((operation) => analysis.of(operation))) {
    const named = parsed.params.thread_id ?? queryValues(parsed, 'thread_id')[0]
    const origin = analysis.histories.thread(named ?? '')?.origin
    const [maker, reader] = [records.get(origin?.tenant ?? ''), records.get(parsed.tenant ?? '')]
    const isShared = maker !== undefined && reader !== undefined && maker !== reader && maker.id === reader.id
    if (!isShared || origin?.by == null || !isThreadSound(analysis, parsed)) continue
    const { code } = parsed.answer
    // Whether a completion may go on in a thread that was made in another way is open.
    if (parsed.params.thread_id === undefined && origin.kind !== 'completion') continue
    if (isAccepted(parsed)) observe.held('listMyApiKeys', null, origin.by.id, parsed.id)
    else if (code === 'thread_not_found' || code === 'resource_not_found') {
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [maker.parsed.id, reader.parsed.id, origin.by.id, parsed.id],
        expected: 'the thread, which another key of the tenant has made',
        actual: code,
        pointer: '/error_code',
        because: `${maker.parsed.id} and ${reader.parsed.id} read one tenant record with two keys; one key made the thread in ${origin.by.id}, and to the other it does not exist in ${parsed.id}.`,
        headline: 'a thread of one key does not exist for another key of the tenant',
      })
    }
  }
}

/** The open questions about a request that do not concern its thread. */
const besideThread: ReadonlySet<AmbiguityText> = new Set([
  'a thread of a key that may be of the same tenant',
  'a completion in a thread that no completion of this key made',
  'a run with an assistant that is not listed for the tenant',
])

/** Whether the thread is sound, so that it is wrong to say that it is not found. */
function isThreadSound(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  return faults.length === 0 && ambiguities.every(({ about }) => besideThread.has(about))
}
