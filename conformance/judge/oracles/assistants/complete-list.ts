/**
 * Judges whether a list leaves out an assistant of the tenant. One that is served before and after a list was available in
 * between: within the seconds of a run no assistant is removed and added again.
 */
import { completionOperations, countText } from '../../../../spec/index.ts'
import { idField } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { hasSuccessShape } from '../../read/success-shape.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { firstReaderOf, recordsByKey } from '../tenancy/tenant-records.ts'

/** Oracle of assistants.list-is-complete. */
export const listIsComplete: Oracle = (analysis, observe) => {
  if (analysis.profile.source !== 'suite') return
  const uses = usesOf(analysis)
  for (const list of analysis.of('listAssistants')) {
    const listed = list.tenant === null ? null : idsIn(list)
    if (listed === null) continue
    const known = [...(uses.get(ownerOf(analysis, list.tenant ?? '')) ?? [])].filter(([, served]) =>
      isServedAround(served, list),
    )
    const [id, served] = known.find(([one]) => !listed.has(one)) ?? []
    if (served === undefined) {
      if (known.length > 0) observe.held('listAssistants', null, list.id)
      continue
    }
    const before = nearest(served.filter(({ endedAtMs }) => endedAtMs < list.sentAtMs).toReversed())
    const after = nearest(served.filter(({ sentAtMs }) => sentAtMs > list.endedAtMs))
    observe.contradicted('listAssistants', null, {
      exchanges: [before, after, list.id],
      expected: `assistant ${id} in the list`,
      actual: countText(listed.size, 'other assistant'),
      because: `Assistant ${id} is served in ${before} and in ${after}, and the list of ${list.id} in between lacks it.`,
      headline: 'the list lacks an assistant that is served before and after it',
    })
  }
}

/** Asked of every list: from either end of a long run one of the first looks decides. */
const isServedAround = (served: readonly ParsedExchange[], list: ParsedExchange): boolean =>
  served.some(({ endedAtMs }) => endedAtMs < list.sentAtMs) &&
  served.findLast(({ sentAtMs }) => sentAtMs > list.endedAtMs) !== undefined

/** The nearest that is no list, where there is one: what a list shows next may be wrong as well when it is asked again. */
const nearest = (served: readonly ParsedExchange[]): string =>
  (served.find(({ operation }) => operation !== 'listAssistants') ?? served[0])?.id ?? ''

type Uses = ReadonlyMap<string, ReadonlyMap<string, readonly ParsedExchange[]>>

/** The name of the key that stands for a tenant: several keys that read its record are keys of this one. */
const ownerOf = (analysis: TraceAnalysis, name: string): string =>
  firstReaderOf(analysis, recordsByKey(analysis).get(name)?.id, name) ?? name

/** Tenant → assistant → what was served of it, in the order of sending. */
function usesOf(analysis: TraceAnalysis): Uses {
  const uses = new Map<string, Map<string, ParsedExchange[]>>()
  for (const parsed of analysis.parsedExchanges) {
    if (parsed.tenant === null || !isAccepted(parsed) || !hasSuccessShape(parsed)) continue
    const owner = ownerOf(analysis, parsed.tenant)
    const own = uses.get(owner) ?? new Map<string, ParsedExchange[]>()
    uses.set(owner, own)
    for (const id of servedIn(parsed)) {
      const known = own.get(id)
      if (known === undefined) own.set(id, [parsed])
      else known.push(parsed)
    }
  }
  return uses
}

const completions: ReadonlySet<ParsedExchange['operation']> = new Set(completionOperations)

function servedIn(parsed: ParsedExchange): Iterable<string> {
  if (parsed.operation === 'listAssistants') return idsIn(parsed) ?? []
  const asked = parsed.params.assistant_id?.toLowerCase()
  if (parsed.operation === 'getAssistant') return idField(documentOf(parsed), 'id') === asked && asked ? [asked] : []
  if (!completions.has(parsed.operation) || parsed.body.kind !== 'json') return []
  const named = textField(parsed.body.value, 'assistant_id')
  return named === null ? [] : [named.toLowerCase()]
}

function idsIn(list: ParsedExchange): ReadonlySet<string> | null {
  const document = documentOf(list)
  if (!Array.isArray(document)) return null
  return new Set(document.flatMap((record) => idField(record, 'id') ?? []))
}
