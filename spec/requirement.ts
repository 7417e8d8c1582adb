/**
 * The vocabulary of the law: what a requirement row says and where it is owed.
 * Rows live in requirements/<chapter>.ts; everything else refers to them by id.
 */
import type { OperationId } from './operations.ts'

/** Chapters of the contract; the same names stand in every stage of the kit. */
export const chapters = [
  'http',
  'auth',
  'resources',
  'completions',
  'streams',
  'threads',
  'tools',
  'pagination',
  'assistants',
  'files',
  'tenancy',
  'errors',
] as const
export type Chapter = (typeof chapters)[number]

/** The strength of the rule's own words. */
export type Level = 'must' | 'should' | 'may'

/** Where a rule comes from: the contract's words, what follows from them, or the standards that they build on. */
export type Basis = 'stated' | 'implied' | 'convention'

/** What an implementation may claim in its target profile; an obligation is owed only under claimed levels. */
export const conformanceLevels = ['core', 'streaming', 'events', 'threads', 'tools', 'files', 'tenancy'] as const
export type ConformanceLevel = (typeof conformanceLevels)[number]

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
  /** Claimed levels needed beside those of the operation. */
  readonly needs?: readonly ConformanceLevel[]
  /** `when-seen`: judged whenever evidence turns up, never owed, since no black box can provoke it. */
  readonly owed?: 'always' | 'when-seen'
  /** One sentence that tells an implementer how to meet it. */
  readonly fix: string
  /** Why no black-box suite can judge it; a row with this field has no oracle. */
  readonly excluded?: string
}

/** requirement × operation × facet: the unit that gets a verdict. */
export interface Obligation {
  readonly requirement: string
  readonly operation: OperationId
  readonly facet: string | null
}
