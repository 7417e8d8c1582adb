/**
 * Defines what a requirement row says and where it is owed.
 * The rows are in requirements/<chapter>.ts; everything else refers to them by id.
 */
import type { Chapter } from './chapters.ts'
import type { ConformanceLevel, OperationId } from './operations.ts'

/** The strength of the rule, as its wording has it. */
export type Level = 'must' | 'should' | 'may'

/** The source of a rule: the contract's words, a consequence of them, or a standard that the contract builds on. */
export type Basis = 'stated' | 'implied' | 'convention'

/** The parts of the profile's mapping of files. */
type FileMappingName = 'files.status' | 'files.attachment'

/** One normative statement of the contract, in our own words. */
export interface Requirement {
  /** Stable id, `<chapter>.<rule>`. */
  readonly id: `${Chapter}.${string}`
  readonly level: Level
  readonly basis: Basis
  /** The rule as one sentence that can be true or false of a server. */
  readonly rule: string
  /** Heading path in the contract, for example `Endpoints / POST /v1/chat/completions`. */
  readonly section: string
  /** Where it is owed: operation → facets (an empty list means the operation as a whole). */
  readonly owedBy: Readonly<Partial<Record<OperationId, readonly string[]>>>
  /** Claimed levels needed in addition to those of the operation. */
  readonly needs?: readonly ConformanceLevel[]
  /** What the profile has to map before the rule is judged, since the contract names the step and shows no form. */
  readonly needsMapping?: FileMappingName
  /** The key that a profile has to name before the rule is judged, since no other request shows it. */
  readonly needsKey?: 'throttled'
  /** `when-seen`: judged when evidence appears, never owed, because a black-box suite cannot provoke it. */
  readonly owed?: 'always' | 'when-seen'
  /** One sentence for the implementer: how to meet the rule; missing where there is nothing to do. */
  readonly fix?: string
  /** Why a black-box suite cannot judge the rule; a row with this field has no oracle. */
  readonly excluded?: string
}

/** A requirement as its chapter writes it: nearly all of them are a `must`, so only another level is written down. */
export type RequirementRow = Omit<Requirement, 'level'> & Partial<Pick<Requirement, 'level'>>

/** requirement × operation × facet: the unit that gets a verdict. */
export interface Obligation {
  readonly requirement: string
  readonly operation: OperationId
  readonly facet: string | null
}

/** `requirement operation facet`: the name of an obligation in plans, replays, baselines and comparisons. */
export const obligationKey = ({ requirement, operation, facet }: Obligation): string =>
  facet === null ? `${requirement} ${operation}` : `${requirement} ${operation} ${facet}`
