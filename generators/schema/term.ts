/**
 * What must hold of a value: a schema, the contrary of a schema, or any of several terms.
 * Terms have keys, so that the same conjunction met twice is the same node of the graph.
 */
import { canonicalJson } from '../../spec/index.ts'
import type { Schema, SchemaDocuments } from './schema-documents.ts'

export interface SchemaTerm {
  readonly kind: 'schema'
  readonly schema: Schema
  readonly negated: boolean
  /** Schema resources passed through on the way here, outermost first; kept only where `$dynamicRef` is used. */
  readonly scope: readonly string[]
  readonly key: string
}

interface AnyTerm {
  readonly kind: 'any'
  readonly terms: readonly Term[]
  readonly key: string
}

export type Term = SchemaTerm | AnyTerm

/** Makes terms of one set of documents and gives equal ones equal keys. */
export class TermTable {
  readonly documents: SchemaDocuments
  readonly #ids = new Map<Schema, number>()

  constructor(documents: SchemaDocuments) {
    this.documents = documents
  }

  /** The term that a schema holds (or, negated, that it does not), met from inside `parent`. */
  term(schema: Schema, parent: SchemaTerm | null, negated = false): SchemaTerm {
    const scope = this.#scope(schema, parent)
    const key = `${negated ? '!' : ''}${this.#id(schema)}${scope.length > 0 ? `@${scope.join(' ')}` : ''}`
    return { kind: 'schema', schema, negated, scope, key }
  }

  /** The contrary of a term. */
  negation(term: SchemaTerm): SchemaTerm {
    return this.term(term.schema, term, !term.negated)
  }

  /** The term that at least one of several holds. */
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
    // Only the outermost definition of an anchor counts; keeping others would tell equal situations apart.
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

/** Drops terms that say nothing and terms said twice. */
export function withoutRepeats(terms: readonly Term[]): readonly Term[] {
  const distinct = new Map<string, Term>()
  for (const term of terms) {
    if (term.kind === 'schema' && saysNothing(term)) continue
    distinct.set(term.key, term)
  }
  return [...distinct.values()]
}

function saysNothing({ schema, negated }: SchemaTerm): boolean {
  return schema === !negated || (!negated && canonicalJson(schema) === '{}')
}
