/**
 * What a probe is: plain data that the planner reads, and one function that provokes.
 * A probe never judges; it sends, or it notes why it could not.
 */
import { type Chapter, type ConformanceLevel, type OperationId, operations } from '../../spec/index.ts'
import type { ProbeContext, SharedThread } from '../probe-runtime/probe-context.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'

/** What playing a probe takes at most. */
export interface Cost {
  readonly exchanges: number
  readonly modelCalls: number
  /** Model calls that it makes on top, but only while the caps leave some to spare; no plan gives way for them. */
  readonly spareCalls?: number
}

/** What must be at hand before a probe can play. */
interface Needs {
  readonly claims?: readonly ConformanceLevel[]
  readonly tenants?: readonly TenantName[]
  /** It writes to threads, so the profile must say where they come from. */
  readonly threads?: boolean
  /**
   * `mapping`: the shape of a tool call; `message`: also how a client writes one; `prompt`: how an assistant is made to ask;
   * `asked`: only an assistant can ask, since no client can write a call.
   */
  readonly tools?: 'mapping' | 'message' | 'prompt' | 'asked'
  /** The quota of the throttled key is known. */
  readonly throttle?: boolean
}

/**
 * A shared thread, `first-completion-thread` for the thread that the first completion made, `second-answers` for those of the second
 * tenant, the health of assistants beside the plain one, all grants, and the model calls that are left at the end.
 */
type SharedThing =
  | SharedThread
  | 'first-completion-thread'
  | 'second-answers'
  | 'other-assistants'
  | 'files'
  | 'spare-calls'

export interface Probe {
  /** `<chapter>.<what it provokes>`. */
  readonly id: `${Chapter}.${string}`
  readonly chapter: Chapter
  /** The lightest tier that plays it. */
  readonly from: Tier
  /** The heaviest tier that plays it; heavier ones ask the same at length. */
  readonly until?: Tier
  readonly exercises: readonly Exercise[]
  readonly needs: Needs
  /** Probes whose traces in the target it builds on. */
  readonly after?: readonly string[]
  /** Probes that play before it where they play at all; it does not build on them. */
  readonly behind?: readonly string[]
  /** Requests more for each of those that does not play: it then opens the thread that both use. */
  readonly opening?: number
  /** It provokes what other probes provoke as well, but where rare faults hide; worth more than it teaches. */
  readonly rare?: true
  /** It finds an assistant that answers: those that ask one wait for it, and every part of a divided run plays it. */
  readonly findsAssistant?: true
  /** It asks several assistants in turn, so that one that fails is not replaced. */
  readonly asksSeveral?: true
  /** Plays behind all others but the last look: it spends what refusals need in reserve, or exhausts a quota. */
  readonly late?: true
  /**
   * The plan keeps nothing for it: it plays behind the late ones, where what the others did not need pays for it. So do rare
   * ones for which the plan has no room.
   */
  readonly standby?: true
  /** On standby: it also plays where only so many requests are left, and then sends no more than are. */
  readonly leastExchanges?: number
  /** On standby: it plays before cheaper ones. */
  readonly ahead?: true
  /** It sends many requests in turn: what it builds on plays early, so that the others play beside it. */
  readonly slow?: true
  /** Plays when every other probe is over. */
  readonly last?: true
  /** What it uses of what other probes use as well: those play in turn. All others may play at the same time. */
  readonly shares?: readonly SharedThing[]
  /** It needs quiet: it waits for all before it, and all behind it wait for it. */
  readonly alone?: true
  readonly cost: Cost | ((profile: TargetProfile, tier: Tier) => Cost)
  readonly play: (context: ProbeContext) => Promise<void>
}

/** Requirements, as `id` or `id#facet` with `*` as in a file glob, on each of the operations. */
export interface Exercise {
  readonly operations: readonly OperationId[]
  readonly requirements: readonly string[]
}

/** On these operations, witnesses for these requirements. */
export const exercised = (operations: readonly OperationId[], ...requirements: readonly string[]): Exercise => ({
  operations,
  requirements,
})

/** What every accepted request that is answered by one document gives a witness for. */
export const successRules = [
  'http.operation-served',
  'http.versioned-path',
  'http.json-response',
  'resources.*',
] as const
/** What every accepted stream gives a witness for. */
export const streamRules = [
  'http.operation-served',
  'http.versioned-path',
  'resources.*',
  'streams.ndjson-lines',
  'streams.utf8',
  'streams.not-empty',
  'streams.*-delta',
  'streams.delta-role',
  'streams.one-*',
  'streams.created-at-order',
  'streams.progressive',
  'streams.ends-whole',
] as const
/** What every rejection gives a witness for. */
export const rejectionRules = [
  'errors.body-fields',
  'errors.detail-is-string',
  'errors.code-*',
  'errors.detail-text',
  'errors.listed-where',
] as const

/** The most that a probe spends against this target in this tier. */
export function costOf(probe: Probe, profile: TargetProfile, tier: Tier): Cost {
  return typeof probe.cost === 'function' ? probe.cost(profile, tier) : probe.cost
}

/** Those of the operations whose levels the profile claims. */
export function claimedOf<Wanted extends OperationId>(
  { profile }: ProbeContext,
  wanted: readonly Wanted[],
): readonly Wanted[] {
  return wanted.filter((operation) => operations[operation].levels.every((level) => profile.claims.includes(level)))
}
