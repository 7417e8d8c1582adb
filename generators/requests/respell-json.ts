/**
 * Writes other texts of the same JSON value: order, white space, escapes.
 * A server must treat them all alike. Texts that RFC 8259 leaves to the parser (repeated keys) are GREY.
 */
import { isJsonObject, type Json } from '../../spec/index.ts'
import { isJsonArray } from '../json/json-value.ts'

interface Respelling {
  readonly name: string
  readonly text: string
  readonly grey: boolean
}

/** Texts that all parse to the same value. */
export function respellings(value: Json): readonly Respelling[] {
  const compact = JSON.stringify(value)
  const all: Respelling[] = [
    { name: 'keys reversed', text: JSON.stringify(reversed(value)), grey: false },
    { name: 'indented', text: JSON.stringify(value, null, 2), grey: false },
    {
      name: 'indented with tabs and CRLF',
      text: JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
      grey: false,
    },
    { name: 'blanks around', text: ` \t\r\n${compact}\n \t`, grey: false },
    { name: 'blank at every token', text: spaced(value), grey: false },
    { name: 'non-ASCII escaped', text: escapeText(compact, /[^\u0020-\u007e]/gu), grey: false },
    { name: 'every letter of strings escaped', text: mapStrings(value, everyUnit), grey: false },
    {
      name: 'escapes in capitals',
      text: mapStrings(value, (text) => everyUnit(text).replace(/[0-9a-f]{4}/gu, upper)),
      grey: false,
    },
    { name: 'solidus escaped', text: mapStrings(value, (text) => inner(text).replaceAll('/', '\\/')), grey: false },
  ]
  const repeated = repeatedKey(value)
  if (repeated !== null) all.push({ name: 'repeated identical key', text: repeated, grey: true })
  return all.filter(({ text }) => text !== compact)
}

function reversed(value: Json): Json {
  if (isJsonArray(value)) return value.map(reversed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}

function spaced(value: Json): string {
  if (isJsonArray(value)) return `[ ${value.map(spaced).join(' , ')} ]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)} : ${spaced(item)}`)
    .join(' , ')} }`
}

/** The value as JSON; `spell` writes the inside of every string and key. */
function mapStrings(value: Json, spell: (text: string) => string): string {
  if (isJsonArray(value)) return `[${value.map((item) => mapStrings(item, spell)).join(',')}]`
  if (typeof value === 'string') return `"${spell(value)}"`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `"${spell(key)}":${mapStrings(item, spell)}`)
    .join(',')}}`
}

function everyUnit(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

function escapeText(text: string, pattern: RegExp): string {
  return text.replace(pattern, everyUnit)
}

function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function upper(text: string): string {
  return text.toUpperCase()
}

function repeatedKey(value: Json): string | null {
  if (!isJsonObject(value)) return null
  const [first] = Object.entries(value)
  if (first === undefined) return null
  return `{${JSON.stringify(first[0])}:${JSON.stringify(first[1])},${JSON.stringify(value).slice(1)}`
}
