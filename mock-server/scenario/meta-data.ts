/**
 * `meta_data` for an answer whose turn gives none: made from the assistant's own schema. A schema that the sampler does
 * not support (a pattern, a `not`) is refused by check-scenario.ts before it is played.
 */
import { derive, drawsFrom, type Key } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { Json, JsonObject } from './scenario.ts'

const words = ['general', 'question', 'summary', 'details', 'greeting', 'follow-up', 'comparison', 'definition']

/** A value of the schema, a function of the key alone. */
export function sampleMetaData(schema: JsonObject, key: Key): JsonObject {
  const value = sample(schema, key)
  return isObject(value) ? value : {}
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

/** Whether a value of a schema, or of what it describes, is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
