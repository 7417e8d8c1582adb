/**
 * Small edits of JSON by path: `at('api_keys.*.id', change)`. A change that gives `undefined` takes the field away.
 * Deviations are mostly one such edit, and read as one.
 */
import type { Json, JsonObject } from '../scenario/scenario.ts'

export type Change = (value: Json) => Json | undefined
export type Edit = (json: Json) => Json

/** Changes whatever stands at a path; `*` is every entry of an array. A path that is not there is left alone. */
export function editAt(path: string, change: Change): Edit {
  const segments = path.split('.')
  return (json) => changed(json, segments, change) ?? null
}

/** Takes the field away. */
export const dropField: Change = () => undefined

/** Puts a value in place of another. */
export const replaceWith =
  (value: Json): Change =>
  () =>
    value

/** A list as many times, one behind the other. */
export const repeated =
  (times: number): Change =>
  (list) =>
    Array.isArray(list) ? Array.from({ length: times }, () => list).flat() : list

/** Edits the text at a path. */
export function editTextAt(path: string, change: (text: string) => Json | undefined): Edit {
  return editAt(path, (value) => (typeof value === 'string' ? change(value) : value))
}

/** Gives a field another name. */
export function renameField(path: string, name: string): Edit {
  const holder = path.split('.').slice(0, -1)
  const field = path.slice(path.lastIndexOf('.') + 1)
  const rename: Change = (value) => {
    if (!isObject(value) || !Object.hasOwn(value, field)) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key === field ? name : key, entry]))
  }
  return (json) => (holder.length === 0 ? rename(json) : changed(json, holder, rename)) ?? null
}

/** Adds or overwrites fields of an object. */
export function withFields(fields: JsonObject): Edit {
  return (json) => (isObject(json) ? { ...json, ...fields } : json)
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function changed(value: Json, segments: readonly string[], change: Change): Json | undefined {
  const [segment, ...rest] = segments
  if (segment === undefined) return change(value)
  if (segment === '*') {
    if (!Array.isArray(value)) return value
    return value.map((entry: Json) => changed(entry, rest, change)).filter((entry) => entry !== undefined)
  }
  if (!isObject(value) || !Object.hasOwn(value, segment)) return value
  const { [segment]: old = null, ...others } = value
  const fresh = changed(old, rest, change)
  if (fresh === undefined) return others
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, key === segment ? fresh : entry]))
}
