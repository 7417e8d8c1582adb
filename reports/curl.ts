/**
 * Writes a recorded request as a curl line for pasting. It never contains the key, which is read from the environment.
 * Terminal control characters are written in the shell's escape notation.
 */

import { byteLength } from './body-text.ts'
import { headerValue } from './header-value.ts'
import type { ReportedExchange } from './report.ts'

/** Set by curl itself or by the connection; repeating them would break the request. */
const connectionHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  'keep-alive',
  'traceparent',
])

/** Longest body that goes into a line, bytes: a shell takes no longer word. */
const longestBody = 100_000

/** The environment variable that a printed command reads a tenant's key from. */
export function keyVariable(credential: string): string {
  return credential === 'primary' ? 'ACS_API_KEY' : `ACS_${credential.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`
}

type Quote = (text: string) => string
/** Writes a text that may hold ids as one word, each piece of it with these quotes. */
type Spelling = (text: string, quote: Quote) => string

/** The curl command that sends this request again, on one line, for any shell. */
export function curlOf(exchange: ReportedExchange, spell: Spelling = (text, quote) => quote(text)): string {
  const { method, url, line } = exchange.request
  if (line !== undefined) return `# sent over a bare socket, with the request line ${shellWord(line)}`
  if (!isWhole(exchange)) return '# the body is too long for a line; the command under "again" sends it'
  const words = [
    ...pipeWords(exchange, spell),
    'curl -i',
    ...streamWords(url),
    ...methodWords(method),
    ...headerWords(exchange),
    ...bodyWords(exchange, spell),
    ...urlWords(url, spell),
  ]
  return words.join(' ')
}

/** Whether the report holds the whole body, and a line can. */
function isWhole({ request: { body, headers } }: ReportedExchange): boolean {
  if (body === null) return true
  const size = byteLength(body)
  const said = headerValue(headers, 'content-length')
  return size <= longestBody && (said === undefined || !/^\d+$/.test(said) || Number(said) <= size)
}

/** A body that no plain word can hold comes from a pipe, which every shell supports without losing a byte. */
function pipeWords({ request: { body } }: ReportedExchange, spell: Spelling): readonly string[] {
  if (body === null || byteLength(body) === 0) return []
  if (!('utf8' in body)) return [`printf %s ${shellWord(body.base64)} | base64 -d |`]
  return unprintable.test(body.utf8) ? [`printf %b ${spell(body.utf8, escapedWord)} |`] : []
}

function methodWords(method: string): readonly string[] {
  return method === 'GET' ? [] : [`-X ${shellWord(method)}`]
}

/** What arrives piece by piece is shown so. */
function streamWords(url: string): readonly string[] {
  return /\/stream(?:\?|$)/.test(url) ? ['-N'] : []
}

function urlWords(url: string, spell: Spelling): readonly string[] {
  const literally = /[[\]{}]/.test(url) ? ['--globoff'] : []
  const unresolved = /\/\.\.?(\/|$)/.test(url) ? ['--path-as-is'] : []
  return [...literally, ...unresolved, spell(url, shellWord)]
}

function headerWords(exchange: ReportedExchange): readonly string[] {
  return exchange.request.headers
    .filter(([name, value]) => !connectionHeaders.has(name.toLowerCase()) && !isCurlsOwn(name, value))
    .map(([name, value]) => {
      const isKey = name.toLowerCase() === 'api-key' && exchange.credential !== null
      if (isKey) return `-H "api-key: $${keyVariable(exchange.credential)}"`
      return `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`
    })
}

function isCurlsOwn(name: string, value: string): boolean {
  return name.toLowerCase() === 'accept' && value === '*/*'
}

function bodyWords({ request: { body } }: ReportedExchange, spell: Spelling): readonly string[] {
  if (body === null || byteLength(body) === 0) return []
  const isPlain = 'utf8' in body && !unprintable.test(body.utf8)
  return [isPlain ? `--data-raw ${spell(body.utf8, shellWord)}` : '--data-binary @-']
}

/** Invisible characters, and texts that a CI runner would run as a command. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|##(?:vso)?\[/iu

/**
 * One word of a POSIX shell. Invisible characters are written by printf, since dash does not know the `$'…'` form; such a
 * word loses line feeds at its end.
 */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./:-]+$/.test(text)) return text
  if (unprintable.test(text)) return `"$(printf %b ${escapedWord(text)})"`
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word from which `printf %b` makes the text. */
function escapedWord(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replace(/'|#(?=#)/g, octal)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, octal)
  return `'${escaped}'`
}

/** Three octal digits each: a hexadecimal escape could swallow the characters after it. */
function octal(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')
}
