/**
 * Expands a conjunction of terms into the drafts that satisfy it.
 * Subschemas of allOf are merged, every choice forks; negated terms come last, when cheap checks made most superfluous.
 */
import { type JsonType, jsonTypes } from '../json/json-value.ts'
import { contradicts } from './contradiction.ts'
import { blankDraft, type Collector, type Draft, forkDraft, propertyTerms, type Task } from './draft.ts'
import { anyTypeKeywords } from './keywords/any-type.ts'
import { applicatorKeywords } from './keywords/applicators.ts'
import { arrayKeywords, closeItems } from './keywords/array.ts'
import { asSchema, type Breach, type Keyword, type KeywordSite, type KeywordTable } from './keywords/keyword.ts'
import { closeProperties, objectKeywords } from './keywords/object.ts'
import { scalarKeywords } from './keywords/scalar.ts'
import { conjunctionKey, type SchemaTerm, type Term, type TermTable } from './term.ts'

const keywordTable: KeywordTable = {
  ...anyTypeKeywords,
  ...scalarKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...applicatorKeywords,
}

/** Limits on the drafts of one conjunction and on the ways to satisfy one negated term. */
const maxDrafts = 240
const maxBreaches = 24

interface Expansion {
  readonly drafts: readonly Draft[]
  /** True if drafts were left out because there were too many. */
  readonly narrowed: boolean
}

export class Expander {
  readonly book: TermTable
  readonly assertFormats: boolean
  readonly #deadness = new Map<string, boolean>()
  #collectorIds = 0

  constructor(book: TermTable, assertFormats: boolean) {
    this.book = book
    this.assertFormats = assertFormats
  }

  /** All drafts that satisfy the terms, for every type. */
  expand(terms: readonly Term[]): Expansion {
    const parts = jsonTypes.map((type) => this.#expandType(type, terms))
    return { drafts: parts.flatMap(({ drafts }) => drafts), narrowed: parts.some(({ narrowed }) => narrowed) }
  }

  /** True if a search of the given depth shows that nothing satisfies the terms; `false` if unsure. */
  isDead(terms: readonly Term[], depth: number): boolean {
    const key = `${depth} ${conjunctionKey(terms)}`
    const known = this.#deadness.get(key)
    if (known !== undefined) return known
    // A recursive conjunction counts as satisfiable here; the heights of the graph decide it exactly.
    this.#deadness.set(key, false)
    const tasks = terms.map((term) => ({ term, collectors: [] }))
    const dead = jsonTypes.every((type) => !this.#somePositive(blankDraft(type, tasks), depth))
    this.#deadness.set(key, dead)
    return dead
  }

  #expandType(type: JsonType, terms: readonly Term[]): Expansion {
    const tasks = terms.map((term) => ({ term, collectors: [] }))
    const positive = this.#workOff([blankDraft(type, tasks)])
    const settled = positive.drafts.map((draft) => this.#addNegatedTerms(draft))
    const drafts = settled.flatMap((expansion) => expansion.drafts).slice(0, maxDrafts)
    const narrowed = positive.narrowed || settled.some((expansion) => expansion.narrowed)
    return { drafts: drafts.map((draft) => this.#closed(draft)).filter((draft) => !contradicts(draft)), narrowed }
  }

  /** Processes the positive tasks of drafts breadth first, so that the limit cuts evenly. */
  #workOff(start: readonly Draft[]): Expansion {
    let open = start
    const done: Draft[] = []
    let narrowed = false
    while (open.length > 0) {
      done.push(...open.filter((draft) => draft.todo.length === 0))
      const next = open.filter((draft) => draft.todo.length > 0).flatMap((draft) => this.#step(draft))
      open = next.filter((draft) => !contradicts(draft))
      narrowed ||= open.length > maxDrafts
      open = evenly(open, maxDrafts)
    }
    return { drafts: done, narrowed }
  }

  #step(draft: Draft): readonly Draft[] {
    const [task, ...rest] = draft.todo
    if (task === undefined) return [draft]
    draft.todo = rest
    const { term } = task
    if (term.kind === 'any') {
      return term.terms.map((one) => {
        const copy = forkDraft(draft)
        copy.todo = [{ term: one, collectors: task.collectors }, ...copy.todo]
        return copy
      })
    }
    const mark = `${term.key} ${task.collectors.join(',')}`
    if (draft.seen.includes(mark)) return [draft]
    draft.seen = [...draft.seen, mark]
    if (!term.negated) return this.#demand(draft, term, task)
    if (typeof term.schema === 'boolean') {
      draft.dead = term.schema
      return [draft]
    }
    draft.later = [...draft.later, task]
    return [draft]
  }

  #demand(draft: Draft, term: SchemaTerm, task: Task): readonly Draft[] {
    const { schema } = term
    if (typeof schema === 'boolean') {
      if (!schema) draft.dead = true
      return [draft]
    }
    const watchers = this.#openCollectors(draft, term)
    let drafts: readonly Draft[] = [draft]
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name)
      if (keyword === undefined) continue
      const collectors = name.startsWith('unevaluated') ? task.collectors : [...task.collectors, ...watchers]
      const site = this.#site(term, collectors)
      drafts = drafts.flatMap((one) => keyword.demand(one, value, site) ?? [one])
    }
    return drafts
  }

  #openCollectors(draft: Draft, term: SchemaTerm): readonly number[] {
    if (typeof term.schema === 'boolean') return []
    const opened: Collector[] = []
    for (const [kind, keyword] of [
      ['properties', 'unevaluatedProperties'],
      ['items', 'unevaluatedItems'],
    ] as const) {
      const value = term.schema[keyword]
      if (value === undefined) continue
      const watched = this.book.term(asSchema(value), term)
      const blank = { names: [], patterns: [], prefix: 0, contains: [], everything: false }
      opened.push({ ...blank, id: this.#collectorIds++, term: watched, kind })
    }
    draft.collectors = [...draft.collectors, ...opened]
    return opened.map(({ id }) => id)
  }

  #site(term: SchemaTerm, collectors: readonly number[]): KeywordSite {
    return {
      schema: typeof term.schema === 'boolean' ? {} : term.schema,
      term,
      collectors,
      book: this.book,
      assertFormats: this.assertFormats,
      sub: (schema, negated = false) => this.book.term(asSchema(schema), term, negated),
    }
  }

  /** Adds the negated terms one by one: skipped if already satisfied, forked into breaches, or left to ajv. */
  #addNegatedTerms(start: Draft): Expansion {
    let drafts: readonly Draft[] = [start]
    let narrowed = false
    for (let round = 0; round < 64; round++) {
      const settled = drafts.filter((draft) => draft.later.length === 0 && draft.todo.length === 0)
      const open = drafts.filter((draft) => !settled.includes(draft))
      if (open.length === 0) return { drafts: settled, narrowed }
      const next = this.#workOff(open.flatMap((draft) => this.#breach(draft)))
      narrowed ||= next.narrowed || next.drafts.length + settled.length > maxDrafts
      drafts = [...settled, ...next.drafts].slice(0, maxDrafts)
    }
    return { drafts: drafts.filter((draft) => draft.later.length === 0), narrowed: true }
  }

  #breach(draft: Draft): readonly Draft[] {
    const [task, ...rest] = draft.later
    if (task === undefined || task.term.kind === 'any') return [draft]
    draft.later = rest
    const { term } = task
    const positive = { term: this.book.negation(term), collectors: [] }
    const trial = forkDraft(draft)
    trial.later = []
    trial.todo = [positive]
    trial.seen = []
    if (!this.#somePositive(trial, 2)) return [draft]
    const breaches = this.#breachesOf(term)
    if (breaches === null || breaches.length > maxBreaches) {
      draft.residual = [...draft.residual, term]
      return [draft]
    }
    return breaches.flatMap((breach) => {
      const copy = forkDraft(draft)
      return breach(copy) ? [copy] : []
    })
  }

  #breachesOf(term: SchemaTerm): readonly Breach[] | null {
    if (typeof term.schema === 'boolean') return []
    const site = this.#site(term, [])
    const breaches: Breach[] = []
    for (const [name, value] of Object.entries(term.schema)) {
      const keyword = keywordOf(name)
      if (keyword === undefined) continue
      const found = keyword.refuse?.(value, site) ?? null
      if (found === null) return null
      breaches.push(...found)
    }
    return breaches
  }

  #somePositive(draft: Draft, depth: number): boolean {
    return this.#workOff([draft]).drafts.some((one) => !contradicts(one) && !this.#lacksChild(one, depth))
  }

  #lacksChild(draft: Draft, depth: number): boolean {
    if (depth <= 0 || draft.type !== 'object') return false
    return draft.required.some((name) => this.isDead(propertyTerms(draft, name), depth - 1))
  }

  #closed(draft: Draft): Draft {
    for (const collector of draft.collectors) {
      if (collector.kind === 'properties' && draft.type === 'object') closeProperties(draft, collector, this)
      if (collector.kind === 'items' && draft.type === 'array') closeItems(draft, collector, this)
    }
    return draft
  }
}

/** At most `count` elements of a list, evenly spaced. */
function evenly<T>(list: readonly T[], count: number): readonly T[] {
  if (list.length <= count) return list
  const every = list.length / count
  return list.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every))
}

function keywordOf(name: string): Keyword | undefined {
  return Object.hasOwn(keywordTable, name) ? keywordTable[name] : undefined
}
