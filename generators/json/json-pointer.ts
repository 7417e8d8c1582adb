/**
 * Reads and replaces values at JSON pointers (RFC 6901), without changing the original.
 * Copies share everything off the path, because mutants are made by the million.
 */
import { isJsonObject, type Json } from '../../spec/index.ts'
import { isJsonArray } from './json-value.ts'

/** The pointer of a child. */
export function childPointer(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The unescaped segments of a pointer; the empty pointer has none. */
function pointerSegments(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer, or `undefined`. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const segment of pointerSegments(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[segment]
  }
  return value
}

/** A copy of `root` with `replacement` at `pointer`; `undefined` removes the place. */
export function withValueAt(root: Json, pointer: string, replacement: Json | undefined): Json {
  return replaceIn(root, pointerSegments(pointer), replacement) ?? null
}

function replaceIn(value: Json, segments: readonly string[], replacement: Json | undefined): Json | undefined {
  const [head, ...rest] = segments
  if (head === undefined) return replacement
  if (isJsonArray(value)) {
    const index = Number(head)
    const changed = replaceIn(value[index] ?? null, rest, replacement)
    return changed === undefined
      ? value.filter((_, at) => at !== index)
      : value.map((item, at) => (at === index ? changed : item))
  }
  if (!isJsonObject(value)) return value
  const changed = replaceIn(value[head] ?? null, rest, replacement)
  const entries = Object.entries(value).filter(([key]) => key !== head || changed !== undefined)
  if (changed === undefined) return Object.fromEntries(entries)
  const known = Object.hasOwn(value, head)
  return Object.fromEntries(
    known ? entries.map(([key, item]) => [key, key === head ? changed : item]) : [...entries, [head, changed]],
  )
}
