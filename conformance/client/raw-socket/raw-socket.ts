/**
 * Writes requests that an HTTP client refuses to send: control bytes in headers, a wrong Content-Length, a malformed
 * request line. It uses a bare socket and its own reader for the answer; the exchange is recorded like every other.
 */
import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { type Exchange, type HeaderLines, stoppedRun } from '../../trace/exchange.ts'
import { type Destination, destinationOf } from '../destination.ts'
import type { RawRequest } from '../record-exchange.ts'
import { type Limits, startRecording, type WireOutcome } from '../recording.ts'
import type { Route } from '../route.ts'
import type { SendRawRequest } from '../send-request.ts'
import { perform, type Session } from '../session.ts'
import type { Target } from '../target-url.ts'
import { failureOf } from '../transport-failure.ts'
import { UnsendableRequest } from '../unsendable.ts'
import { bodyBytes, bodyParts, hostOf, plainHeaders, withExtra } from '../wire-request.ts'
import { createResponseReader } from './response-reader.ts'

const headerLines = (
  { request, target, key, extraHeaders }: Destination<SendRawRequest>,
  body: Uint8Array | null,
): HeaderLines => {
  const given = new Set((request.headers ?? []).map(([name]) => name.toLowerCase()))
  const length = request.contentLength === undefined ? body?.byteLength : request.contentLength
  return [
    ['host', hostOf(target.origin)],
    ['connection', 'close'],
    ...withExtra(plainHeaders, extraHeaders).filter(([name]) => !given.has(name.toLowerCase())),
    ...(key === null ? [] : [['api-key', key] as const]),
    ...(request.headers ?? []),
    ...(length === undefined || length === null ? [] : [['content-length', String(length)] as const]),
  ]
}

interface RawAttempt {
  readonly open: Route['open']
  /** Written one after the other, with a pause between them. */
  readonly parts: readonly Uint8Array[]
  readonly target: Target
  readonly method: string
  readonly limits: Limits
}

const attemptRaw = async (
  session: Session,
  { open, parts, target, method, limits }: RawAttempt,
): Promise<WireOutcome> => {
  let socket: Socket | null = null
  const leave = (): void => void socket?.destroy()
  const recording = startRecording({ nowMs: session.nowMs, limits, leave })
  const reader = createResponseReader({ recording, maxHeaderBytes: limits.headerBytes, isHead: method === 'HEAD' })
  const abort = (): void => {
    recording.end('aborted', stoppedRun)
    leave()
  }
  const fail = (error: unknown): void => {
    const { ending, failure } = failureOf(error, recording.hasHead())
    recording.end(ending, failure)
  }
  session.signal.addEventListener('abort', abort)
  if (session.signal.aborted) abort()
  open(target.origin).then((opened) => {
    socket = opened
    opened.on('data', (piece: Buffer) => reader.read(piece))
    opened.on('end', () => reader.end())
    opened.on('close', () => reader.end())
    opened.on('error', fail)
    if (recording.hasEnded()) leave()
    else write(opened, parts)
  }, fail)
  const outcome = await recording.outcome
  session.signal.removeEventListener('abort', abort)
  leave()
  return outcome
}

/** Long enough that the parts arrive one by one. */
const betweenPartsMs = 30

const write = (socket: Socket, [part, ...rest]: readonly Uint8Array[]): void => {
  if (part === undefined || socket.destroyed) return
  socket.write(part)
  if (rest.length > 0) setTimeout(() => write(socket, rest), betweenPartsMs)
}

/** A raw request as it is recorded; throws UnsendableRequest for another origin than the profile's. */
export const rawRequestOf = (
  request: SendRawRequest,
  options: Session['options'],
): { readonly target: Target; readonly raw: RawRequest } => {
  const destination = destinationOf(options, request)
  const { target, isOwnOrigin } = destination
  if (!isOwnOrigin) throw new UnsendableRequest(`A raw request goes to the target only, not to ${target.origin}.`)
  const body = bodyBytes(request.body)
  const headers = headerLines(destination, body)
  const given = request.requestLine === undefined ? {} : { line: request.requestLine }
  return { target, raw: { method: request.method, url: target.origin + target.path, headers, body, ...given } }
}

/** Sends one raw request in a session; one attempt, no redirects. */
export const sendRaw = async (session: Session, request: SendRawRequest, open: Route['open']): Promise<Exchange> => {
  const { target, raw } = rawRequestOf(request, session.options)
  const line = raw.line ?? `${request.method} ${target.path} HTTP/1.1`
  const head = `${[line, ...raw.headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`
  const [first = new Uint8Array(), ...rest] = bodyParts(raw.body ?? new Uint8Array())
  const parts = [Buffer.concat([Buffer.from(head, 'latin1'), first]), ...rest]
  const { exchange } = await perform(session, request, raw, (limits) =>
    attemptRaw(session, { open, parts, target, method: request.method, limits }),
  )
  return exchange
}
