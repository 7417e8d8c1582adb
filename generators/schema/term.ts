/**
 * Defines terms: a schema, the negation of a schema, or any of several terms.
 * Terms have keys, so that the same conjunction is always the same node of the graph.
 */
import { canonicalJson } from '../../spec/index.ts'
import type { Schema, SchemaDocuments } from './schema-documents.ts'

export interface SchemaTerm {
  readonly kind: 'schema'
  readonly schema: Schema
  readonly negated: boolean
  /** Schema resources on the path to here, outermost first; only filled if `$dynamicRef` is used. */
  readonly scope: readonly string[]
  readonly key: string
}

interface AnyTerm {
  readonly kind: 'any'
  readonly terms: readonly Term[]
  readonly key: string
}

export type Term = SchemaTerm | AnyTerm

/** Makes the terms of one set of documents; equal terms get equal keys. */
export class TermTable {
  readonly documents: SchemaDocuments
  readonly #ids = new Map<Schema, number>()

  constructor(documents: SchemaDocuments) {
    this.documents = documents
  }

  /** The term of a schema (or of its negation), found inside `parent`. */
  term(schema: Schema, parent: SchemaTerm | null, negated = false): SchemaTerm {
    const scope = this.#scope(schema, parent)
    const key = `${negated ? '!' : ''}${this.#id(schema)}${scope.length > 0 ? `@${scope.join(' ')}` : ''}`
    return { kind: 'schema', schema, negated, scope, key }
  }

  /** The negation of a term. */
  negation(term: SchemaTerm): SchemaTerm {
    return this.term(term.schema, term, !term.negated)
  }

  /** The term that at least one of several terms is true. */
  any(terms: readonly Term[]): Term {
    const [only] = terms
    if (only !== undefined && terms.length === 1) return only
    return { kind: 'any', terms, key: `(${terms.map(({ key }) => key).join('|')})` }
  }

  #id(schema: Schema): number | string {
    if (typeof schema === 'boolean') return String(schema)
    const known = this.#ids.get(schema)
    if (known !== undefined) return known
    const id = this.#ids.size
    this.#ids.set(schema, id)
    return id
  }

  #scope(schema: Schema, parent: SchemaTerm | null): readonly string[] {
    if (!this.documents.usesDynamicReferences) return []
    const { base } = this.documents.placeOf(schema)
    const scope = parent?.scope ?? []
    // Only the outermost definition of an anchor counts; others would make equal terms different.
    const fresh = [...this.documents.dynamicAnchorsOf(base)].some(
      (anchor) => !scope.some((outer) => this.documents.dynamicAnchorsOf(outer).has(anchor)),
    )
    return fresh ? [...scope, base] : scope
  }
}

/** The key of a conjunction: the same terms in any order give the same key. */
export function conjunctionKey(terms: readonly Term[]): string {
  return [...new Set(terms.map(({ key }) => key))].sort().join('&')
}

/** Drops terms without effect and repeated terms. */
export function withoutRepeats(terms: readonly Term[]): readonly Term[] {
  const distinct = new Map<string, Term>()
  for (const term of terms) {
    if (term.kind === 'schema' && hasNoEffect(term)) continue
    distinct.set(term.key, term)
  }
  return [...distinct.values()]
}

function hasNoEffect({ schema, negated }: SchemaTerm): boolean {
  return schema === !negated || (!negated && canonicalJson(schema) === '{}')
}
