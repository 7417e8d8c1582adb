/**
 * Defines how a keyword shapes a draft: `demand` adds a constraint, `refuse` lists the ways to violate it.
 * Each keyword is a row of a table; the expansion knows none of them.
 */
import type { Json, JsonObject } from '../../../spec/index.ts'
import type { Draft } from '../draft.ts'
import type { Schema } from '../schema-documents.ts'
import type { SchemaTerm, TermTable } from '../term.ts'

/** The place of a keyword: its schema object, its term and its collectors. */
export interface KeywordSite {
  readonly schema: JsonObject
  readonly term: SchemaTerm
  readonly collectors: readonly number[]
  readonly book: TermTable
  /** True if formats are asserted, not only annotations. */
  readonly assertFormats: boolean
  /** The term of a subschema. */
  readonly sub: (schema: Json, negated?: boolean) => SchemaTerm
}

/** One way to violate a keyword: changes the draft, or returns `false` if the type of the draft rules it out. */
export type Breach = (draft: Draft) => boolean

export interface Keyword {
  /** Adds the constraint to the draft, or returns the drafts that it splits into. */
  readonly demand: (draft: Draft, value: Json, site: KeywordSite) => readonly Draft[] | undefined
  /** The ways to violate the keyword; `null` if construction supports none. */
  readonly refuse?: (value: Json, site: KeywordSite) => readonly Breach[] | null
}

export type KeywordTable = Readonly<Record<string, Keyword>>

/** A keyword value as a schema. */
export function asSchema(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : value !== false
}
