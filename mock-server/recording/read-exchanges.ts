/** Reads the playable exchanges of a trace; the others are reported with the reason. */
import { routeOf } from '../http/routes.ts'
import { jsonOf } from '../journal/body-value.ts'
import type { Json } from '../scenario/scenario.ts'
import { type RecordedExchange, sortedQuery, sortedText } from './recorded-exchange.ts'

/** A trace as the suite writes it, as far as the mock reads it. Secrets in it are pseudonyms. */
export interface RecordedTrace {
  readonly header: { readonly target: string }
  readonly exchanges: readonly TraceExchange[]
}

/** The trace that a text of NDJSON holds. Throws a RangeError for a line that is none of a trace. */
export function traceOf(text: string): RecordedTrace {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const records = lines.map((line, index) => {
    const record = jsonOf(line)
    if (typeof record === 'object' && record !== null && 'kind' in record) return record
    throw new RangeError(`line ${index + 1} is no record of a trace, as acs test and acs watch write it`)
  }) as readonly unknown[] as readonly ({ readonly kind: string } & RecordedTrace['header'] & TraceExchange)[]
  const [header, ...others] = records
  if (header?.kind !== 'header') throw new RangeError('a trace begins with its header')
  return { header, exchanges: others.filter(({ kind }) => kind === 'exchange') }
}

type TraceBytes = { readonly utf8: string } | { readonly base64: string }
type HeaderLines = readonly (readonly [name: string, value: string])[]

interface TraceExchange {
  readonly id: string
  readonly credential: string | null
  readonly sentAtMs: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly body: TraceBytes | null
    readonly line?: string
    readonly omittedBytes?: number
  }
  readonly response: {
    readonly status: number
    readonly headers: HeaderLines
    readonly headAtMs: number
    readonly pieces: readonly { readonly atMs: number; readonly bytes: TraceBytes }[]
  } | null
  readonly ending: string
}

type Read =
  | { readonly kind: 'playable'; readonly exchange: RecordedExchange }
  | { readonly kind: 'left-out'; readonly why: string }

/** The exchanges in the order of sending, and how many are left out for which reason. */
export function readExchanges({ header, exchanges }: RecordedTrace): {
  readonly playable: readonly RecordedExchange[]
  readonly leftOut: ReadonlyMap<string, number>
} {
  const base = URL.canParse(header.target) ? new URL(header.target).pathname.replace(/\/$/, '') : ''
  const leftOut = new Map<string, number>()
  const playable = exchanges.flatMap((one): readonly RecordedExchange[] => {
    const read = readExchange(one, base)
    if (read.kind === 'playable') return [read.exchange]
    leftOut.set(read.why, (leftOut.get(read.why) ?? 0) + 1)
    return []
  })
  return { playable, leftOut }
}

function readExchange(recorded: TraceExchange, base: string): Read {
  const { id, credential, request, response, ending, sentAtMs } = recorded
  const leaveOut = (why: string): Read => ({ kind: 'left-out', why })
  if (response === null) return leaveOut('without an answer')
  if (ending !== 'complete' && ending !== 'cut') return leaveOut('that the client did not read to its end')
  if (request.line !== undefined || !URL.canParse(request.url)) return leaveOut('that are no plain HTTP')
  if ((request.omittedBytes ?? 0) > 0) return leaveOut('whose request was too long to keep')
  if (credential === null) return leaveOut('without a known key')
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  const route = routeOf(request.method, path)
  if (route.kind !== 'operation') return leaveOut('that ask for no operation of the contract')
  const { operation } = route
  // The URL of a recorded grant leads to the storage of the recorded service.
  if (operation === 'createUploadGrant' || operation === 'uploadFile') return leaveOut('about uploads, which are new')
  const text = request.body === null ? '' : Buffer.from(rawOf(request.body)).toString()
  const json = text === '' ? undefined : (jsonOf(text) as Json | undefined)
  const pieces = response.pieces.map(({ atMs, bytes }) => ({ atMs: Math.max(0, atMs - sentAtMs), bytes: rawOf(bytes) }))
  return {
    kind: 'playable',
    exchange: {
      id,
      tenant: credential,
      operation,
      pathId: route.parameter ?? '',
      method: request.method,
      path,
      query: sortedQuery(searchParams),
      body: json === undefined ? text : sortedText(json),
      json,
      status: response.status,
      headers: playedHeaders(response.headers, pieces),
      headMs: Math.max(0, response.headAtMs - sentAtMs),
      pieces,
      isCut: ending === 'cut',
    },
  }
}

function rawOf(bytes: TraceBytes): Uint8Array {
  return 'utf8' in bytes ? Buffer.from(bytes.utf8) : Buffer.from(bytes.base64, 'base64')
}

/** What belongs to the connection, to the coding that was undone, to the origin, or to the moment. */
const notPlayed =
  /^(?:connection|keep-alive|transfer-encoding|content-encoding|content-length|trailer|upgrade|date|age|set-cookie|alt-svc|strict-transport-security|access-control-.*|x-acs-.*|:.*)$/i

function playedHeaders(lines: HeaderLines, pieces: RecordedExchange['pieces']): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  let hadLength = false
  for (const [name, value] of lines) {
    const key = name.toLowerCase()
    if (key === 'content-length') hadLength = true
    if (notPlayed.test(key)) continue
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  if (!hadLength) return headers
  return { ...headers, 'content-length': String(pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)) }
}
