/** Answers fetch requests in the same process, by the engine that serves sockets. */

import { bodyLimits, type EngineRequest, type RequestBody } from '../exchange/request.ts'
import type { Engine, ResponseHead, Sink } from '../exchange/sink.ts'
import { statusTexts } from './status-texts.ts'

/** Data that a Request does not carry. */
interface BesideRequest {
  /** Headers of the world, which the request's own ones override. */
  readonly extra?: Readonly<Record<string, string>>
  /** The headers as the caller wrote them: a Request keeps their names in lower case only. */
  readonly written?: RequestInit['headers'] | undefined
  /** The set in which a running answer puts the function that aborts it. */
  readonly inFlight?: Set<() => void>
}

/** Answers a fetch request; rejects with the signal's reason when the caller aborts before the head. */
export async function fetchFrom(engine: Engine, request: Request, beside: BesideRequest = {}): Promise<Response> {
  request.signal.throwIfAborted()
  const engineRequest = await engineRequestOf(request, beside)
  request.signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    engine.handle(engineRequest, responseSink(request, resolve, reject, beside.inFlight))
  })
}

async function engineRequestOf(request: Request, { extra = {}, written }: BesideRequest): Promise<EngineRequest> {
  const url = new URL(request.url)
  return {
    method: request.method,
    target: url.pathname + url.search,
    headers: { ...extra, ...Object.fromEntries(request.headers) },
    ...(written === undefined || written instanceof Headers ? null : { rawHeaders: rawHeadersOf(written) }),
    body: await bodyOf(request),
    origin: url.origin,
  }
}

function rawHeadersOf(written: Exclude<RequestInit['headers'], Headers | undefined>): readonly string[] {
  const lines = Array.isArray(written) ? written : Object.entries(written)
  return lines.flat().map(String)
}

async function bodyOf(request: Request): Promise<RequestBody> {
  if (request.body === null) return { kind: 'none' }
  // Firefox has no stream for the body of a request, and Safari none that can be looped over.
  if (!(Symbol.asyncIterator in (request.body ?? {}))) return wholeBodyOf(request)
  if (request.method === 'PUT') return { kind: 'stream', pieces: request.body }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request.body) {
    length += piece.length
    if (length > bodyLimits.jsonBytes) return { kind: 'too-large', limitBytes: bodyLimits.jsonBytes }
    pieces.push(piece)
  }
  return { kind: 'bytes', bytes: pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces) }
}

async function wholeBodyOf(request: Request): Promise<RequestBody> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length === 0) return { kind: 'none' }
  const tooLarge = request.method !== 'PUT' && bytes.length > bodyLimits.jsonBytes
  return tooLarge ? { kind: 'too-large', limitBytes: bodyLimits.jsonBytes } : { kind: 'bytes', bytes }
}

const highWaterMark = 65_536

function responseSink(
  request: Request,
  resolve: (response: Response) => void,
  reject: (cause: unknown) => void,
  inFlight: Set<() => void> = new Set(),
): Sink {
  let head: ResponseHead = { status: 500, headers: {} }
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let resume: (() => void) | null = null
  let stop: (() => void) | null = null
  let failure: TypeError | null = null
  const gone = () => {
    inFlight.delete(breakOff)
    const told = stop
    stop = null
    told?.()
  }
  const open = (): ReadableStreamDefaultController<Uint8Array> => {
    if (controller !== null) return controller
    const body = new ReadableStream<Uint8Array>(
      {
        start: (made) => {
          controller = made
        },
        pull: () => {
          // An error would discard unread data, so it comes after the last piece.
          if (failure !== null && controller?.desiredSize === highWaterMark) controller.error(failure)
          const waiting = resume
          resume = null
          waiting?.()
        },
        cancel: gone,
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    )
    resolve(responseOf(request, head, body))
    return controller as unknown as ReadableStreamDefaultController<Uint8Array>
  }
  const leave = (reason: unknown) => {
    gone()
    if (controller === null) reject(reason)
    else controller.error(reason)
  }
  const breakOff = () => leave(new TypeError('the mock was closed'))
  inFlight.add(breakOff)
  request.signal.addEventListener('abort', () => leave(request.signal.reason))
  return {
    head(sent) {
      head = sent
      // A body of known length comes in one piece with the end; a stream is opened before its first chunk exists.
      if (head.headers['content-length'] === undefined) open()
    },
    write(bytes) {
      const to = open()
      to.enqueue(bytes)
      return (to.desiredSize ?? 0) > 0
    },
    end(bytes) {
      stop = null
      inFlight.delete(breakOff)
      if (controller === null) {
        resolve(responseOf(request, head, bytes ?? null))
        return
      }
      if (bytes !== undefined) controller.enqueue(bytes)
      controller.close()
    },
    reset() {
      inFlight.delete(breakOff)
      const cause = new Error('the mock broke the connection off')
      failure = new TypeError(controller === null ? 'fetch failed' : 'terminated', { cause })
      if (controller === null) reject(failure)
      else if (controller.desiredSize === highWaterMark) controller.error(failure)
    },
    whenWritable(then) {
      resume = then
    },
    whenGone(then) {
      stop = then
    },
  }
}

function responseOf(
  request: Request,
  head: ResponseHead,
  body: Uint8Array | ReadableStream<Uint8Array> | null,
): Response {
  const bodiless = request.method === 'HEAD' || head.status === 204 || head.status === 304
  const init = { status: head.status, statusText: statusTexts[head.status] ?? '', headers: head.headers }
  const response = new Response(bodiless ? null : (body as ConstructorParameters<typeof Response>[0]), init)
  // The constructor of a Response takes no URL, and code that follows a request reads it.
  return Object.defineProperty(response, 'url', { value: urlOf(request) })
}

/** As a socket shows it: without a fragment (Fetch, 2.2.6). */
function urlOf({ url }: Request): string {
  const mark = url.indexOf('#')
  return mark < 0 ? url : url.slice(0, mark)
}
