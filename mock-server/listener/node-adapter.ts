/**
 * One request of node:http as the engine takes it, and a sink over its response.
 * The body is owned here as raw bytes: read up to a limit for JSON, handed on as a stream for uploads.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { bodyLimits, type RequestBody } from '../exchange/request.ts'
import type { Engine, ResponseHead, Sink } from '../exchange/sink.ts'
import { arrivingBodies } from '../streams/stalled-streams.ts'
import { atEndOfTurn } from './batched-writes.ts'
import { type ChunkWriter, chunkWriter } from './chunk-writer.ts'
import { closingHeader, endBehindBody } from './unread-body.ts'

/** Answers a request with the engine; `extraHeaders` (CORS) are added to every response. */
export function handleNodeRequest(
  engine: Engine,
  request: IncomingMessage,
  target: string,
  response: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
): void {
  const pass = (body: RequestBody) => {
    if (response.destroyed) return
    const mayComeLater = body.kind === 'stream' || body.kind === 'too-large'
    engine.handle(
      {
        method: request.method ?? 'GET',
        target: targetOf(target),
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
        origin: originOf(request),
      },
      socketSink(response, extraHeaders, mayComeLater ? request : null),
    )
  }
  // Stopping to read must not destroy the request, and with it the connection that carries the answer.
  if (request.method === 'PUT') pass({ kind: 'stream', pieces: request.iterator({ destroyOnReturn: false }) })
  else collect(request, pass)
}

/** Smaller bodies are not worth counting while they arrive. */
const countedBytes = 16_384

function collect(request: IncomingMessage, pass: (body: RequestBody) => void): void {
  if (!hasBody(request)) {
    pass({ kind: 'none' })
    return
  }
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > bodyLimits.jsonBytes) {
    tooLarge(pass)
    return
  }
  let pieces: Buffer[] = []
  let length = 0
  const onData = (piece: Buffer) => {
    length += piece.length
    pieces.push(piece)
    if (length <= bodyLimits.jsonBytes) {
      if (length > countedBytes) arrivingBodies.note(request, { bytes: length, breakOff: () => request.destroy() })
      return
    }
    pieces = []
    arrivingBodies.drop(request)
    request.off('data', onData)
    request.off('end', onEnd)
    tooLarge(pass)
  }
  const onEnd = () => {
    arrivingBodies.drop(request)
    const [only] = pieces
    // A copy: the buffer of the socket is large, and the journal would keep all of it.
    pass({
      kind: 'bytes',
      bytes: pieces.length === 1 && only !== undefined ? Buffer.from(only) : Buffer.concat(pieces),
    })
  }
  request.on('data', onData)
  request.on('end', onEnd)
  request.once('close', () => arrivingBodies.drop(request))
}

function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length !== undefined || encoding !== undefined) return true
  // HTTP/2 needs neither: a head that is not the end of its stream has a body.
  return (request as { stream?: ServerHttp2Stream }).stream?.endAfterHeaders === false
}

function tooLarge(pass: (body: RequestBody) => void): void {
  pass({ kind: 'too-large', limitBytes: bodyLimits.jsonBytes })
}

/** Codes of HTTP/2 (RFC 9113, 7). */
const internalError = 2
const connectError = 10

/** A sink over a response; `arriving` is its request where the answer may come before the body is whole. */
function socketSink(
  response: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
  arriving: IncomingMessage | null,
): Sink {
  let chunks: ChunkWriter | null = null
  const sink: Sink = {
    head(head: ResponseHead) {
      const framed = head.headers['content-length'] === undefined && response.req.httpVersionMinor > 0
      const framing = framed ? { 'transfer-encoding': 'chunked' } : null
      const closing = arriving === null ? null : closingHeader(arriving)
      response.writeHead(head.status, { ...extraHeaders, ...head.headers, ...framing, ...closing })
      // Chunks framed here: node:http takes four writes for one, which halves the rate of a stream.
      if (!framed) return
      response.chunkedEncoding = false
      const writer = chunkWriter(response)
      chunks = writer
      sink.writeFramed = (bytes) => writer.writeFramed(bytes)
    },
    write: (bytes) => (chunks === null ? response.write(bytes) : chunks.write(bytes)),
    end(bytes, handedOn) {
      if (chunks !== null) chunks.end(bytes)
      else if (arriving !== null) atEndOfTurn(() => endBehindBody(arriving, response, bytes, handedOn))
      else if (bytes === undefined) atEndOfTurn(() => response.end())
      else atEndOfTurn(() => endWith(response, bytes, handedOn))
    },
    reset(how = 'close') {
      // A head without a body waits for its first bytes, which do not come.
      if (response.headersSent) response.flushHeaders()
      // One turn later: what was written before is still corked.
      setImmediate(() => {
        const { stream } = response as { stream?: ServerHttp2Stream }
        // The connection has other streams; this one ends in the middle, in either way.
        if (stream !== undefined) stream.close(how === 'reset' ? connectError : internalError)
        else if (how === 'reset') response.socket?.resetAndDestroy()
        else response.destroy()
      })
    },
    whenWritable(resume) {
      if (chunks === null) response.once('drain', resume)
      else chunks.whenWritable(resume)
    },
    whenGone(stop) {
      response.once('close', () => {
        if (!response.writableFinished) stop()
      })
    },
  }
  return sink
}

/** Above this, copying a body costs more than a second buffer for the system to gather. */
const joinedBytes = 4096

/** A small body goes as text, a character for each byte: node:http joins that with the head, and writes once. */
function endWith(response: ServerResponse, bytes: Uint8Array, handedOn: (() => void) | undefined): void {
  if (bytes.length > joinedBytes) response.end(bytes, handedOn)
  else response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'latin1', handedOn)
}

function targetOf(url: string): string {
  if (url.startsWith('/')) return url
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

const hostPattern = /^[A-Za-z0-9.\-_:[\]]{1,255}$/

/** The origin from the caller's view: that of a proxy or a tunnel in front, if it names itself. */
export function originOf(request: IncomingMessage): string {
  const { headers } = request
  const host = firstOf(headers['x-forwarded-host']) ?? headers.host
  const scheme = firstOf(headers['x-forwarded-proto']) === 'https' || isEncrypted(request) ? 'https' : 'http'
  if (host !== undefined && hostPattern.test(host)) return `${scheme}://${host}`
  return `${scheme}://127.0.0.1:${request.socket.localPort ?? 0}`
}

/** The first of several proxies is the one that the caller sees. */
function firstOf(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0]
  return text?.split(',', 1)[0]?.trim()
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket && socket.encrypted === true
}
