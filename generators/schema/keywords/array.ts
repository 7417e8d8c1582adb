/** Handles the keywords of arrays: positions, contents, counts, uniqueness, unevaluated items. */
import type { Json } from '../../../spec/index.ts'
import { isJsonArray } from '../../json/json-value.ts'
import type { Collector, Draft } from '../draft.ts'
import type { Keyword, KeywordSite, KeywordTable } from './keyword.ts'

export const arrayKeywords: KeywordTable = {
  prefixItems: {
    demand: (draft, value, site) => {
      if (draft.type !== 'array') return undefined
      const list = isJsonArray(value) ? value : []
      const rest = site.schema.items
      draft.items = [
        ...draft.items,
        { prefix: list.map((item) => site.sub(item)), rest: rest === undefined ? null : site.sub(rest) },
      ]
      note(draft, site, (seen) => ({ ...seen, prefix: Math.max(seen.prefix, list.length) }))
      return undefined
    },
    refuse: (value, site) =>
      (isJsonArray(value) ? value : []).map((item, index) => (draft) => {
        draft.minItems = Math.max(draft.minItems, index + 1)
        const blank = Array.from({ length: index }, () => site.book.term(true, null))
        draft.items = [...draft.items, { prefix: [...blank, site.sub(item, true)], rest: null }]
        return draft.type === 'array'
      }),
  },
  items: {
    demand: (draft, value, site) => {
      if (draft.type !== 'array') return undefined
      if (site.schema.prefixItems === undefined) {
        draft.items = [...draft.items, { prefix: [], rest: site.sub(value) }]
      }
      note(draft, site, (seen) => ({ ...seen, everything: true }))
      return undefined
    },
    refuse: (value, site) => [
      (draft) => {
        const prefix = site.schema.prefixItems
        const start = isJsonArray(prefix) ? prefix.length : 0
        const blank = Array.from({ length: start }, () => site.book.term(true, null))
        draft.minItems = Math.max(draft.minItems, start + 1)
        draft.items = [...draft.items, { prefix: [...blank, site.sub(value, true)], rest: null }]
        return draft.type === 'array'
      },
    ],
  },
  contains: {
    demand: (draft, value, site) => {
      if (draft.type !== 'array') return undefined
      const term = site.sub(value)
      draft.contains = [...draft.contains, { term, min: minContains(site), max: maxContains(site) }]
      note(draft, site, (seen) => ({ ...seen, contains: [...seen.contains, term] }))
      return undefined
    },
    refuse: (value, site) => {
      const term = site.sub(value)
      const breaches: ((draft: Draft) => boolean)[] = []
      const min = minContains(site)
      const max = maxContains(site)
      if (min > 0) breaches.push(containing({ term, min: 0, max: min - 1 }))
      if (max < Number.POSITIVE_INFINITY) {
        breaches.push(containing({ term, min: max + 1, max: Number.POSITIVE_INFINITY }))
      }
      return breaches
    },
  },
  minItems: counted(
    (draft, limit) => {
      draft.minItems = Math.max(draft.minItems, limit)
    },
    (draft, limit) => {
      draft.maxItems = Math.min(draft.maxItems, limit - 1)
    },
  ),
  maxItems: counted(
    (draft, limit) => {
      draft.maxItems = Math.min(draft.maxItems, limit)
    },
    (draft, limit) => {
      draft.minItems = Math.max(draft.minItems, limit + 1)
    },
  ),
  uniqueItems: {
    demand: (draft, value) => {
      if (value === true) draft.unique = true
      return undefined
    },
    refuse: (value) => [
      (draft) => {
        draft.duplicate = true
        draft.minItems = Math.max(2, draft.minItems)
        return draft.type === 'array' && value === true
      },
    ],
  },
  unevaluatedItems: {
    demand: (draft, _value, site) => {
      if (draft.type === 'array') note(draft, site, (seen) => ({ ...seen, everything: true }))
      return undefined
    },
    refuse: () => null,
  },
}

/** Turns a collector into an ordinary rule for the unevaluated items. */
export function closeItems(draft: Draft, collector: Collector, site: Pick<KeywordSite, 'book'>): void {
  if (collector.everything) return
  const blank = Array.from({ length: collector.prefix }, () => site.book.term(true, null))
  draft.items = [...draft.items, { prefix: blank, rest: site.book.any([...collector.contains, collector.term]) }]
}

function containing(rule: Draft['contains'][number]): (draft: Draft) => boolean {
  return (draft) => {
    draft.contains = [...draft.contains, rule]
    return draft.type === 'array'
  }
}

function counted(
  demand: (draft: Draft, limit: number) => void,
  refuse: (draft: Draft, limit: number) => void,
): Keyword {
  return {
    demand: (draft, value) => {
      if (draft.type === 'array' && typeof value === 'number') demand(draft, value)
      return undefined
    },
    refuse: (value) => [
      (draft) => {
        if (typeof value === 'number') refuse(draft, value)
        return draft.type === 'array'
      },
    ],
  }
}

function note(draft: Draft, site: KeywordSite, see: (seen: Collector) => Collector): void {
  draft.collectors = draft.collectors.map((seen) =>
    seen.kind === 'items' && site.collectors.includes(seen.id) ? see(seen) : seen,
  )
}

function minContains({ schema }: KeywordSite): number {
  return numberOr(schema.minContains, 1)
}

function maxContains({ schema }: KeywordSite): number {
  return numberOr(schema.maxContains, Number.POSITIVE_INFINITY)
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
