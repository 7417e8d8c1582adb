/**
 * Reads the fields of an admin request. All problems are reported at once, an unknown field with the closest known one.
 */
import { isShallow, shownDepth } from '../journal/body-value.ts'
import { suggestionFor } from '../option-error.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { AdminRefusal } from './admin-request.ts'

export interface KindValues {
  readonly text: string
  readonly number: number
  readonly flag: boolean
  readonly object: object
  readonly list: readonly unknown[]
}

type FieldKind = keyof KindValues
export type FieldKinds = Readonly<Record<string, FieldKind>>

/** The values of fields that were given. */
export type FieldValues<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]?: KindValues[Kinds[Name]] }

const isKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: Array.isArray,
}

/** The body's fields; an empty body has none. Throws an AdminRefusal. */
export function bodyFields<const Kinds extends FieldKinds>(body: Uint8Array, kinds: Kinds): FieldValues<Kinds> {
  const value = body.length === 0 ? {} : parsed(body)
  // Code after this check may recurse without a depth limit.
  if (!isShallow(value)) {
    const message = `must be nested at most ${shownDepth} deep`
    throw invalid([{ loc: ['body'], message, type: 'too_complex' }])
  }
  if (!isKind.object(value)) throw invalid([{ loc: ['body'], message: 'must be a JSON object', type: 'model_type' }])
  return checked(value as Readonly<Record<string, unknown>>, kinds, 'body')
}

/** The query's fields, numbers read as such. Throws an AdminRefusal. */
export function queryFields<const Kinds extends FieldKinds>(query: URLSearchParams, kinds: Kinds): FieldValues<Kinds> {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) {
    throw invalid([{ loc: ['query', repeated], message: 'must be given once', type: 'value_error' }])
  }
  const values = [...query].map(([name, text]) => [name, kinds[name] === 'number' ? numberOf(text) : text])
  return checked(Object.fromEntries(values), kinds, 'query')
}

/** An empty text is not a number, although JavaScript converts it to 0. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw invalid([{ loc: ['body'], message: 'is not JSON', type: 'json_invalid' }])
  }
}

function checked<const Kinds extends FieldKinds>(
  values: Readonly<Record<string, unknown>>,
  kinds: Kinds,
  place: string,
): FieldValues<Kinds> {
  const faults = Object.entries(values).flatMap(([name, value]): FieldFault[] => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) return [{ loc: [place, name], message: unknownField(name, kinds), type: 'extra_forbidden' }]
    return isKind[kind](value)
      ? []
      : [{ loc: [place, name], message: `must be ${kind === 'object' ? 'an' : 'a'} ${kind}`, type: `${kind}_type` }]
  })
  if (faults.length > 0) throw invalid(faults)
  return values as FieldValues<Kinds>
}

function unknownField(name: string, kinds: FieldKinds): string {
  const known = Object.keys(kinds)
  return known.length === 0 ? 'nothing is expected here' : `is unknown; ${suggestionFor(name, known)}`
}

function invalid(faults: readonly FieldFault[]): AdminRefusal {
  return new AdminRefusal('admin-invalid-fields', faults)
}
