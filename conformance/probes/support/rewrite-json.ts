/** Writes one JSON value in other legal ways: one way alone, or all at once. */
import { isObject } from '../../judge/read/json.ts'

/** The fields in the reverse order. */
export function reversed(json: unknown): string {
  return JSON.stringify(reversedKeys(json))
}

/** White space between all tokens; with an indent every key opens a line, and no line breaks inside of a string. */
export function spaced(json: unknown): string {
  return `\r\n ${JSON.stringify(json, null, '\t').replaceAll(/^(\t+"(?:[^"\\]|\\.)*"):/gm, '$1 \t:')} \n`
}

/** Every slash and every letter beyond ASCII escaped. */
export function escaped(json: unknown): string {
  return withEscapes(JSON.stringify(json))
}

/** Another order, white space and escapes in one text. */
export function spacedOut(json: unknown): string {
  return withEscapes(spaced(reversedKeys(json)))
}

function withEscapes(text: string): string {
  return text.replaceAll('/', '\\/').replaceAll(/[^\x20-\x7e\r\n\t]/gu, escapesOf)
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversedKeys(entry)]),
  )
}

/** The digits of every other unit are capitals, as some writers have them. */
function escapesOf(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    const code = text.charCodeAt(index)
    const digits = code.toString(16).padStart(4, '0')
    return `\\u${code % 2 === 0 ? digits : digits.toUpperCase()}`
  }).join('')
}
