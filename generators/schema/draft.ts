/**
 * Defines a draft: one way to satisfy a conjunction, as a JSON type with all its constraints.
 * A draft is a mutable scratch value; expansion copies it wherever the schema leaves a choice.
 */
import type { Json } from '../../spec/index.ts'
import type { JsonType } from '../json/json-value.ts'
import type { Term } from './term.ts'

interface ItemRule {
  readonly prefix: readonly Term[]
  readonly rest: Term | null
}

interface ContainsRule {
  readonly term: Term
  readonly min: number
  readonly max: number
}

export interface PropertyRule {
  readonly named: ReadonlyMap<string, Term>
  readonly patterned: readonly (readonly [pattern: RegExp, term: Term])[]
  /** The term for every other name. */
  readonly rest: Term | null
}

/** A property that violates a negated rule; its name is still to be found. */
export interface ViolatingProperty {
  /** The rule whose names it must not have. */
  readonly besides: PropertyRule
  readonly matching: string | null
  readonly term: Term
}

/** The parts that other keywords evaluate next to an `unevaluated*` keyword. */
export interface Collector {
  readonly id: number
  readonly term: Term
  readonly kind: 'properties' | 'items'
  readonly names: readonly string[]
  readonly patterns: readonly RegExp[]
  readonly prefix: number
  readonly contains: readonly Term[]
  readonly everything: boolean
}

export interface Task {
  readonly term: Term
  /** Ids of the collectors that watch what this term evaluates. */
  readonly collectors: readonly number[]
}

export interface Draft {
  readonly type: JsonType
  dead: boolean
  values: readonly Json[] | null
  excluded: readonly Json[]
  integer: boolean
  fraction: boolean
  minimum: number
  maximum: number
  /** Exclusive bounds. */
  above: number
  below: number
  multiples: readonly number[]
  notMultiples: readonly number[]
  minLength: number
  maxLength: number
  patterns: readonly string[]
  notPatterns: readonly string[]
  formats: readonly string[]
  notFormats: readonly string[]
  items: readonly ItemRule[]
  contains: readonly ContainsRule[]
  minItems: number
  maxItems: number
  unique: boolean
  duplicate: boolean
  properties: readonly PropertyRule[]
  required: readonly string[]
  forbidden: readonly string[]
  violating: readonly ViolatingProperty[]
  dependent: readonly (readonly [name: string, needed: readonly string[]])[]
  minProperties: number
  maxProperties: number
  names: readonly Term[]
  collectors: readonly Collector[]
  /** Terms that construction does not cover; ajv filters by them. */
  residual: readonly Term[]
  todo: readonly Task[]
  /** Negated terms, postponed until all positive ones are known. */
  later: readonly Task[]
  seen: readonly string[]
}

/** A draft without constraints. */
export function blankDraft(type: JsonType, todo: readonly Task[]): Draft {
  return {
    type,
    dead: false,
    values: null,
    excluded: [],
    integer: false,
    fraction: false,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    above: Number.NEGATIVE_INFINITY,
    below: Number.POSITIVE_INFINITY,
    multiples: [],
    notMultiples: [],
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    patterns: [],
    notPatterns: [],
    formats: [],
    notFormats: [],
    items: [],
    contains: [],
    minItems: 0,
    maxItems: Number.POSITIVE_INFINITY,
    unique: false,
    duplicate: false,
    properties: [],
    required: [],
    forbidden: [],
    violating: [],
    dependent: [],
    minProperties: 0,
    maxProperties: Number.POSITIVE_INFINITY,
    names: [],
    collectors: [],
    residual: [],
    todo,
    later: [],
    seen: [],
  }
}

/** An independent copy; lists in a draft are replaced, never changed. */
export function forkDraft(draft: Draft): Draft {
  return { ...draft }
}

/** The terms for the property `name` of an object. */
export function propertyTerms(draft: Draft, name: string): readonly Term[] {
  return draft.properties.flatMap((rule) => propertyRuleTerms(rule, name))
}

/** The terms for the item at `index` of an array. */
export function itemTerms(draft: Draft, index: number): readonly Term[] {
  return draft.items.flatMap(({ prefix, rest }) => prefix[index] ?? rest ?? [])
}

/** How many leading items have rules of their own. */
export function prefixLength(draft: Draft): number {
  return Math.max(0, ...draft.items.map(({ prefix }) => prefix.length))
}

/** The terms that one rule has for the property `name`. */
export function propertyRuleTerms({ named, patterned, rest }: PropertyRule, name: string): readonly Term[] {
  const own = named.get(name)
  const found = patterned.filter(([pattern]) => pattern.test(name)).map(([, term]) => term)
  if (own !== undefined) found.push(own)
  if (found.length === 0 && rest !== null) found.push(rest)
  return found
}
