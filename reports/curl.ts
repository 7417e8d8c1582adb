/**
 * A recorded request as a curl line that a person can paste. The key never stands in it: it is read from the
 * environment. Anything that a terminal could obey is written in the shell's escape notation.
 */

import { bufferOf, byteLength } from './body-text.ts'
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
])

/** Longest body that goes into a line, bytes. */
const longestBody = 2_000

/** The environment variable that a printed command reads a tenant's key from. */
export function keyVariable(credential: string): string {
  return credential === 'primary' ? 'ACS_API_KEY' : `ACS_${credential.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`
}

/** The curl command that sends this request again, on one line. */
export function curlOf(exchange: ReportedExchange): string {
  const { method, url, line } = exchange.request
  if (line !== undefined) return `# sent over a bare socket, with the request line ${shellWord(line)}`
  const words = ['curl -i', ...methodWords(method), ...headerWords(exchange), ...bodyWords(exchange), ...urlWords(url)]
  return words.join(' ')
}

function methodWords(method: string): readonly string[] {
  return method === 'GET' ? [] : [`-X ${shellWord(method)}`]
}

function urlWords(url: string): readonly string[] {
  const literally = /[[\]{}]/.test(url) ? ['--globoff'] : []
  const unresolved = /\/\.\.?(\/|$)/.test(url) ? ['--path-as-is'] : []
  return [...literally, ...unresolved, shellWord(url)]
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

function bodyWords(exchange: ReportedExchange): readonly string[] {
  const { body } = exchange.request
  if (body === null || byteLength(body) === 0) return []
  if (byteLength(body) > longestBody) return [`--data-binary @${exchange.id}.request-body`]
  return 'utf8' in body
    ? [`--data-raw ${shellWord(body.utf8)}`]
    : [`--data-binary @<(base64 -d <<< ${shellWord(bufferOf(body).toString('base64'))})`]
}

/** One word of a POSIX shell; text with invisible characters becomes the `$'…'` form. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./:-]+$/.test(text)) return text
  if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escaped = text
    .replace(/[\\']/g, (character) => `\\${character}`)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapedBytes)
  return `$'${escaped}'`
}

function escapedBytes(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
