/**
 * Lists changes that a strict reader calls wrong and real servers accept, or the other way round.
 * They are GREY: they show what an implementation does and never fail it.
 */
import { isJsonObject, type Json } from '../../spec/index.ts'
import { childPointer } from '../json/json-pointer.ts'

interface LenientChange {
  readonly operator: string
  readonly pointer: string
  readonly keyword: string
  readonly value: Json
}

/** Spellings of a UUID that common parsers accept although they are not the canonical form. */
export function lenientUuids(text: string): readonly string[] {
  // Python's UUID parser ignores hyphens at any place.
  const shifted = `${text.slice(0, 7)}-${text.slice(7).replace('-', '')}`
  const spellings = [text.replaceAll('-', ''), shifted, `urn:uuid:${text}`, `{${text}}`, text.toUpperCase()]
  return spellings.filter((one) => one !== text)
}

/** Texts that lenient parsers read as an integer, or whose meaning the contract leaves open. */
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

/** Texts that lenient parsers read as a boolean. */
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
