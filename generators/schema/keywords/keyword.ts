/**
 * How a keyword shapes a draft: `demand` adds what it asks for, `refuse` lists the ways to break it.
 * Each keyword of a type is a row of a table; the expansion knows nothing about any of them.
 */
import type { Json, JsonObject } from '../../../spec/index.ts'
import type { Draft } from '../draft.ts'
import type { Schema } from '../schema-documents.ts'
import type { SchemaTerm, TermTable } from '../term.ts'

/** Where a keyword stands: its schema object, the term it came from, and who watches. */
export interface KeywordSite {
  readonly schema: JsonObject
  readonly term: SchemaTerm
  readonly collectors: readonly number[]
  readonly book: TermTable
  /** Whether formats are asserted or only annotate. */
  readonly assertFormats: boolean
  /** The term of a subschema met here. */
  readonly sub: (schema: Json, negated?: boolean) => SchemaTerm
}

/** One way to break a keyword: changes the draft, or gives `false` where the draft's type rules it out. */
export type Breach = (draft: Draft) => boolean

export interface Keyword {
  /** Adds the demand to the draft, or gives the drafts that it splits into. */
  readonly demand: (draft: Draft, value: Json, site: KeywordSite) => readonly Draft[] | undefined
  /** The ways in which a value breaks the keyword; `null` when construction knows none. */
  readonly refuse?: (value: Json, site: KeywordSite) => readonly Breach[] | null
}

export type KeywordTable = Readonly<Record<string, Keyword>>

/** A subschema as the documents hold it. */
export function asSchema(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : value !== false
}
