/**
 * GREY operators: values that a strict reading calls wrong and real servers take (or the other way round).
 * They tell what an implementation does; they never fail it.
 */
import { isJsonObject, type Json } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'

interface LenientChange {
  readonly operator: string
  readonly pointer: string
  readonly keyword: string
  readonly value: Json
}

/** Spellings of a UUID that parsers of the standard take and the canonical form is not. */
export function lenientUuids(text: string): readonly string[] {
  // Python's reader drops hyphens wherever they stand.
  const shifted = `${text.slice(0, 7)}-${text.slice(7).replace('-', '')}`
  const spellings = [text.replaceAll('-', ''), shifted, `urn:uuid:${text}`, `{${text}}`, text.toUpperCase()]
  return spellings.filter((one) => one !== text)
}

/** Texts that lenient readers take for an integer, or whose meaning the contract leaves open. */
export const lenientIntegers = [
  '1.0',
  '+5',
  ' 5',
  '05',
  '1_000',
  '1e2',
  '0x10',
  '٣',
  '',
  '0',
  '-1',
  `${2n ** 63n}`,
  '9'.repeat(5000),
]

/** Texts that lenient readers take for a boolean. */
export const lenientBooleans = ['1', '0', 'yes', 'no', 'on', 't', 'TRUE', 'True', '']

/** Lenient changes to the top level of a body. */
export function lenientBodies(body: Json): readonly LenientChange[] {
  if (!isJsonObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !name.endsWith('_id')) return []
    return lenientUuids(value).map((text) => ({
      operator: 'L-UUID',
      pointer: childPointer('', name),
      keyword: 'pattern',
      value: { ...body, [name]: text },
    }))
  })
}
