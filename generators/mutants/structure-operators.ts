/**
 * Makes values of the wrong structure: missing or renamed keys, other JSON types, added lists.
 * The ids are those of the operator catalogue (N-DROP, N-NULL, …).
 */
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'
import { isJsonArray, typeOfJson } from '../json/json-value.ts'
import type { Proposal, ValueOperator } from './operator.ts'
import { keywordValues, type Site } from './sites.ts'

const drop: ValueOperator = {
  id: 'N-DROP',
  *propose(site) {
    for (const name of requiredNames(site)) {
      yield { ...missing(site, name), replacement: without(site.value as JsonObject, name) }
    }
  },
}

/** Renames a key to one that looks right to a person; not in another case, which common parsers accept (Go, ASP.NET Core). */
const rename: ValueOperator = {
  id: 'N-RENAME',
  *propose(site) {
    const object = site.value as JsonObject
    for (const name of requiredNames(site)) {
      for (const other of [name.replaceAll('_', '-'), `${name}\u00a0`, `_${name}`]) {
        if (Object.hasOwn(object, other)) continue
        const entries = Object.entries(object).map(([key, value]) => [key === name ? other : key, value] as const)
        yield { ...missing(site, name), replacement: Object.fromEntries(entries) }
      }
    }
  },
}

const emptyObject: ValueOperator = {
  id: 'N-EMPTYOBJ',
  *propose(site) {
    const names = requiredNames(site)
    const [only] = names
    if (only !== undefined && names.length === 1) yield { ...missing(site, only), replacement: {} }
  },
}

const nothing: ValueOperator = {
  id: 'N-NULL',
  *propose(site) {
    if (site.value !== null) yield* ofOtherType(site, [null])
  },
}

const otherType: ValueOperator = {
  id: 'N-TYPE',
  *propose(site) {
    if (site.pointer === '') return
    const samples = [true, 7, 1.5, 'text', [], {}].filter(
      (sample) => typeOfJson(sample) !== typeOfJson(site.value) && !(isJsonArray(sample) && isListedObject(site)),
    )
    yield* ofOtherType(site, samples)
    if (typeof site.value === 'number' || typeof site.value === 'boolean') yield* ofOtherType(site, [`${site.value}`])
  },
}

const listAround: ValueOperator = {
  id: 'N-ARR1',
  *propose(site) {
    if (site.pointer === '') return
    if (!isListedObject(site)) yield* ofOtherType(site, [[site.value]])
    if (isJsonArray(site.value) && site.value[0] !== undefined) yield* ofOtherType(site, [site.value[0]])
  },
}

/**
 * Whether the value is an object in a list. Common validators look into a list in its place for such objects, as into the outer
 * one (class-validator with `each`), so that what they accept there says little about other types.
 */
const isListedObject = ({ pointer, value }: Site): boolean => isJsonObject(value) && /\/\d+$/.test(pointer)

const otherRoot: ValueOperator = {
  id: 'N-ROOT',
  *propose(site) {
    if (site.pointer === '') yield* ofOtherType(site, [null, [], '', 0, true])
  },
}

const unknownKey: ValueOperator = {
  id: 'N-EXTRA',
  *propose(site) {
    if (!isJsonObject(site.value)) return
    const name = 'acs_unknown_field'
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (!keywordValues(site, keyword).includes(false)) continue
      yield {
        pointer: childPointer(site.pointer, name),
        keyword,
        class: 'extra',
        companions: ['maxProperties'],
        replacement: { ...site.value, [name]: 1 },
      }
    }
  },
}

/** All operators on structure. */
export const structureOperators: readonly ValueOperator[] = [
  drop,
  rename,
  emptyObject,
  nothing,
  otherType,
  listAround,
  otherRoot,
  unknownKey,
]

function requiredNames(site: Site): readonly string[] {
  const { value } = site
  if (!isJsonObject(value)) return []
  const names = keywordValues(site, 'required').filter(isJsonArray).flat()
  return [...new Set(names)].filter((name): name is string => typeof name === 'string' && Object.hasOwn(value, name))
}

function missing(site: Site, name: string): Omit<Proposal, 'replacement'> {
  return { pointer: childPointer(site.pointer, name), keyword: 'required', class: 'missing' }
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}

function* ofOtherType(site: Site, replacements: readonly Json[]): Generator<Proposal> {
  const keyword = ['type', 'const', 'enum'].find((name) => keywordValues(site, name).length > 0)
  if (keyword === undefined) return
  for (const replacement of replacements) {
    yield { pointer: site.pointer, keyword, class: 'type', companions: ['type', 'const', 'enum'], replacement }
  }
}
