/**
 * Makes wrong values of the right JSON type.
 * Examples: one step outside a bound, a near miss of an enum, a damaged UUID, a character that a pattern forbids.
 */
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import { codePointLength, isJsonArray } from '../json/json-value.ts'
import type { FaultClass } from './mutant.ts'
import type { Proposal, ValueOperator } from './operator.ts'
import { keywordValues, type Site } from './sites.ts'

/** Keywords that a changed text may violate together. */
const textKeywords = ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const']
const choiceKeywords = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'type']

const enumeration: ValueOperator = {
  id: 'N-ENUM',
  *propose(site) {
    const keyword = ['enum', 'const'].find((name) => keywordValues(site, name).length > 0)
    if (keyword === undefined || typeof site.value !== 'string') return
    for (const text of nearMisses(site.value)) {
      yield { ...fault(site, keyword, 'enum', text), companions: choiceKeywords }
    }
  },
}

const uuid: ValueOperator = {
  id: 'N-UUID',
  *propose(site) {
    const { value } = site
    if (typeof value !== 'string' || !keywordValues(site, 'format').includes('uuid')) return
    for (const text of damagedUuids(value)) {
      yield { ...fault(site, 'format', 'parse', text), companions: textKeywords }
    }
  },
}

const format: ValueOperator = {
  id: 'N-FORMAT',
  *propose(site) {
    if (typeof site.value !== 'string') return
    for (const name of keywordValues(site, 'format')) {
      if (name === 'uuid') continue
      for (const text of [`not a ${String(name)}`, `${site.value} `, '%%%']) {
        yield { ...fault(site, 'format', 'parse', text), companions: textKeywords }
      }
    }
  },
}

const length: ValueOperator = {
  id: 'N-LENGTH',
  *propose(site) {
    const text = site.value
    if (typeof text !== 'string') return
    for (const limit of numbers(site, 'minLength')) {
      if (limit < 1) continue
      const shorter = [...text].slice(0, limit - 1).join('')
      yield { ...fault(site, 'minLength', 'bound', shorter), companions: textKeywords }
    }
    for (const limit of numbers(site, 'maxLength')) {
      const last = [...text].at(-1) ?? 'a'
      const longer = text + last.repeat(Math.max(0, limit + 1 - codePointLength(text)))
      yield { ...fault(site, 'maxLength', 'bound', longer), companions: ['format'] }
    }
  },
}

const pattern: ValueOperator = {
  id: 'N-PATTERN',
  *propose(site) {
    const text = site.value
    if (typeof text !== 'string') return
    if (keywordValues(site, 'pattern').length === 0) return
    const half = Math.floor(text.length / 2)
    const spoilt = [...' ,;/+^é\u0000'].flatMap((bad) => [
      `${bad}${text.slice(1)}`,
      `${text.slice(0, half)}${bad}${text.slice(half + 1)}`,
      `${text.slice(0, -1)}${bad}`,
    ])
    for (const replacement of new Set([...spoilt, `${text}\n`, `\n${text}`, `x\n${text}\nx`])) {
      yield { ...fault(site, 'pattern', 'pattern', replacement), companions: textKeywords }
    }
  },
}

const range: ValueOperator = {
  id: 'N-RANGE',
  *propose(site) {
    if (typeof site.value !== 'number') return
    const beyond = [
      ['minimum', -1],
      ['exclusiveMinimum', 0],
      ['maximum', 1],
      ['exclusiveMaximum', 0],
    ] as const
    for (const [keyword, step] of beyond) {
      for (const limit of numbers(site, keyword)) yield fault(site, keyword, 'bound', limit + step)
    }
  },
}

const items: ValueOperator = {
  id: 'N-ITEMS',
  *propose(site) {
    const list = site.value
    if (!isJsonArray(list)) return
    for (const limit of numbers(site, 'minItems')) {
      if (limit > 0) yield { ...fault(site, 'minItems', 'bound', list.slice(0, limit - 1)), companions: ['contains'] }
    }
  },
}

/** Removes what a list must contain, or gives the matching items another constant. */
const contains: ValueOperator = {
  id: 'N-CONTAINS',
  *propose(site) {
    const list = site.value
    if (!isJsonArray(list)) return
    for (const wanted of keywordValues(site, 'contains').filter(isJsonObject)) {
      const constants = constantsOf(wanted)
      const witness = (item: Json) => hasConstants(item, constants)
      const others = list.filter((item) => !witness(item))
      yield fault(site, 'contains', 'bound', others)
      yield { ...fault(site, 'contains', 'bound', []), companions: ['minItems'] }
      for (const key of Object.keys(constants)) {
        for (const other of ['assistant', 'system', 'other']) {
          const swapped = list.map((item) => (witness(item) ? { ...(item as JsonObject), [key]: other } : item))
          yield fault(site, 'contains', 'bound', swapped)
        }
      }
    }
  },
}

/** All operators on values. */
export const valueOperators: readonly ValueOperator[] = [
  enumeration,
  uuid,
  format,
  length,
  pattern,
  range,
  items,
  contains,
]

/** Damaged forms of a UUID that no parser accepts. */
export function damagedUuids(text: string): readonly string[] {
  return [`g${text.slice(1)}`, text.slice(0, -1), `${text}0`, `${text.slice(0, -3)}zzz`, `${text} `, '', 'undefined']
}

function nearMisses(text: string): readonly string[] {
  const homoglyphs = text.replace(/[aeo]/u, (letter) => ({ a: 'а', e: 'е', o: 'о' })[letter] ?? letter)
  return [text.toUpperCase(), `${text}s`, text.slice(0, -1), ` ${text}`, homoglyphs, '0', ''].filter(
    (other) => other !== text,
  )
}

function numbers(site: Site, keyword: string): readonly number[] {
  return keywordValues(site, keyword).filter((value): value is number => typeof value === 'number')
}

function fault(site: Site, keyword: string, kind: FaultClass, replacement: Json): Proposal {
  return { pointer: site.pointer, keyword, class: kind, replacement }
}

function constantsOf(wanted: JsonObject): JsonObject {
  const properties = wanted.properties
  if (!isJsonObject(properties)) return {}
  const constants = Object.entries(properties).flatMap(([name, schema]) =>
    isJsonObject(schema) && schema.const !== undefined ? [[name, schema.const] as const] : [],
  )
  return Object.fromEntries(constants)
}

function hasConstants(item: Json, constants: JsonObject): boolean {
  return isJsonObject(item) && Object.entries(constants).every(([name, value]) => item[name] === value)
}
