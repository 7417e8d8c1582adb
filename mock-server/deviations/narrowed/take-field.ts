/**
 * Takes the change of one field out of a changed document, and leaves everything else as it was.
 * Apart from the edits of JSON because it compares two documents instead of editing one.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../spec/index.ts'

/** `faithful`, with the values of `altered` at the field of this name, for example `id` or `meta_data.section`. */
export function takeField(faithful: unknown, altered: unknown, field: string): unknown {
  return merged(faithful as Json, altered as Json, field, [])
}

function merged(faithful: Json, altered: Json, field: string, path: readonly string[]): Json {
  if (Array.isArray(faithful) && Array.isArray(altered) && faithful.length === altered.length)
    return faithful.map((item, index) => merged(item, altered[index] ?? null, field, path))
  if (isJsonObject(faithful) && isJsonObject(altered)) return mergedObject(faithful, altered, field, path)
  return faithful
}

function mergedObject(faithful: JsonObject, altered: JsonObject, field: string, path: readonly string[]): JsonObject {
  const entries = Object.entries(faithful).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const here = [...path, name]
    const isThere = Object.hasOwn(altered, name)
    if (names(here, field)) return isThere ? [[name, altered[name] ?? null]] : []
    return [[name, isThere ? merged(value, altered[name] ?? null, field, here) : value]]
  })
  return Object.fromEntries(entries)
}

/** The containers of a record that are not part of its field names. */
const containers: ReadonlySet<string> = new Set(['items', 'delta', 'sources', 'detail', 'meta_data_response_schema'])

function names(path: readonly string[], field: string): boolean {
  const inner = path.filter((name, index) => index === path.length - 1 || !containers.has(name))
  const name = inner.join('.')
  return name === field || name === `meta_data.${field}`
}
