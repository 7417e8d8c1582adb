/** Handles the keywords of objects: properties, required and dependent ones, counts, names, unevaluated properties. */
import { isJsonObject, type Json } from '../../../spec/index.ts'
import { isJsonArray } from '../../json/json-value.ts'
import type { Collector, Draft, PropertyRule } from '../draft.ts'
import type { Term } from '../term.ts'
import type { Breach, Keyword, KeywordSite, KeywordTable } from './keyword.ts'

/** These keywords of one schema make one rule; the first that is present adds it. */
const ruleKeywords = ['properties', 'patternProperties', 'additionalProperties'] as const

export const objectKeywords: KeywordTable = {
  properties: partOfRule((value, site) =>
    Object.entries(isJsonObject(value) ? value : {}).map(([name, schema]) => (draft) => {
      draft.required = [...draft.required, name]
      return adding(draft, { named: new Map([[name, site.sub(schema, true)]]), patterned: [], rest: null })
    }),
  ),
  patternProperties: partOfRule((value, site) =>
    Object.entries(isJsonObject(value) ? value : {}).map(([pattern, schema]) => (draft) => {
      const others: PropertyRule = { named: new Map(), patterned: [], rest: null }
      draft.violating = [...draft.violating, { besides: others, term: site.sub(schema, true), matching: pattern }]
      return draft.type === 'object'
    }),
  ),
  additionalProperties: partOfRule((value, site) => [
    (draft) => {
      draft.violating = [...draft.violating, { besides: ruleOf(site), term: site.sub(value, true), matching: null }]
      return draft.type === 'object'
    },
  ]),
  required: {
    demand: (draft, value) => {
      if (draft.type === 'object') draft.required = [...draft.required, ...stringsOf(value)]
      return undefined
    },
    refuse: (value) => stringsOf(value).map((name) => forbidding(name)),
  },
  dependentRequired: {
    demand: (draft, value) => {
      for (const [name, needed] of Object.entries(isJsonObject(value) ? value : {})) {
        draft.dependent = [...draft.dependent, [name, stringsOf(needed)]]
      }
      return undefined
    },
    refuse: (value) =>
      Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, needed]) =>
        stringsOf(needed).map(
          (other): Breach =>
            (draft) => {
              draft.required = [...draft.required, name]
              return forbidding(other)(draft)
            },
        ),
      ),
  },
  minProperties: counted(
    (draft, limit) => {
      draft.minProperties = Math.max(draft.minProperties, limit)
    },
    (draft, limit) => {
      draft.maxProperties = Math.min(draft.maxProperties, limit - 1)
    },
  ),
  maxProperties: counted(
    (draft, limit) => {
      draft.maxProperties = Math.min(draft.maxProperties, limit)
    },
    (draft, limit) => {
      draft.minProperties = Math.max(draft.minProperties, limit + 1)
    },
  ),
  propertyNames: {
    demand: (draft, value, site) => {
      if (draft.type === 'object') draft.names = [...draft.names, site.sub(value)]
      return undefined
    },
    refuse: () => null,
  },
  unevaluatedProperties: {
    demand: (draft, _value, site) => {
      if (draft.type === 'object') note(draft, site, (seen) => ({ ...seen, everything: true }))
      return undefined
    },
    refuse: () => null,
  },
}

/** Turns a collector into an ordinary rule for the unevaluated properties. */
export function closeProperties(draft: Draft, collector: Collector, { book }: Pick<KeywordSite, 'book'>): void {
  if (collector.everything) return
  const anything = book.term(true, null)
  const named = new Map<string, Term>(collector.names.map((name) => [name, anything]))
  const patterned = collector.patterns.map((pattern) => [pattern, anything] as const)
  adding(draft, { named, patterned, rest: collector.term })
}

function partOfRule(refuse: NonNullable<Keyword['refuse']>): Keyword {
  return {
    demand: (draft, value, site) => {
      if (draft.type !== 'object') return undefined
      const first = ruleKeywords.find((keyword) => site.schema[keyword] !== undefined)
      // The three keywords are read together, so only the first one in the schema adds the rule.
      if (first !== undefined && site.schema[first] === value) addRule(draft, site)
      return undefined
    },
    refuse,
  }
}

function addRule(draft: Draft, site: KeywordSite): void {
  const rule = ruleOf(site)
  const { properties, patternProperties, additionalProperties } = site.schema
  adding(draft, { ...rule, rest: additionalProperties === undefined ? null : site.sub(additionalProperties) })
  note(draft, site, (seen) => ({
    ...seen,
    names: [...seen.names, ...Object.keys(isJsonObject(properties) ? properties : {})],
    patterns: [
      ...seen.patterns,
      ...Object.keys(isJsonObject(patternProperties) ? patternProperties : {}).map(patternOf),
    ],
    everything: seen.everything || additionalProperties !== undefined,
  }))
}

function ruleOf(site: KeywordSite): PropertyRule {
  const { properties, patternProperties } = site.schema
  const named = Object.entries(isJsonObject(properties) ? properties : {})
  const patterned = Object.entries(isJsonObject(patternProperties) ? patternProperties : {})
  return {
    named: new Map(named.map(([name, schema]) => [name, site.sub(schema)])),
    patterned: patterned.map(([pattern, schema]) => [patternOf(pattern), site.sub(schema)]),
    rest: null,
  }
}

function adding(draft: Draft, rule: PropertyRule): boolean {
  draft.properties = [...draft.properties, rule]
  return draft.type === 'object'
}

function forbidding(name: string): Breach {
  return (draft) => {
    draft.forbidden = [...draft.forbidden, name]
    return draft.type === 'object'
  }
}

function counted(
  demand: (draft: Draft, limit: number) => void,
  refuse: (draft: Draft, limit: number) => void,
): Keyword {
  return {
    demand: (draft, value) => {
      if (draft.type === 'object' && typeof value === 'number') demand(draft, value)
      return undefined
    },
    refuse: (value) => [
      (draft) => {
        if (typeof value === 'number') refuse(draft, value)
        return draft.type === 'object'
      },
    ],
  }
}

function note(draft: Draft, site: KeywordSite, see: (seen: Collector) => Collector): void {
  draft.collectors = draft.collectors.map((seen) =>
    seen.kind === 'properties' && site.collectors.includes(seen.id) ? see(seen) : seen,
  )
}

function stringsOf(value: Json): readonly string[] {
  return isJsonArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function patternOf(pattern: string): RegExp {
  return new RegExp(pattern, 'u')
}
