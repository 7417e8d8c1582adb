/**
 * Requests as curl commands that can be pasted into a shell. Keys stand in variables: `ACS_KEY_PRIMARY` for a key of the
 * tenant "primary", `ACS_KEY` for one that nobody knows.
 */
import type { JournalEntry } from './journal-entry.ts'
import { headerLines, requestBody } from './journal-view.ts'
import type { Redaction } from './redaction.ts'

/** What curl sets by itself, or what belongs to the connection. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'user-agent',
  'accept',
])

/** One command a line. */
export function exportCurl(entries: readonly JournalEntry[], redaction: Redaction): string {
  return entries.map((entry) => `${curlOf(entry, redaction)}\n`).join('')
}

function curlOf(entry: JournalEntry, redaction: Redaction): string {
  const body = requestBody(entry, redaction)
  const words = ['curl', ...(entry.method === 'HEAD' ? ['--head'] : ['-X', entry.method])]
  words.push(quoted(entry.origin + redaction.text(entry.target)))
  for (const [name, value] of headerLines(entry.headers, redaction)) {
    if (ownHeaders.has(name)) continue
    words.push('-H', name === 'api-key' ? keyHeader(entry, value) : quoted(`${name}: ${value}`))
  }
  if (body === null) return words.join(' ')
  const text = Buffer.from(body).toString()
  if (Buffer.from(text).equals(body) && !text.includes('\0')) return [...words, '--data-raw', quoted(text)].join(' ')
  return `printf %s ${Buffer.from(body).toString('base64')} | base64 -d | ${words.join(' ')} --data-binary @-`
}

function keyHeader({ tenant }: JournalEntry, value: string): string {
  const name = tenant === null ? 'ACS_KEY' : `ACS_KEY_${tenant.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
  const at = value.lastIndexOf('@')
  const world = at < 0 ? '' : value.slice(at).replace(/[^A-Za-z0-9._@-]/g, '')
  return `"api-key: \${${name}}${world}"`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
