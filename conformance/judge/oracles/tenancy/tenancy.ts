/** Oracles of chapter tenancy: the tenant's record, and the isolation of two tenants. */

import {
  bothCompletions,
  completionOperations,
  type OperationId,
  type TestableId,
  threadOperations,
} from '../../../../spec/index.ts'
import { answeredThread, areTwoTenants } from '../../history/thread-origins.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { idField } from '../../read/formats.ts'
import { fieldOf, namesOf, textField } from '../../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange, queryValues } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answersAreOwn } from '../resources/answer-quotes.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeValid, isSameError } from '../support/confounders.ts'
import { anArray, aString, contradict, judgeField } from '../support/field-checks.ts'
import { type Oracle, perExchange, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { mustBeRefused, refusalOf, withSoleFault } from '../support/refusals.ts'
import { judgeCode } from '../threads/threads.ts'
import { foreignFileHidden } from './foreign-files.ts'
import { dataOfOneTenant } from './keys-of-one-tenant.ts'
import { idsOf, keysOf, type TenantRecord, tenantRecordOf, tenantsOf } from './tenant-records.ts'

const placeOf = (parsed: ParsedExchange, at = '') => ({ operation: 'listMyApiKeys', exchange: parsed.id, at }) as const

const recordFields: Oracle = (analysis, observe) => {
  for (const { parsed, record } of tenantsOf(analysis)) {
    judgeField(observe, placeOf(parsed), record, 'id', aString)
    judgeField(observe, placeOf(parsed), record, 'name', aString)
    judgeField(observe, placeOf(parsed), record, 'api_keys', anArray)
  }
}

const keyRecordFields: Oracle = (analysis, observe) => {
  for (const { parsed, record } of tenantsOf(analysis)) {
    for (const [index, key] of keysOf(record).entries()) {
      for (const name of ['id', 'api_key', 'created_at', 'last_updated_at']) {
        judgeField(observe, placeOf(parsed, `/api_keys/${index}`), key, name, aString)
      }
    }
  }
}

const callingKeyListed: Oracle = (analysis, observe) => {
  for (const { parsed, record } of tenantsOf(analysis)) {
    const keys = fieldOf(record, 'api_keys')
    if (!Array.isArray(keys)) continue
    if (keys.length === 0) contradict(observe, placeOf(parsed), '/api_keys', null, 'at least one key', keys)
    else if (showsOthersAlone(analysis, parsed, keys)) tellKeyInUse(observe, parsed)
    else observe.held('listMyApiKeys', null, parsed.id)
  }
}

/** Whether each value in a list is that of another key of the tenant; a value that is masked may be of any key. */
function showsOthersAlone({ profile }: TraceAnalysis, { tenant }: ParsedExchange, keys: readonly unknown[]): boolean {
  if (tenant === null || !profile.primaryKeys.has(tenant)) return false
  const others = [...profile.primaryKeys].flatMap(([name, value]) => (name === tenant ? [] : value))
  return keys.every((key) => others.includes(textField(key, 'api_key') ?? ''))
}

function tellKeyInUse(observe: ObservationLog, { id }: ParsedExchange): undefined {
  observe.contradicted('listMyApiKeys', null, {
    exchanges: [id],
    expected: 'the key in use among the keys',
    actual: 'another key of the tenant alone',
    pointer: '/api_keys',
    because: `${id} lists keys with their values, and each of them is another key of the tenant than the one that made the call.`,
    headline:
      'lists keys with their values, and each of them is another key of the tenant than the one that made the call',
  })
}

/** One record may be listed twice; records of two values are of two keys. */
const keyIdsUnique: Oracle = (analysis, observe) => {
  for (const { parsed, record } of tenantsOf(analysis)) {
    const values = new Map<string, string>()
    for (const key of keysOf(record)) {
      const [id, value] = [idField(key, 'id'), textField(key, 'api_key')]
      if (id === null || value === null) continue
      if ((values.get(id) ?? value) !== value)
        contradict(observe, placeOf(parsed), '/api_keys', null, 'an id of its own for every key', id)
      values.set(id, value)
    }
    if (values.size > 1) observe.held('listMyApiKeys', null, parsed.id)
  }
}

/**
 * A list may be right at first and hold a foreign key later, so every list counts, not only the first of each tenant.
 * Records read with other keys are left out: they may belong to either tenant.
 */
const keysAreOwn: Oracle = (analysis, observe) => {
  const records = [...tenantsOf(analysis)].filter(({ parsed }) => isOneOfTwo.has(parsed.tenant))
  const first = records.find(({ parsed }) => parsed.tenant === 'primary')?.parsed
  const listedBy = new Map<string, ParsedExchange>()
  for (const { parsed, record } of records) {
    const ids = idsOf(record)
    const shared = ids.find((id) => areTwoTenants(listedBy.get(id)?.tenant ?? null, parsed.tenant))
    for (const id of ids) if (!listedBy.has(id)) listedBy.set(id, parsed)
    const other = listedBy.get(shared ?? '')
    if (other !== undefined) {
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [other.id, parsed.id],
        expected: 'keys of the calling tenant only',
        actual: `key record ${shared} for both tenants`,
        pointer: '/api_keys',
        because: `${other.id} and ${parsed.id} are calls of two tenants, and both list the key record ${shared}.`,
        headline: 'two tenants are shown the same key record',
      })
    } else if (first !== undefined && areTwoTenants(first.tenant, parsed.tenant))
      observe.held('listMyApiKeys', null, first.id, parsed.id)
  }
}

const isOneOfTwo: ReadonlySet<string | null> = new Set(['primary', 'secondary'])

/** The same tenant, at least one of the same keys, since the one in use is among them, and none more often than before. */
const recordIsStable: Oracle = (analysis, observe) => {
  dataOfOneTenant(analysis, observe)
  const first = new Map<string, TenantRecord>()
  for (const { parsed, record } of tenantsOf(analysis)) {
    const read = tenantRecordOf(parsed, record)
    if (read === null || parsed.tenant === null) continue
    const { id } = read
    const before = first.get(parsed.tenant)
    if (before === undefined) {
      first.set(parsed.tenant, read)
      continue
    }
    const changed = before.id === id ? changeOfKeys(before, read) : `tenant ${id}`
    if (changed === null) observe.held('listMyApiKeys', null, before.parsed.id, parsed.id)
    else {
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [before.parsed.id, parsed.id],
        expected: before.id === id ? 'the same keys' : `tenant ${before.id}`,
        actual: changed,
        pointer: before.id === id ? '/api_keys' : '/id',
        because: `${before.parsed.id} and ${parsed.id} use the same key and read two different tenant records.`,
        headline: 'one key reads different tenant records',
      })
    }
  }
}

/** The evidence that two lists of keys do not belong to one record; keys may have been added and removed in between. */
function changeOfKeys({ keys: before, values }: TenantRecord, { keys: after, ...read }: TenantRecord): string | null {
  if (before.length === 0 || after.length === 0) return null
  if (!after.some((key) => before.includes(key))) return 'none of the keys from before'
  const timesIn = (keys: readonly string[], wanted: string) => keys.filter((key) => key === wanted).length
  const repeated = after.find((key) => timesIn(after, key) > Math.max(1, timesIn(before, key)))
  if (repeated !== undefined) return `key record ${repeated} ${timesIn(after, repeated)} times`
  // Whether a value is shown whole or masked is open; alternating forms mean two records.
  const other = [...read.values].find(([key, value]) => values.has(key) && values.get(key) !== value)
  return other === undefined ? null : `another value of the unchanged key record ${other[0].split(' ')[0]}`
}

const foreignAssistantRefused: Oracle = (analysis, observe) => {
  const faults = { 'assistant-foreign': null }
  const what = 'a completion with an assistant of another tenant'
  mustBeRefused(analysis, observe, { operations: bothCompletions, faults, what })
  judgeCode(analysis, observe, bothCompletions, faults, 'assistant_not_available', what)
}

/** A foreign thread is answered like one that does not exist: with its code, or as an unknown one was answered in this trace. */
const foreignThreadLikeUnknown: Oracle = (analysis, observe) => {
  for (const [parsed] of withSoleFault(analysis, threadOperations, { 'thread-foreign': null })) {
    if (!isRefusal(parsed) || parsed.operation === null) continue
    // An open question about the request may be the reason for its refusal.
    if (analysis.requestOf(parsed).ambiguities.length > 0) continue
    const unknown = [...withSoleFault(analysis, [parsed.operation], { 'thread-unknown': null })]
      .map(([one]) => one)
      .find(isRefusal)
    if (isRefusedLikeValid(analysis, observe, parsed)) continue
    const isAlike = unknown === undefined ? parsed.answer.code === 'thread_not_found' : isSameError(unknown, parsed)
    if (isAlike) observe.held(parsed.operation, null, parsed.id)
    else {
      const [known, own] = namesOf(detailOf(unknown), detailOf(parsed))
      observe.contradicted(parsed.operation, null, {
        exchanges: unknown === undefined ? [parsed.id] : [unknown.id, parsed.id],
        expected: unknown === undefined ? 'thread_not_found' : `${answerName(unknown)} with ${known}`,
        actual: `${answerName(parsed)} with ${own}`,
        pointer: unknown?.answer.code === parsed.answer.code ? '/detail' : '/error_code',
        because: `${parsed.id} names a thread of another tenant, and its answer differs from that for a thread that does not exist.`,
        headline: 'the answer tells a thread of another tenant from one that does not exist',
      })
    }
  }
}

const detailOf = (parsed?: ParsedExchange): unknown =>
  parsed?.answer.body.kind === 'json' ? fieldOf(parsed.answer.body.value, 'detail') : undefined

const foreignThreadNotContinued: Oracle = (analysis, observe) => {
  for (const operation of completionOperations) {
    for (const parsed of analysis.of(operation)) {
      const [asked = ''] = queryValues(parsed, 'thread_id')
      const owner = analysis.histories.thread(asked)?.origin.tenant ?? null
      if (areTwoTenants(owner, parsed.tenant)) judgeContinuation(analysis, observe, parsed, asked)
    }
  }
}

function judgeContinuation(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  asked: string,
): void {
  const { operation } = parsed
  if (operation === null) return
  const answered = isAccepted(parsed) && hasSuccessShape(parsed) ? answeredThread(parsed) : null
  if (isRefusal(parsed)) judgeRefusedContinuation(analysis, observe, parsed, operation)
  else if (answered === null) observe.ambiguous(operation, null, parsed.id, `${parsed.id} got ${answerName(parsed)}.`)
  else if (answered.toLowerCase() !== asked.toLowerCase()) observe.held(operation, null, parsed.id)
  else {
    observe.contradicted(operation, null, {
      exchanges: [parsed.id],
      expected: 'a rejection, or an answer in another thread',
      actual: `an answer in thread ${answered}`,
      pointer: '/thread_id',
      because: `${parsed.id} names thread ${asked} of another tenant, and it is answered in that thread.`,
      headline: 'answers in a thread of another tenant',
    })
  }
}

/** A refusal is about the thread only when a completion of the same tenant is accepted without one. */
function judgeRefusedContinuation(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  operation: OperationId,
): void {
  const isOnlyThread = analysis.requestOf(parsed).faults.length === 0
  const isServed = analysis.of(operation).some((other) => other.tenant === parsed.tenant && isAccepted(other))
  const namesThread = parsed.answer.code === 'thread_not_found'
  if (namesThread || (isOnlyThread && isServed)) observe.held(operation, null, parsed.id)
  else observe.ambiguous(operation, null, parsed.id, `${parsed.id} may be refused for more than its thread.`)
}

/** The oracles of chapter tenancy. */
export const tenancyOracles: Readonly<Record<TestableId<'tenancy'>, ScopedOracle>> = {
  'tenancy.record-fields': perExchange(recordFields),
  'tenancy.key-record-fields': perExchange(keyRecordFields),
  'tenancy.calling-key-listed': perExchange(callingKeyListed),
  'tenancy.key-ids-unique': perExchange(keyIdsUnique),
  'tenancy.keys-are-own': perTrace(keysAreOwn),
  'tenancy.record-is-stable': perTrace(recordIsStable),
  'tenancy.foreign-assistant-refused': perTrace(foreignAssistantRefused),
  'tenancy.foreign-assistant-hidden': refusalOf(['getAssistant'], 'a request for an assistant of another tenant', {
    'assistant-foreign': null,
  }),
  'tenancy.foreign-thread-refused': refusalOf(threadOperations, 'a request about a thread of another tenant', {
    'thread-foreign': null,
  }),
  'tenancy.foreign-thread-like-unknown': perTrace(foreignThreadLikeUnknown),
  'tenancy.foreign-thread-not-continued': perTrace(foreignThreadNotContinued),
  'tenancy.answers-are-own': perTrace(answersAreOwn),
  'tenancy.foreign-file-hidden': perThread(foreignFileHidden),
}
