/**
 * Requests as curl commands that can be pasted into a shell. Keys are in variables: `ACS_KEY_PRIMARY` for a key of the
 * tenant "primary", `ACS_KEY` for an unknown one.
 */

import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { ExportContext } from './export-trace.ts'
import type { JournalEntry } from './journal-entry.ts'
import { headerLines, requestBody } from './journal-view.ts'

/** Headers that curl sets itself, or that belong to the connection. */
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
export function exportCurl(entries: readonly JournalEntry[], context: ExportContext): string {
  return entries.map((entry) => `${curlOf(entry, context)}\n`).join('')
}

function curlOf(entry: JournalEntry, { redaction, cast }: ExportContext): string {
  const body = requestBody(entry, redaction)
  const words = ['curl', ...(entry.method === 'HEAD' ? ['--head'] : ['-X', entry.method])]
  words.push(quoted(entry.origin + redaction.text(entry.target)))
  for (const [name, value] of headerLines(entry.headers, redaction)) {
    if (ownHeaders.has(name)) continue
    words.push('-H', name === 'api-key' ? keyHeader(String(entry.headers[name]), cast) : quoted(`${name}: ${value}`))
  }
  if (body === null) return words.join(' ')
  const text = Buffer.from(body).toString()
  if (Buffer.from(text).equals(body) && !text.includes('\0')) return [...words, '--data-raw', quoted(text)].join(' ')
  return `printf %s ${Buffer.from(body).toString('base64')} | base64 -d | ${words.join(' ')} --data-binary @-`
}

function keyHeader(sent: string, { callers }: ResolvedScenario): string {
  const at = sent.lastIndexOf('@')
  const tenant = (callers.get(sent) ?? callers.get(sent.slice(0, Math.max(0, at))))?.tenant.name
  const name = tenant === undefined ? 'ACS_KEY' : `ACS_KEY_${tenant.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
  const world = at < 0 ? '' : sent.slice(at).replace(/[^A-Za-z0-9._@-]/g, '')
  return `"api-key: \${${name}}${world}"`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
