/** Handles the keywords for values of every type: `type`, `enum` and `const`. */
import type { Json } from '../../../spec/index.ts'
import { isJsonArray, type JsonType, jsonEquals, jsonTypes, typeOfJson } from '../../json/json-value.ts'
import type { Draft } from '../draft.ts'
import type { Breach, KeywordTable } from './keyword.ts'

export const anyTypeKeywords: KeywordTable = {
  type: {
    demand: (draft, value) => {
      const names = typeNames(value)
      if (draft.type === 'number' && !names.includes('number')) {
        if (names.includes('integer')) draft.integer = true
        else draft.dead = true
      } else if (!names.includes(draft.type)) draft.dead = true
      return undefined
    },
    refuse: (value) => {
      const names = typeNames(value)
      const others = jsonTypes.filter((type) => !names.includes(type))
      return others.map((type) => (draft: Draft) => {
        if (draft.type !== type) return false
        if (type === 'number' && names.includes('integer')) draft.fraction = true
        return true
      })
    },
  },
  enum: {
    demand: (draft, value) => {
      keepValues(draft, isJsonArray(value) ? value : [])
      return undefined
    },
    refuse: (value) => [excluding(isJsonArray(value) ? value : [])],
  },
  const: {
    demand: (draft, value) => {
      keepValues(draft, [value])
      return undefined
    },
    refuse: (value) => [excluding([value])],
  },
}

function typeNames(value: Json): readonly (JsonType | 'integer')[] {
  return (isJsonArray(value) ? value : [value]) as readonly (JsonType | 'integer')[]
}

function keepValues(draft: Draft, values: readonly Json[]): void {
  const fitting = values.filter((value) => typeOfJson(value) === draft.type)
  draft.values =
    draft.values?.filter((known) => fitting.some((value) => jsonEquals(known, value))) ??
    fitting.filter((value, at) => fitting.findIndex((other) => jsonEquals(value, other)) === at)
}

function excluding(values: readonly Json[]): Breach {
  return (draft) => {
    draft.excluded = [...draft.excluded, ...values.filter((value) => typeOfJson(value) === draft.type)]
    return true
  }
}
