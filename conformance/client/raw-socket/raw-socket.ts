/**
 * Writes what an HTTP client refuses to send: control bytes in headers, a Content-Length that lies, a malformed request
 * line. Over a bare socket, with a reader of its own for the answer; recorded like every other exchange.
 */
import { Buffer } from 'node:buffer'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Exchange, HeaderLines } from '../../trace/exchange.ts'
import type { SendRawRequest } from '../client.ts'
import { destinationOf } from '../destination.ts'
import type { RawRequest } from '../record-exchange.ts'
import { type Limits, startRecording, type WireOutcome } from '../recording.ts'
import { perform, type Session } from '../session.ts'
import { failureOf } from '../transport-failure.ts'
import { UnsendableRequest } from '../unsendable.ts'
import { bodyBytes, hostOf, type Target } from '../wire-request.ts'
import { createResponseReader } from './response-reader.ts'

const headerLines = (
  request: SendRawRequest,
  target: Target,
  key: string | null,
  body: Uint8Array | null,
): HeaderLines => {
  const length = request.contentLength === undefined ? body?.byteLength : request.contentLength
  return [
    ['host', hostOf(target.origin)],
    ['connection', 'close'],
    ['user-agent', 'node'],
    ['accept', '*/*'],
    ...(key === null ? [] : [['api-key', key] as const]),
    ...(request.headers ?? []),
    ...(length === undefined || length === null ? [] : [['content-length', String(length)] as const]),
  ]
}

const openSocket = ({ origin }: Target): Socket => {
  const { protocol, hostname, port } = new URL(origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') return connectTcp({ host, port: Number(port || 80) })
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({ host, port: Number(port || 443), ...servername })
}

interface RawAttempt {
  readonly bytes: Uint8Array
  readonly target: Target
  readonly method: string
  readonly limits: Limits
}

const attemptRaw = async (session: Session, { bytes, target, method, limits }: RawAttempt): Promise<WireOutcome> => {
  const socket = openSocket(target)
  const recording = startRecording({ nowMs: session.nowMs, limits, leave: () => socket.destroy() })
  const reader = createResponseReader({ recording, maxHeaderBytes: limits.headerBytes, isHead: method === 'HEAD' })
  const abort = (): void => {
    recording.end('aborted', 'the run was stopped')
    socket.destroy()
  }
  socket.on('data', (piece: Buffer) => reader.read(piece))
  socket.on('end', () => reader.end())
  socket.on('close', () => reader.end())
  socket.on('error', (error) => {
    const { ending, failure } = failureOf(error, recording.hasHead())
    recording.end(ending, failure)
  })
  session.signal.addEventListener('abort', abort)
  if (session.signal.aborted) abort()
  socket.write(bytes)
  const outcome = await recording.outcome
  session.signal.removeEventListener('abort', abort)
  socket.destroy()
  return outcome
}

/** A raw request as it is recorded; throws UnsendableRequest for another origin than the profile's. */
export const rawRequestOf = (
  request: SendRawRequest,
  options: Session['options'],
): { readonly target: Target; readonly raw: RawRequest } => {
  const { target, key, isOwnOrigin } = destinationOf(options, request)
  if (!isOwnOrigin) throw new UnsendableRequest(`A raw request goes to the target only, not to ${target.origin}.`)
  const body = bodyBytes(request.body)
  const headers = headerLines(request, target, key, body)
  const given = request.requestLine === undefined ? {} : { line: request.requestLine }
  return { target, raw: { method: request.method, url: target.origin + target.path, headers, body, ...given } }
}

/** Sends one raw request in a session; one attempt, no redirects. */
export const sendRaw = async (session: Session, request: SendRawRequest): Promise<Exchange> => {
  const { target, raw } = rawRequestOf(request, session.options)
  const line = raw.line ?? `${request.method} ${target.path} HTTP/1.1`
  const head = `${[line, ...raw.headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), raw.body ?? new Uint8Array()])
  const { exchange } = await perform(session, request, raw, (limits) =>
    attemptRaw(session, { bytes, target, method: request.method, limits }),
  )
  return exchange
}
