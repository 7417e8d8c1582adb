/**
 * `meta_data` for an answer whose turn gives none: made from the assistant's own schema and checked against it.
 * What the sampler cannot make (a pattern, a `not`) is refused when the scenario is loaded, not when it is played.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { derive, drawsFrom, type Key, rootKey } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { Json, JsonObject } from './scenario.ts'

const words = ['general', 'question', 'summary', 'details', 'greeting', 'follow-up', 'comparison', 'definition']

/** A value of the schema, a function of the key alone. */
export function sampleMetaData(schema: JsonObject, key: Key): JsonObject {
  const value = sample(schema, key)
  return isObject(value) ? value : {}
}

/** Why this `meta_data` (or, when absent, a sampled one) does not fit the schema; `null` when it does. */
export function metaDataProblem(schema: JsonObject, given: JsonObject | undefined): string | null {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  let validate: ReturnType<typeof ajv.compile>
  try {
    validate = ajv.compile(schema)
  } catch (cause) {
    return `the schema of the assistant does not compile: ${String(cause)}`
  }
  const candidates = given === undefined ? [0, 1, 2, 3].map((seed) => sampleMetaData(schema, rootKey(seed))) : [given]
  for (const candidate of candidates) {
    if (validate(candidate)) continue
    const hint = given === undefined ? ' (write meta_data in the turn: none can be made from this schema)' : ''
    return `${ajv.errorsText(validate.errors, { dataVar: 'meta_data' })}${hint}`
  }
  return null
}

function sample(schema: Json | undefined, key: Key): Json {
  if (!isObject(schema)) return {}
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const pick = drawsFrom(key)
  const choices = schema.enum ?? schema.examples
  if (Array.isArray(choices) && choices.length > 0) return choices[Math.floor(pick() * choices.length)] ?? null
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return sample(alternatives[0], key)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type ?? (schema.properties === undefined ? 'string' : 'object')) {
    case 'boolean':
      return pick() < 0.5
    case 'integer':
      return Math.round(numberWithin(schema, pick()))
    case 'number':
      return Math.round(numberWithin(schema, pick()) * 1000) / 1000
    case 'null':
      return null
    case 'array':
      return sampleArray(schema, key)
    case 'object':
      return sampleObject(schema, key)
    default:
      return sampleText(schema, key, pick())
  }
}

function numberWithin(schema: JsonObject, draw: number): number {
  const least = typeof schema.minimum === 'number' ? schema.minimum : 0
  const most = typeof schema.maximum === 'number' ? schema.maximum : least + 100
  return least + draw * (most - least)
}

function sampleArray(schema: JsonObject, key: Key): Json {
  const least = typeof schema.minItems === 'number' ? schema.minItems : 1
  return Array.from({ length: least }, (_, index) => sample(schema.items, derive(key, 'item', index)))
}

function sampleObject(schema: JsonObject, key: Key): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sample(property, derive(key, name))]),
  )
}

function sampleText(schema: JsonObject, key: Key, draw: number): string {
  if (schema.format === 'uuid') return uuidOf(key)
  if (schema.format === 'date-time') return '2026-01-01T00:00:00.000000Z'
  const word = words[Math.floor(draw * words.length)] ?? 'general'
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  return word.padEnd(least, '-')
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
