/**
 * Forwards one request through the recording proxy, with raw header lines and back-pressure. A broken upstream connection
 * becomes a broken answer. Recording happens beside the stream and never delays it.
 */
import { Buffer } from 'node:buffer'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Socket } from 'node:net'
import { type Recording, startRecording } from '../client/recording.ts'
import type { Route } from '../client/route.ts'
import { splitUrl } from '../client/target-url.ts'
import { failureOf } from '../client/transport-failure.ts'
import { tenantOfKey } from '../profile/observed-profile.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { HeaderLines } from '../trace/exchange.ts'
import type { PassedExchange } from './passed-exchange.ts'

export interface ProxiedExchangeOptions {
  readonly upstream: string
  readonly onPassed: (passed: PassedExchange) => Promise<void> | void
  readonly profile?: TargetProfile | undefined
  /** Connects to the upstream; default directly. */
  readonly open?: Route['open'] | undefined
  readonly maxBodyBytes: number
  readonly nowMs: () => number
  readonly nextId: () => string
}

/** The proxy passes what either side's own limits let through. */
export const mostHeaderBytes = 1024 * 1024
/** A day: the proxy imposes no time limit of its own. */
const noLimitMs = 86_400_000

const pairs = (raw: readonly string[]): HeaderLines =>
  Array.from({ length: raw.length >> 1 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? ''])

/** Lines about the connection end here, and so does the name of a trailer that a body of a known length cannot have. */
const passable = (raw: readonly string[]): HeaderLines => {
  const lines = pairs(raw)
  const isChunked = lines.some(([name, value]) => /^transfer-encoding$/i.test(name) && /chunked/i.test(value))
  const ends = isChunked ? /^(?:connection|keep-alive)$/i : /^(?:connection|keep-alive|trailer)$/i
  return lines.filter(([name]) => !ends.test(name))
}

/** The client's own lines; only the host is the upstream's, and connection headers belong to each side. */
const forwardHeaders = (request: IncomingMessage, host: string): HeaderLines => [
  ['host', host],
  ...passable(request.rawHeaders).filter(([name]) => !/^(?:host|proxy-connection)$/i.test(name)),
]

const answerHeaders = (response: IncomingMessage): HeaderLines => passable(response.rawHeaders)

interface SentBody {
  readonly body: Uint8Array | null
  readonly omittedBytes: number
}

/** The bytes sent, up to the limit; the rest is forwarded and not kept. */
const collectBody = (request: IncomingMessage, maxBytes: number): (() => SentBody) => {
  const pieces: Uint8Array[] = []
  let size = 0
  request.on('data', (piece: Buffer) => {
    if (size < maxBytes) pieces.push(piece.subarray(0, maxBytes - size))
    size += piece.byteLength
  })
  return () => ({ body: size === 0 ? null : Buffer.concat(pieces), omittedBytes: Math.max(0, size - maxBytes) })
}

/** Kept alive, but too briefly for the upstream's close to collide with a request. */
const agentOptions = { keepAlive: true, timeout: 2_000 }

/** The upstream's reason phrase; characters that no line may hold are left out. */
const reasonOf = ({ statusMessage = '' }: IncomingMessage): string =>
  Array.from(statusMessage)
    .filter((sign) => sign === '\t' || (sign >= ' ' && sign <= '\u00ff' && sign !== '\u007f'))
    .join('')

const passAnswer = (answer: IncomingMessage, response: ServerResponse, recording: Recording): void => {
  const status = answer.statusCode ?? 0
  recording.head(status, pairs(answer.rawHeaders))
  answer.on('data', (piece: Buffer) => recording.piece(piece))
  answer.on('end', () => recording.end('complete'))
  answer.on('close', () => {
    if (answer.complete) return
    recording.end('cut', 'the upstream ended inside the answer')
    response.destroy()
  })
  answer.on('error', () => response.destroy())
  response.sendDate = false
  response.writeHead(Math.max(status, 100), reasonOf(answer), answerHeaders(answer).flat())
  // Sends the head at once; flushHeaders would write it as UTF-8, and header bytes above 0x7f would change.
  response.write(new Uint8Array())
  answer.pipe(response)
}

const answerForUpstream = (response: ServerResponse, failure: string): void => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = JSON.stringify({ error: `the upstream gave no answer: ${failure}` })
  response.writeHead(502, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const connectBoth = (
  request: IncomingMessage,
  response: ServerResponse,
  upstream: ClientRequest,
  recording: Recording,
): void => {
  upstream.on('response', (answer) => {
    try {
      passAnswer(answer, response, recording)
    } catch (error) {
      // An answer that cannot be forwarded is still evidence: it is read to its end.
      answer.resume()
      answerForUpstream(response, `its answer cannot be passed on (${messageOf(error)})`)
    }
  })
  upstream.on('upgrade', (_, socket) => {
    socket.destroy()
    recording.end('cut', 'the upstream changed the protocol')
    answerForUpstream(response, 'it changed the protocol')
  })
  upstream.on('error', (error) => {
    const { ending, failure } = failureOf(error, recording.hasHead())
    recording.end(ending, failure)
    answerForUpstream(response, failure)
  })
  // Writing to a disconnected caller is no error; `close` reports the end.
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  response.on('close', () => {
    if (response.writableFinished) return
    recording.end('aborted', 'the caller left')
    upstream.destroy()
  })
  request.pipe(upstream)
}

/**
 * Makes the handler of requests; its promise resolves when the exchange was reported, and never rejects because of
 * either side.
 */
export const createProxiedExchange = (options: ProxiedExchangeOptions) => {
  const { origin, path: basePath } = splitUrl(options.upstream)
  const { protocol, hostname, port, host } = new URL(origin)
  const isTls = protocol === 'https:'
  const send = isTls ? requestHttps : requestHttp
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions)
  const { open } = options
  if (open !== undefined)
    agent.createConnection = (_, done) => {
      open(origin).then(
        (socket) => done?.(null, socket),
        (cause: Error) => done?.(cause, new Socket()),
      )
      return undefined
    }
  const limits = {
    idleMs: noLimitMs,
    totalMs: noLimitMs,
    bodyBytes: options.maxBodyBytes,
    store: { leftBytes: Number.POSITIVE_INFINITY },
    headerBytes: Number.POSITIVE_INFINITY,
    pieces: Number.POSITIVE_INFINITY,
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = options.nextId()
    const target = basePath.replace(/\/+$/, '') + (request.url ?? '/')
    const headers = forwardHeaders(request, host)
    const method = request.method ?? 'GET'
    const sentBody = collectBody(request, options.maxBodyBytes)
    const recording = startRecording({ nowMs: options.nowMs, limits, leave: () => undefined })
    try {
      const upstream = send({
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: target,
        headers: headers.flat(),
        setDefaultHeaders: false,
        maxHeaderSize: mostHeaderBytes,
        agent,
      })
      connectBoth(request, response, upstream, recording)
    } catch (error) {
      // Requests that no client of this machine would send.
      recording.end('unreachable', `the request cannot be passed on: ${messageOf(error)}`)
      answerForUpstream(response, messageOf(error))
    }
    const outcome = await recording.outcome
    const key = request.headers['api-key']
    const credential = options.profile === undefined ? null : tenantOfKey(options.profile, key?.toString())
    await options.onPassed({
      id,
      credential,
      request: { method, url: origin + target, headers, ...sentBody() },
      outcome,
    })
  }
}
