/**
 * Reads untrusted JSON values: it assumes nothing about shapes, prototypes or depth.
 */
import { textChange } from './text-change.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** An object, neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The own field of an object, or `undefined`. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The own field when it is a string. */
export function textField(value: unknown, name: string): string | null {
  const found = fieldOf(value, name)
  return typeof found === 'string' ? found : null
}

export const hasField = (value: unknown, name: string): boolean => isObject(value) && Object.hasOwn(value, name)

/** A value in one word for a report: `missing`, `null`, `an array`, `"text"`, `12`. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? quoted(value) : String(value)
}

/** Two values that differ, in words. Long texts are cut around the difference: their beginnings may be the same. */
export function namesOf(left: unknown, right: unknown): readonly [left: string, right: string] {
  if (typeof left !== 'string' || typeof right !== 'string') return [nameOf(left), nameOf(right)]
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  const from = at < 60 ? 0 : at - 30
  const change = textChange(left, right)
  return [quoted(left, from), `${quoted(right, from)}${change === null ? '' : `, ${change}`}`]
}

/** A string in quotation marks, without what is before `from`, and cut so that a report stays readable. */
export function quoted(text: string, from = 0): string {
  const rest = text.slice(from)
  const cut = rest.length > 80 ? `${rest.slice(0, 77)}…` : rest
  return JSON.stringify(
    from === 0 && cut === text ? text : `${from === 0 ? '' : '…'}${cut.replace(/\p{Surrogate}/gu, '')}`,
  )
}

/** Every value that a JSON pointer with `*` for "each element" reaches. */
export function valuesAt(value: unknown, pointer: string): readonly unknown[] {
  const found: unknown[] = []
  collect(value, segmentsOf(pointer), 0, found)
  return found
}

function collect(value: unknown, segments: readonly string[], depth: number, found: unknown[]): void {
  const segment = segments[depth]
  if (segment === undefined) found.push(value)
  else if (typeof value !== 'object' || value === null) return
  else if (segment === '*') for (const child of Object.values(value)) collect(child, segments, depth + 1, found)
  else if (Object.hasOwn(value, segment)) collect((value as JsonObject)[segment], segments, depth + 1, found)
}

const parsed = new Map<string, readonly string[]>()

/** The segments of a pointer, read once: the few pointers of a profile are asked for with every message. */
function segmentsOf(pointer: string): readonly string[] {
  const known = parsed.get(pointer)
  if (known !== undefined) return known
  const segments = pointer.split('/').slice(1)
  const plain = segments.map((raw) => raw.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (parsed.size < 100) parsed.set(pointer, plain)
  return plain
}

/** Equality of JSON values without regard to the order of keys; below 60 levels values count as equal. */
export function sameJson(left: unknown, right: unknown, levels = 60): boolean {
  if (Object.is(left, right) || levels === 0) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => sameJson(one, right[index], levels - 1))
  }
  if (!isObject(left) || !isObject(right)) return typeof left === 'number' && left === right
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !sameJson(left[key], right[key], levels - 1)) return false
  }
  return true
}

/** The first difference of two JSON values, as a pointer with the value on each side; `null` when they are equal. */
export function differenceOf(left: unknown, right: unknown): Difference | null {
  if (sameJson(left, right)) return null
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return here(left, right)
  if (Array.isArray(left) !== Array.isArray(right)) return here(left, right)
  const [before, after] = [new Map(Object.entries(left)), new Map(Object.entries(right))]
  const key = [...before.keys(), ...after.keys()].find((name) => !sameJson(before.get(name), after.get(name)))
  if (key === undefined) return here(left, right)
  const inner = differenceOf(before.get(key), after.get(key)) ?? here(before.get(key), after.get(key))
  return { ...inner, at: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${inner.at}` }
}

interface Difference {
  readonly at: string
  readonly left: unknown
  readonly right: unknown
}

const here = (left: unknown, right: unknown): Difference => ({ at: '', left, right })
