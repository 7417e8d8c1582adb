/**
 * Builds the graph of a schema: a node for every reachable conjunction, with its shapes and plans.
 * Conjunctions are sets of the subschemas of the document, so the graph is finite; a limit guards against explosion.
 */

import type fc from 'fast-check'
import { canonicalJson, type Json } from '../../spec/index.ts'
import { type Draft, itemTerms, prefixLength } from './draft.ts'
import type { Expander } from './expand.ts'
import { settleHeights } from './heights.ts'
import { planObject } from './object-plan.ts'
import type { ArrayPlan, GraphNode, Plan, Position, Shape } from './plan.ts'
import { conjunctionKey, type Term, withoutRepeats } from './term.ts'
import type { TermValidator } from './term-validator.ts'
import { numbersOf } from './values/numbers.ts'
import { stringsOf } from './values/strings.ts'

/** A keyword that construction does not support, and its place. */
export interface UnsupportedKeyword {
  readonly keyword: string
  /** JSON pointer into the schema document. */
  readonly pointer: string
  readonly reason: string
}

const maxNodes = 3000

export class SchemaGraph {
  readonly expander: Expander
  readonly judge: TermValidator
  /** Keywords that were left out; the rest of the schema is still generated. */
  readonly dropped: UnsupportedKeyword[] = []
  readonly #nodes = new Map<string, GraphNode>()
  readonly #open: GraphNode[] = []

  constructor(expander: Expander, judge: TermValidator) {
    this.expander = expander
    this.judge = judge
  }

  /** The node of a conjunction, with everything below it built and all heights computed. */
  build(terms: readonly Term[]): GraphNode {
    const root = this.node(terms)
    this.#workOff()
    settleHeights(this.#nodes.values())
    return root
  }

  /** The node of a conjunction; its shapes follow when the graph is built. */
  node(terms: readonly Term[]): GraphNode {
    const distinct = withoutRepeats(terms)
    const key = conjunctionKey(distinct)
    const known = this.#nodes.get(key)
    if (known !== undefined) return known
    const node = { key, terms: distinct, shapes: [], height: Number.POSITIVE_INFINITY, recursive: false }
    this.#nodes.set(key, node)
    this.#open.push(node)
    return node
  }

  /** Strings that satisfy a conjunction, or `null`; used for property names. */
  stringsOf(terms: readonly Term[]): readonly fc.Arbitrary<string>[] {
    return this.expander.expand(terms).drafts.flatMap((draft) => {
      if (draft.type !== 'string') return []
      const plan = this.#leaf(draft, terms)
      return plan?.kind === 'leaf' ? [plan.arbitrary.map(String)] : []
    })
  }

  #workOff(): void {
    for (let node = this.#open.pop(); node !== undefined; node = this.#open.pop()) {
      if (this.#nodes.size > maxNodes) {
        this.drop('allOf', node.terms, `more than ${maxNodes} combinations of subschemas`)
        this.#open.length = 0
        return
      }
      const { drafts, narrowed } = this.expander.expand(node.terms)
      if (narrowed) this.drop('oneOf', node.terms, 'too many alternatives')
      const { terms } = node
      node.shapes = drafts.flatMap((draft) => this.#shape(draft, terms))
    }
  }

  #shape(draft: Draft, terms: readonly Term[]): readonly Shape[] {
    const plan = this.#plan(draft, terms)
    return plan === null ? [] : [{ draft, plan, height: Number.POSITIVE_INFINITY }]
  }

  #plan(draft: Draft, terms: readonly Term[]): Plan | null {
    if (draft.values !== null) return this.#values(draft, draft.values, terms)
    switch (draft.type) {
      case 'null':
        return { kind: 'values', values: [null] }
      case 'boolean':
        return { kind: 'values', values: [true, false].filter((value) => !draft.excluded.includes(value)) }
      case 'array':
        return this.#arrayPlan(draft)
      case 'object':
        return planObject(this, draft)
      default:
        return this.#leaf(draft, terms)
    }
  }

  #values(draft: Draft, values: readonly Json[], terms: readonly Term[]): Plan | null {
    const simple =
      terms.length === 1 && draft.residual.length === 0 && draft.type !== 'array' && draft.type !== 'object'
    const accepts = simple && draft.formats.length === 0 ? () => true : this.judge.predicate(terms)
    const accepted = values.filter(accepts)
    return accepted.length === 0 ? null : { kind: 'values', values: accepted }
  }

  #leaf(draft: Draft, terms: readonly Term[]): Plan | null {
    const made = draft.type === 'number' ? numbersOf(draft) : stringsOf(draft)
    if (made === null) return null
    if ('keyword' in made) {
      this.drop(made.keyword, terms, 'construction found no fitting text')
      return null
    }
    return { kind: 'leaf', arbitrary: made }
  }

  #arrayPlan(draft: Draft): ArrayPlan {
    const length = prefixLength(draft)
    const prefix = Array.from({ length }, (_, index) => this.#position(draft, index))
    return { kind: 'array', prefix, rest: this.#position(draft, length) }
  }

  #position(draft: Draft, index: number): Position {
    const terms = itemTerms(draft, index)
    const { contains } = draft
    const contraries = contains.map(({ term, max }) =>
      Number.isFinite(max) && term.kind === 'schema' ? this.expander.book.negation(term) : null,
    )
    const besides = (rule: number) => contraries.filter((term, other) => term !== null && other !== rule) as Term[]
    return {
      plain: this.node([...terms, ...besides(-1)]),
      witnesses: contains.map(({ term }, rule) => this.node([...terms, term, ...besides(rule)])),
      all: contains.length > 1 ? this.node([...terms, ...contains.map(({ term }) => term)]) : null,
    }
  }

  /** Records a keyword that construction leaves out. */
  drop(keyword: string, terms: readonly Term[], reason: string): void {
    const [first] = terms
    const pointer = first?.kind === 'schema' ? this.expander.book.documents.placeOf(first.schema).pointer : ''
    const note = { keyword, pointer, reason }
    if (!this.dropped.some((known) => canonicalJson({ ...known }) === canonicalJson({ ...note })))
      this.dropped.push(note)
  }
}
