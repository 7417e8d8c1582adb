/**
 * The written forms that the contract knows: UUIDs, timestamps, integers and booleans in a query, the user-id header.
 * Each value is one of three: as the contract writes it, a leniency that real servers have, or surely something else.
 */

import { textField } from './json.ts'

/** `exact`: as the contract writes it; `lenient`: a spelling that many servers take; `wrong`: not that thing at all. */
export type Form = 'exact' | 'lenient' | 'wrong'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const uuidOfAnyCase = new RegExp(uuid.source, 'i')
const looseUuid = /^\s*(?:urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?\s*$/i

/** The two UUIDs that were seen last: the chunks of a stream, and the messages of a page, carry the same ones again and again. */
let [last, before]: (string | null)[] = [null, null]

/** Whether a value that a server sent is a UUID string in the hyphenated form, of either case. */
export function isUuid(value: unknown): value is string {
  if (typeof value !== 'string') return false
  if (value === last || value === before) return true
  if (!uuidOfAnyCase.test(value)) return false
  before = last
  last = value
  return true
}

const roles: ReadonlySet<unknown> = new Set(['user', 'system', 'tool', 'assistant'])

/** Whether a value is one of the roles that a message may have. */
export const isRole = (value: unknown): boolean => roles.has(value)

/** A known role in other letters or with blanks around it. */
export const isRoleSpelledOtherwise = (text: string): boolean => !isRole(text) && isRole(text.trim().toLowerCase())

/** A UUID of the versions and variant that generators make; nil, max and hand-made ones are not. */
export const isOrdinaryUuid = (value: string): boolean => /^.{14}[1-8].{4}[89ab]/i.test(value) && isUuid(value)

/** The form of a UUID in a request; upper case is a leniency, since only the lower-case form is canonical. */
export function uuidForm(text: string): Form {
  if (uuid.test(text)) return 'exact'
  return looseUuid.test(text) ? 'lenient' : 'wrong'
}

/** The hyphenated, lower-case form of a UUID in any spelling; other text as it is. */
export function canonicalUuid(text: string): string {
  if (uuid.test(text) || !looseUuid.test(text)) return text
  const digits = text.toLowerCase().replace(/urn:uuid:|[^0-9a-f]/g, '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A text in lower case; a text that is already lower case is not copied. */
export function lowerCase(text: string): string {
  const low = text.toLowerCase()
  return low === text ? text : low
}

/** The lookup key of a thread: all spellings of a UUID are one, and any other text is the same in every case. */
export type ThreadKey = string & { readonly [isThreadKey]: true }

declare const isThreadKey: unique symbol

/** The key of an id in any spelling. */
export const threadKey = (id: string): ThreadKey => (uuid.test(id) ? id : lowerCase(canonicalUuid(id))) as ThreadKey

/** Whether two spellings are of one UUID; nearly always they are the same one. */
export const isSameUuid = (one: string, other: string): boolean =>
  one === other || canonicalUuid(one) === canonicalUuid(other)

/** An id that a service wrote, in lower case: another case names the same thing. */
export function idField(record: unknown, name: string): string | null {
  const id = textField(record, name)
  return id === null ? null : lowerCase(id)
}

const timestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d|(?:[01]\d|2[0-3]):59:60)\.\d{6}Z$/

/** Whether a value is a timestamp of the contract: microseconds, trailing Z, a real instant (a leap second is one). */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string' || !timestamp.test(value)) return false
  const day = Number(value.slice(8, 10))
  return day <= 28 || day <= daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)))
}

/** Microseconds since 1970 of a contract timestamp, as a float that keeps milliseconds exactly. */
export function instantMs(text: string): number {
  return Date.parse(`${text.slice(0, 19)}Z`.replace(':60Z', ':59Z')) + Number(text.slice(20, 26)) / 1000
}

/** Whether a time is surely later than another one: those that are written in two forms are not compared. */
export const isLater = (one: string, other: string): boolean => one.length === other.length && one > other

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** The form of an integer in a query. */
export function integerForm(text: string): Form {
  if (/^-?(?:0|[1-9]\d{0,17})$/.test(text)) return 'exact'
  if (text === '' || /^\s*[+-]?\s*\d[\d_]*(?:\.0*)?\s*$/.test(text)) return 'lenient'
  return /^\s*[+-]?(?:0x[\da-f]+|0o[0-7]+|0b[01]+|\d+(?:\.\d+)?e[+-]?\d+|\p{Nd}+|null)\s*$/iu.test(text)
    ? 'lenient'
    : 'wrong'
}

/** The form of a boolean in a query. */
export function booleanForm(text: string): Form {
  if (text === 'true' || text === 'false') return 'exact'
  return /^\s*(?:true|false|yes|no|on|off|[tfyn01]|null|)\s*$/i.test(text) ? 'lenient' : 'wrong'
}

/** Whether a user-id consists of the characters that the contract allows; its length is another rule. */
export const isUserIdText = (text: string): boolean => /^[A-Za-z0-9._\-@:]+$/.test(text)

/** Whether a string can be written as UTF-8, that is without half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => text.isWellFormed()
