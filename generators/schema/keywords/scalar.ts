/** Handles the keywords of numbers and strings: bounds, steps, lengths, patterns, formats. */
import type { Json } from '../../../spec/index.ts'
import type { JsonType } from '../../json/json-value.ts'
import type { Draft } from '../draft.ts'
import type { Breach, Keyword, KeywordTable } from './keyword.ts'

export const scalarKeywords: KeywordTable = {
  minimum: bound('number', raise('minimum'), lower('below')),
  maximum: bound('number', lower('maximum'), raise('above')),
  exclusiveMinimum: bound('number', raise('above'), lower('maximum')),
  exclusiveMaximum: bound('number', lower('below'), raise('minimum')),
  multipleOf: bound(
    'number',
    (draft, step) => {
      draft.multiples = [...draft.multiples, step]
    },
    (draft, step) => {
      draft.notMultiples = [...draft.notMultiples, step]
    },
  ),
  minLength: bound('string', raise('minLength'), (draft, limit) => lower('maxLength')(draft, limit - 1)),
  maxLength: bound('string', lower('maxLength'), (draft, limit) => raise('minLength')(draft, limit + 1)),
  pattern: text(
    (draft, pattern) => {
      draft.patterns = [...draft.patterns, pattern]
    },
    (draft, pattern) => {
      draft.notPatterns = [...draft.notPatterns, pattern]
    },
  ),
  format: {
    demand: (draft, value, site) => {
      if (site.assertFormats && draft.type === 'string') draft.formats = [...draft.formats, String(value)]
      return undefined
    },
    refuse: (value, site) => {
      if (!site.assertFormats) return []
      return [
        (draft) => {
          draft.notFormats = [...draft.notFormats, String(value)]
          return draft.type === 'string'
        },
      ]
    },
  },
}

type Edit<T> = (draft: Draft, value: T) => void
type Limit = 'minimum' | 'maximum' | 'above' | 'below' | 'minLength' | 'maxLength'

function raise(limit: Limit): Edit<number> {
  return (draft, value) => {
    draft[limit] = Math.max(draft[limit], value)
  }
}

function lower(limit: Limit): Edit<number> {
  return (draft, value) => {
    draft[limit] = Math.min(draft[limit], value)
  }
}

function bound(type: JsonType, demand: Edit<number>, refuse: Edit<number>): Keyword {
  return typed(type, (value) => (typeof value === 'number' ? value : null), demand, refuse)
}

function text(demand: Edit<string>, refuse: Edit<string>): Keyword {
  return typed('string', (value) => (typeof value === 'string' ? value : null), demand, refuse)
}

function typed<T>(type: JsonType, read: (value: Json) => T | null, demand: Edit<T>, refuse: Edit<T>): Keyword {
  return {
    demand: (draft, value) => {
      const known = read(value)
      if (draft.type === type && known !== null) demand(draft, known)
      return undefined
    },
    refuse: (value) => {
      const known = read(value)
      if (known === null) return []
      const breach: Breach = (draft) => {
        if (draft.type === type) refuse(draft, known)
        return draft.type === type
      }
      return [breach]
    },
  }
}
