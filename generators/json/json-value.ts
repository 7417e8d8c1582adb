/**
 * Answers the questions about JSON values that every generator asks.
 * Equality is that of JSON Schema: by value, numbers mathematically, keys in any order.
 */
import { canonicalJson, type Json } from '../../spec/index.ts'

export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type JsonType = (typeof jsonTypes)[number]

/** The JSON type of a value; an integer is a `number`. */
export function typeOfJson(value: Json): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/** True for a JSON array. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** True if two JSON values are equal in the sense of JSON Schema. */
export function jsonEquals(left: Json, right: Json): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

/** The number of code points in a string, which is the length that JSON Schema counts. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
