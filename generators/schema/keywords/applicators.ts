/**
 * Handles keywords that apply other schemas to the same value.
 * These are references, allOf, anyOf, oneOf, not, if and dependentSchemas.
 */
import { isJsonObject, type Json } from '../../../spec/index.ts'
import { isJsonArray } from '../../json/json-value.ts'
import { type Draft, forkDraft } from '../draft.ts'
import type { Term } from '../term.ts'
import type { asSchema, Breach, Keyword, KeywordSite, KeywordTable } from './keyword.ts'

export const applicatorKeywords: KeywordTable = {
  $ref: reference((value, site) => {
    const { documents } = site.book
    return documents.resolve(value, documents.placeOf(site.schema).base)
  }),
  $dynamicRef: reference((value, site) => {
    const { documents } = site.book
    return documents.resolveDynamic(value, documents.placeOf(site.schema).base, site.term.scope)
  }),
  allOf: {
    demand: (draft, value, site) => {
      for (const branch of branches(value)) queue(draft, site, site.sub(branch))
      return undefined
    },
    refuse: (value, site) => branches(value).map((branch) => queueing(site, site.sub(branch, true))),
  },
  anyOf: {
    demand: (draft, value, site) => branches(value).map((branch) => forked(draft, site, [site.sub(branch)])),
    refuse: (value, site) => [queueing(site, ...branches(value).map((branch) => site.sub(branch, true)))],
  },
  oneOf: {
    demand: (draft, value, site) =>
      branches(value).map((branch, at) => {
        const others = branches(value).filter((_, other) => other !== at)
        return forked(draft, site, [site.sub(branch), ...others.map((other) => site.sub(other, true))])
      }),
    refuse: (value, site) => {
      const list = branches(value)
      const pairs = list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other] as const))
      return [
        queueing(site, ...list.map((branch) => site.sub(branch, true))),
        ...pairs.map(([one, other]) => queueing(site, site.sub(one), site.sub(other))),
      ]
    },
  },
  not: {
    demand: (draft, value, site) => {
      queue(draft, site, site.sub(value, true))
      return undefined
    },
    refuse: (value, site) => [queueing(site, site.sub(value))],
  },
  if: {
    demand: (draft, value, site) => {
      const { then = true, else: otherwise = true } = site.schema
      return [
        forked(draft, site, [site.sub(value), site.sub(then)]),
        forked(draft, site, [site.sub(value, true), site.sub(otherwise)]),
      ]
    },
    refuse: (value, site) => {
      const { then = true, else: otherwise = true } = site.schema
      return [
        queueing(site, site.sub(value), site.sub(then, true)),
        queueing(site, site.sub(value, true), site.sub(otherwise, true)),
      ]
    },
  },
  dependentSchemas: {
    demand: (draft, value, site) => {
      if (draft.type !== 'object') return undefined
      return Object.entries(isJsonObject(value) ? value : {}).reduce<readonly Draft[]>(
        (drafts, [name, schema]) => drafts.flatMap((one) => withOrWithout(one, site, name, site.sub(schema))),
        [draft],
      )
    },
    refuse: (value, site) =>
      Object.entries(isJsonObject(value) ? value : {}).map(([name, schema]) => (draft) => {
        draft.required = [...draft.required, name]
        queue(draft, site, site.sub(schema, true))
        return draft.type === 'object'
      }),
  },
}

function reference(resolve: (value: string, site: KeywordSite) => ReturnType<typeof asSchema> | null): Keyword {
  return {
    demand: (draft, value, site) => {
      const target = resolve(String(value), site)
      if (target !== null) queue(draft, site, site.sub(target))
      return undefined
    },
    refuse: (value, site) => {
      const target = resolve(String(value), site)
      return target === null ? null : [queueing(site, site.sub(target, true))]
    },
  }
}

/** Negated terms evaluate nothing, so no collector watches them. */
function queue(draft: Draft, site: KeywordSite, term: Term): void {
  const collectors = term.kind === 'schema' && term.negated ? [] : site.collectors
  draft.todo = [...draft.todo, { term, collectors }]
}

function queueing(site: KeywordSite, ...terms: readonly Term[]): Breach {
  return (draft) => {
    for (const term of terms) queue(draft, { ...site, collectors: [] }, term)
    return true
  }
}

function forked(draft: Draft, site: KeywordSite, terms: readonly Term[]): Draft {
  const copy = forkDraft(draft)
  for (const term of terms) queue(copy, site, term)
  return copy
}

function withOrWithout(draft: Draft, site: KeywordSite, name: string, term: Term): readonly Draft[] {
  const absent = forkDraft(draft)
  absent.forbidden = [...absent.forbidden, name]
  const present = forked(draft, site, [term])
  present.required = [...present.required, name]
  return [absent, present]
}

function branches(value: Json): readonly Json[] {
  return isJsonArray(value) ? value : []
}
