/**
 * JSON values as plain data, and the few questions that every generator asks of them.
 * Equality is the one of JSON Schema: by value, numbers mathematically, keys in any order.
 */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type JsonType = (typeof jsonTypes)[number]

/** The JSON type of a value; an integer is a `number`. */
export function typeOfJson(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/** Whether a value is a JSON object (neither null nor an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON array. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** One text for each JSON value, whatever the order of its keys: equal texts mean equal values. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(Object.is(value, -0) ? 0 : value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

/** Whether two JSON values are equal in the sense of JSON Schema. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

/** How many code points a string has: the length that JSON Schema counts. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** An object from entries, in which `__proto__` is a key like any other. */
export function objectOf(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(entries)
}
