/**
 * Exports the journal as HAR 1.2. Data without a HAR field goes into `_acs`.
 */
import { version } from '../../spec/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bodyPieces, headerLines, jsonBytes, requestBody } from './journal-view.ts'
import type { HeaderLine, Redaction } from './redaction.ts'

/** The entries as one HAR document. */
export function exportHar(entries: readonly JournalEntry[], redaction: Redaction): string {
  const log = {
    version: '1.2',
    creator: { name: 'acs-kit mock', version: version },
    entries: entries.map((entry) => harEntry(entry, redaction)),
  }
  return `${JSON.stringify({ log }, null, 2)}\n`
}

function harEntry(entry: JournalEntry, redaction: Redaction) {
  const lastUs = Math.max(entry.endedAtUs, ...entry.chunkTimesUs)
  const timeMs = (lastUs - entry.startedAtUs) / 1000
  const receiveMs = entry.chunkTimesUs.length === 0 ? 0 : timeMs
  return {
    startedDateTime: new Date(entry.startedAtUs / 1000).toISOString(),
    time: timeMs,
    request: harRequest(entry, redaction),
    response: harResponse(entry, redaction),
    cache: {},
    timings: { send: 0, wait: timeMs - receiveMs, receive: receiveMs },
    comment: `${entry.world} ${entry.number} ${entry.outcome}`,
    _acs: { reason: entry.reason, outcome: entry.outcome, faults: entry.injected, upload: entry.upload },
  }
}

function harRequest(entry: JournalEntry, redaction: Redaction) {
  const url = entry.origin + redaction.text(entry.target)
  const body = requestBody(entry, redaction)
  const headers = headerLines(entry.headers, redaction)
  const mimeType = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json'
  return {
    method: entry.method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(harPair),
    queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(harPair) : [],
    headersSize: -1,
    bodySize: body?.length ?? 0,
    ...(body === null ? null : { postData: { mimeType, text: Buffer.from(body).toString() } }),
  }
}

function harResponse(entry: JournalEntry, redaction: Redaction) {
  const bytes = Buffer.concat(bodyPieces(entry, redaction))
  const headers = headerLines(entry.response?.headers ?? {}, redaction)
  const content = jsonBytes(bytes)
  return {
    status: entry.response?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(harPair),
    content: {
      size: bytes.length,
      mimeType: headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/octet-stream',
      ...('utf8' in content ? { text: content.utf8 } : { text: content.base64, encoding: 'base64' }),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: bytes.length,
  }
}

function harPair([name, value]: HeaderLine | [string, string]) {
  return { name, value }
}
