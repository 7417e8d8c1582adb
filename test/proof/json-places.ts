/** Finds places in a JSON document by pointer patterns, and changes one of them. */

/** A JSON pointer in segments; `*` stands for the elements of an array at which lists go wrong. */
export type Pattern = string

/** Elements at which a list goes wrong: the first two, one in the middle, the last. */
export function ends(list: readonly unknown[]): readonly number[] {
  const wanted = [0, 1, Math.floor(list.length / 2), list.length - 1]
  return [...new Set(wanted)].filter((index) => index >= 0 && index < list.length)
}

interface Place {
  readonly pointer: string
  readonly value: unknown
}

/** What stands at the places that a pattern names. */
export function placesOf(document: unknown, pattern: Pattern): readonly Place[] {
  let places: readonly Place[] = [{ pointer: '', value: document }]
  for (const segment of pattern.split('/').slice(1)) places = places.flatMap((place) => stepInto(place, segment))
  return places
}

function stepInto({ pointer, value }: Place, segment: string): readonly Place[] {
  if (segment === '*') {
    if (!Array.isArray(value)) return []
    return ends(value).map((index) => ({ pointer: `${pointer}/${index}`, value: value[index] as unknown }))
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return []
  return [{ pointer: `${pointer}/${segment}`, value: (value as Record<string, unknown>)[segment] }]
}

/** Stands for a field that is taken away. */
export const dropped = Symbol('dropped')

/** The document with another value at a pointer, or without it. */
export function changedAt(document: unknown, pointer: string, value: unknown): unknown {
  const [segment, ...rest] = pointer.split('/').slice(1)
  if (segment === undefined) return value
  if (Array.isArray(document)) {
    const index = Number(segment)
    if (rest.length === 0 && value === dropped) return document.filter((_, place) => place !== index)
    return document.map((each, place) => (place === index ? changedIn(each, rest, value) : each))
  }
  const fields = Object.entries(document as object)
  if (rest.length === 0 && value === dropped) return Object.fromEntries(fields.filter(([name]) => name !== segment))
  return Object.fromEntries(
    fields.map(([name, each]) => [name, name === segment ? changedIn(each, rest, value) : each]),
  )
}

const changedIn = (document: unknown, rest: readonly string[], value: unknown): unknown =>
  rest.length === 0 ? value : changedAt(document, `/${rest.join('/')}`, value)
