/**
 * Decides which obligations a target owes. It depends on the target's claims, on its records, and on the limits of a black
 * box. This is settled before any evidence is read, so that an empty run cannot look like a good one.
 */
import {
  type ConformanceLevel,
  isTestable,
  type Obligation,
  type OperationId,
  operations,
  type Requirement,
  type RequirementId,
  requirements,
} from '../../spec/index.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import type { AmbiguityText } from './classify/ambiguity.ts'
import { withOnlyAmbiguity } from './gaps/gap-observer.ts'
import { readsPostedCalls } from './history/tool-calls.ts'
import { callsOf, holdsOneCall } from './history/writes.ts'
import { hasField } from './read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from './read/parsed-exchange.ts'
import { isBlockingRule } from './run-outcome.ts'
import type { TraceAnalysis } from './trace-analysis.ts'

/** One obligation with its place in this run. */
export interface ObligationStatus {
  readonly row: Requirement
  readonly obligation: Obligation
  /** Why it does not apply to this target, or `null`. */
  readonly inapplicable: string | null
  /** Whether a run without a verdict on it is incomplete. */
  readonly isOwed: boolean
  /** Whether a violation of it makes the target nonconformant. */
  readonly isBlocking: boolean
}

/** All obligations of the contract, in the order of the rows. */
export function obligationStatuses(analysis: TraceAnalysis, strict: boolean): readonly ObligationStatus[] {
  return requirements.filter(isTestable).flatMap((row) => rowStatuses(row, analysis, strict))
}

function rowStatuses(row: Requirement, analysis: TraceAnalysis, strict: boolean): readonly ObligationStatus[] {
  const rulesOut = conditions[row.id]
  // Recorded traffic need not show everything.
  const isPromised = analysis.profile.source === 'suite'
  return Object.entries(row.owedBy).flatMap(([operation, facets]) => {
    const id = operation as Obligation['operation']
    const unclaimedLevels = unclaimed([...operations[id].levels, ...(row.needs ?? [])], analysis)
    const list: readonly (string | null)[] = facets.length === 0 ? [null] : facets
    return list.map((facet) => {
      const inapplicable = unclaimedLevels ?? unmapped(row, analysis) ?? rulesOut?.(analysis, facet, id) ?? null
      const isBlocking = isBlockingRule(row, strict)
      const isOwed = isPromised && inapplicable === null && row.owed !== 'when-seen' && isBlocking
      return { row, obligation: { requirement: row.id, operation: id, facet }, inapplicable, isOwed, isBlocking }
    })
  })
}

function unclaimed(levels: readonly ConformanceLevel[], { profile }: TraceAnalysis): string | null {
  const missing = [...new Set(levels)].filter((level) => !profile.claims.has(level))
  return missing.length === 0 ? null : `not claimed: ${missing.join(', ')}`
}

/** The contract names the step and shows no form, or no quota: only a profile that does makes it owed. */
function unmapped({ needsMapping, needsKey }: Requirement, { profile }: TraceAnalysis): string | null {
  const { files, tenants } = profile
  if (needsKey !== undefined && !tenants.has(needsKey))
    return `the profile names no ${needsKey} key, and the contract no quota`
  if (needsMapping === undefined) return null
  const mapped = { 'files.status': files.status, 'files.attachment': files.attachment }
  return mapped[needsMapping] === null ? `the profile does not map it: ${needsMapping}` : null
}

/** Rules whose "if" a target's own records rule out; nothing is left to refuse or to show then. */
type Condition = (analysis: TraceAnalysis, facet: string | null, operation: OperationId) => string | null

const conditions: Readonly<Partial<Record<string, Condition>>> = {
  'streams.run-refused-without-support': (analysis) =>
    everyStreams(analysis, true) &&
    analysis.withSoleFault('streamThreadRun', 'assistant-without-streaming').length === 0
      ? 'every listed assistant streams, so none has an engine that cannot'
      : null,
  'streams.streaming-assistant-streams': (analysis) =>
    everyStreams(analysis, false) ? 'no listed assistant streams' : null,
  'threads.stream-ends-on-user-or-tool': (analysis, facet) => (facet === 'system' ? noLateSystem(analysis) : null),
  'threads.unknown-thread-error': makesItsThread,
  'tenancy.foreign-thread-refused': makesItsNamesake,
  'tenancy.foreign-thread-like-unknown': makesItsNamesake,
  'threads.server-sets-identity': (analysis) =>
    isNeverTaken(analysis.of('createMessage').filter(triesIdentity))
      ? 'the target takes no message that tries to set them'
      : null,
  'tools.matched-by-assistant-only': (analysis) =>
    isAlwaysRefused(analysis, 'a body field that the contract does not show')
      ? 'the target takes no message of a user that carries a call id'
      : null,
  'tools.matched-behind-other-results': onlySingleCalls,
  'tools.run-needs-tool-messages': (analysis, facet) => (facet === 'some-answered' ? onlySingleCalls(analysis) : null),
  'tenancy.foreign-assistant-refused': allShared,
  'tenancy.foreign-assistant-hidden': allShared,
} satisfies Partial<Record<RequirementId, Condition>>

function makesItsThread({ histories }: TraceAnalysis, _facet: string | null, operation: OperationId): string | null {
  return operation === 'createMessage' && histories.messagesMakeThreads
    ? 'a message creates the thread that it names'
    : null
}

/** Unless it was sent to the thread of another tenant and seen there: then there is one thread of that name only. */
function makesItsNamesake(analysis: TraceAnalysis, facet: string | null, operation: OperationId): string | null {
  const isForeign = analysis.withSoleFault('createMessage', 'thread-foreign').length > 0
  return isForeign ? null : makesItsThread(analysis, facet, operation)
}

const triesIdentity = ({ body }: ParsedExchange): boolean =>
  body.kind === 'json' && ['id', 'thread_id', 'created_at'].some((name) => hasField(body.value, name))

const noLateSystem = (analysis: TraceAnalysis): string | null =>
  isAlwaysRefused(analysis, 'a system message that may not be the first')
    ? 'the target takes no system message behind others, as it may'
    : null

/** Whether messages that the contract leaves open in this way were sent, and none was taken. */
function isAlwaysRefused(analysis: TraceAnalysis, about: AmbiguityText): boolean {
  return isNeverTaken([...withOnlyAmbiguity(analysis, ['createMessage'], about)])
}

/** Whether requests were refused, and none was accepted; failures of circumstances say nothing. */
const isNeverTaken = (sent: readonly ParsedExchange[]): boolean => sent.some(isRefusal) && !sent.some(isAccepted)

/** Some of the calls are answered only where an assistant asks for several at once; a client that can write a list of calls can always ask so. */
function onlySingleCalls(analysis: TraceAnalysis): string | null {
  const { profile, histories } = analysis
  if (profile.tools === null) return null
  if (holdsOneCall(profile.tools)) return 'an assistant message has room for one call only'
  if (profile.tools.assistantMessage !== undefined && !areWrittenInVain(analysis, profile.tools)) return null
  const counts = histories.threads
    .flatMap(({ writes }) => writes.map(({ kind, calls }) => (kind === 'answer' ? calls.length : 0)))
    .filter((count) => count > 0)
  const isSingle = counts.length > 0 && counts.every((count) => count === 1)
  return isSingle
    ? 'the assistants ask for one call at a time, and no client can write a message that asks for several'
    : null
}

/** Whether clients wrote calls into messages, and the target read none of them. */
function areWrittenInVain({ of, histories }: TraceAnalysis, tools: ToolMapping): boolean {
  const isWritten = of('createMessage').some(
    ({ body }) => body.kind === 'json' && callsOf(body.value, tools).length > 0,
  )
  return isWritten && !readsPostedCalls(histories)
}

function everyStreams({ registry }: TraceAnalysis, streams: boolean): boolean {
  const records = [...(registry.listedFor('primary')?.values() ?? [])]
  return records.length > 0 && records.every(({ streaming }) => streaming === streams)
}

function allShared({ registry }: TraceAnalysis): string | null {
  const primary = registry.listedFor('primary')
  const secondary = registry.listedFor('secondary')
  if (primary === null || secondary === null || primary.size === 0 || secondary.size === 0) return null
  const isShared = primary.size === secondary.size && [...primary.keys()].every((id) => secondary.has(id))
  return isShared ? 'both tenants list the same assistants' : null
}
