/** Finds runs that name an unknown or a foreign assistant, and whether the service reads which assistant a run names. */
import { bothRuns } from '../../../../spec/index.ts'
import type { Ambiguity, AmbiguityText } from '../../classify/ambiguity.ts'
import type { RequestClass } from '../../classify/request-fault.ts'
import { runAssistant } from '../../classify/run-assistant.ts'
import { isUuid } from '../../read/formats.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

export const othersCode = 'assistant_not_available'

interface RunOfOther {
  readonly parsed: ParsedExchange
  readonly facet: 'foreign' | 'unknown'
}

const allRuns = (analysis: TraceAnalysis): readonly ParsedExchange[] =>
  bothRuns.flatMap((operation) => analysis.of(operation))

/** The runs that name such an assistant, and about which nothing else may be wrong. */
export const runsOfOthers = memoPerTrace((analysis): readonly RunOfOther[] =>
  allRuns(analysis).flatMap((parsed) => {
    const facet = standingIn(analysis, parsed)
    return facet === null ? [] : [{ parsed, facet }]
  }),
)

/** A refusal that shows that the service reads which assistant a run names; the contract does not show the field. */
export const fieldIsRead = memoPerTrace(
  (analysis): ParsedExchange | undefined =>
    runsOfOthers(analysis)
      .map(({ parsed }) => parsed)
      .find((parsed) => isRefusal(parsed) && (parsed.answer.code === othersCode || hasControl(analysis, parsed))) ??
    allRuns(analysis).find((parsed) => isOfOtherKey(analysis, parsed)) ??
    analysis.of('streamThreadRun').find((parsed) => isForWholeAssistant(analysis, parsed)),
)

/**
 * A run by another key that may be of the tenant, refused for its assistant: regardless of the thread's owner, the name
 * was read.
 */
function isOfOtherKey(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const isOwn = ({ about }: Ambiguity): boolean => about !== 'a thread of a key that may be of the same tenant'
  const { faults, ambiguities } = analysis.requestOf(parsed)
  const own = ambiguities.filter(isOwn)
  const isMeant = parsed.answer.code === othersCode && own.length < ambiguities.length
  return isMeant && standingIn(analysis, parsed, { faults, ambiguities: own }) !== null
}

/** A stream refused since the assistant that it names answers whole only, in a thread in which another one streams. */
function isForWholeAssistant(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const named = (run: ParsedExchange) => runAssistant(run, null, analysis.profile)
  const id = named(parsed)
  return (
    parsed.answer.code === 'engine_does_not_support_streaming' &&
    id !== null &&
    analysis.registry.recordOf(parsed.tenant, id)?.streaming === false &&
    acceptedAlike(analysis, parsed).every((other) => named(other) !== id) &&
    hasControl(analysis, parsed)
  )
}

/** The assistant that answers a run: that of its thread, or the one it names where the service reads that; else `null`. */
export function surelyRunBy(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
  const id = runAssistant(parsed, thread, analysis.profile)
  return id === thread?.origin.assistant || fieldIsRead(analysis) !== undefined ? id : null
}

/** Whether the thread of a run was opened for another assistant than the run names, or was run by another one. */
export function isForAnother(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const named = (run: ParsedExchange) => runAssistant(run, null, analysis.profile)
  const thread = parsed.params.thread_id ?? ''
  const own = analysis.histories.thread(thread)?.origin.assistant ?? null
  const others = allRuns(analysis)
    .filter((run) => run.params.thread_id === thread && isAccepted(run))
    .map(named)
  return [own, ...others].some((id) => id !== null && id !== named(parsed))
}

/** The questions that are open only because the assistant belongs to another tenant. */
const ownDoubts: readonly AmbiguityText[] = [
  'a run with an assistant that is not listed for the tenant',
  'a thread whose assistant may not stream',
]

type Doubts = Pick<RequestClass, 'faults' | 'ambiguities'>

/** Whether nothing but its assistant may be wrong with a run. */
function mayBeForAssistantAlone(parsed: ParsedExchange, { faults, ambiguities }: Doubts): boolean {
  return parsed.key === 'sent' && faults.length === 0 && ambiguities.every(({ about }) => ownDoubts.includes(about))
}

/** The place of the assistant in a run's body; `null` unless nothing else may be wrong with the run. */
function standingIn(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
  doubts: Doubts = analysis.requestOf(parsed),
): 'foreign' | 'unknown' | null {
  if (!mayBeForAssistantAlone(parsed, doubts)) return null
  const id = runAssistant(parsed, null, analysis.profile)
  const standing = id === null || !isUuid(id) ? 'unsure' : analysis.registry.standing(parsed.tenant, id)
  return standing === 'foreign' || standing === 'unknown' ? standing : null
}

interface RunOfForeignThread {
  readonly parsed: ParsedExchange
  /** The request that opened the thread. */
  readonly opening: ParsedExchange
  readonly assistant: string
}

/** Runs that name no assistant, of threads that were opened for one of another tenant; nothing else may be wrong with them. */
export function runsOfForeignThreads(analysis: TraceAnalysis): readonly RunOfForeignThread[] {
  return allRuns(analysis).flatMap((parsed) => {
    const origin = analysis.histories.thread(parsed.params.thread_id ?? '')?.origin
    const { by: opening = null, assistant = null, tenant = null } = origin ?? {}
    if (
      opening === null ||
      assistant === null ||
      tenant !== parsed.tenant ||
      !mayBeForAssistantAlone(parsed, analysis.requestOf(parsed))
    )
      return []
    const isForeign = analysis.registry.standing(tenant, assistant) === 'foreign'
    return isForeign && runAssistant(parsed, null, analysis.profile) === null ? [{ parsed, opening, assistant }] : []
  })
}

/** Whether the same form of run was accepted in the same thread. */
export const hasControl = (analysis: TraceAnalysis, parsed: ParsedExchange): boolean =>
  acceptedAlike(analysis, parsed).length > 0

const acceptedAlike = (analysis: TraceAnalysis, { operation, params }: ParsedExchange): readonly ParsedExchange[] =>
  operation === null
    ? []
    : analysis.of(operation).filter((other) => other.params.thread_id === params.thread_id && isAccepted(other))
