/**
 * The exchanges as HAR 1.2, for browsers and proxies that read it. HAR has no arrival times of pieces; they are in
 * `_pieces`, and the ending of an exchange and the truncation of a body in `_acs`, which other readers ignore. Bodies are
 * evidence and stay as they were, base64 where they are no UTF-8.
 */
import type { HeaderLines, ReceivedPiece, Trace } from '../conformance/index.ts'
import { bodyBuffer, bufferOf, byteLength, pieceSize, utf8Of } from './body-text.ts'
import { headerValue } from './header-value.ts'
import { isoMicroseconds } from './iso-time.ts'
import type { Report, ReportedExchange } from './report.ts'
import { visibleLine } from './sanitize-text.ts'

interface Recording {
  readonly startedAt: string
  readonly suiteVersion: string
  readonly exchanges: readonly ReportedExchange[]
}

/** A report (bodies may be cut) or a whole trace as HAR JSON. */
export function renderHar(source: Report | Trace): string {
  const { startedAt, suiteVersion, exchanges } = recordingOf(source)
  const startMs = Date.parse(startedAt)
  const log = {
    version: '1.2',
    creator: { name: 'acs-kit', version: suiteVersion },
    entries: exchanges.map((exchange) => entryOf(exchange, startMs)),
  }
  return `${JSON.stringify({ log }, null, 2)}\n`
}

function recordingOf(source: Report | Trace): Recording {
  const { startedAt, suiteVersion } = 'header' in source ? source.header : source.run
  return { startedAt, suiteVersion, exchanges: source.exchanges }
}

function entryOf(exchange: ReportedExchange, startMs: number) {
  const { sentAtMs, endedAtMs, response, intent } = exchange
  const headAtMs = response?.headAtMs ?? endedAtMs
  return {
    startedDateTime: isoMicroseconds(startMs + sentAtMs),
    time: span(sentAtMs, endedAtMs),
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: span(sentAtMs, headAtMs), receive: span(headAtMs, endedAtMs) },
    comment: visibleLine([exchange.id, intent?.probe ?? '', exchange.ending].filter((text) => text !== '').join(' ')),
    _pieces: (response?.pieces ?? []).map((piece) => ({ afterMs: span(sentAtMs, piece.atMs), size: pieceSize(piece) })),
    _acs: {
      ending: exchange.ending,
      ...(exchange.failure === undefined ? {} : { failure: visibleLine(exchange.failure) }),
    },
  }
}

function span(fromMs: number, toMs: number): number {
  return Math.max(0, Math.round((toMs - fromMs) * 1000) / 1000)
}

function requestOf({ request }: ReportedExchange) {
  const { method, url, headers, body, omittedBytes = 0 } = request
  const size = body === null ? 0 : byteLength(body)
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headerPairs(headers),
    queryString: queryOf(url),
    headersSize: -1,
    bodySize: size + omittedBytes,
    ...(body === null || size === 0
      ? {}
      : { postData: { ...postDataOf(bufferOf(body), mediaType(headers)), ...cutNote(omittedBytes) } }),
  }
}

function postDataOf(body: Buffer, mimeType: string) {
  const text = utf8Of(body)
  return text === null ? { mimeType, text: body.toString('base64'), encoding: 'base64' } : { mimeType, text }
}

function responseOf({ response, ending, failure }: ReportedExchange) {
  const base = { httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1 }
  if (response === null) {
    const content = { size: 0, mimeType: '' }
    return {
      ...base,
      status: 0,
      statusText: ending,
      headers: [],
      content,
      bodySize: -1,
      _error: visibleLine(failure ?? ending),
    }
  }
  const { status, headers, pieces } = response
  return {
    ...base,
    status,
    statusText: '',
    headers: headerPairs(headers),
    content: contentOf(pieces, mediaType(headers)),
    bodySize: -1,
  }
}

function contentOf(pieces: readonly ReceivedPiece[], mimeType: string) {
  const body = bodyBuffer(pieces)
  const size = pieces.reduce((sum, piece) => sum + pieceSize(piece), 0)
  const text = utf8Of(body)
  const cut = cutNote(size - body.byteLength)
  return text === null
    ? { size, mimeType, text: body.toString('base64'), encoding: 'base64', ...cut }
    : { size, mimeType, text, ...cut }
}

/** A truncated body is marked as such, for readers and for the judge. */
function cutNote(omittedBytes: number): { readonly comment?: string; readonly _acs?: object } {
  return omittedBytes === 0
    ? {}
    : { comment: `cut: ${omittedBytes} bytes at its end are left out`, _acs: { omittedBytes } }
}

function headerPairs(lines: HeaderLines): readonly { readonly name: string; readonly value: string }[] {
  return lines.map(([name, value]) => ({ name, value }))
}

function mediaType(headers: HeaderLines): string {
  return headerValue(headers, 'content-type') ?? ''
}

function queryOf(url: string): readonly { readonly name: string; readonly value: string }[] {
  try {
    return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
  } catch {
    return []
  }
}
