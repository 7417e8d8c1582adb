/**
 * Sends requests to a fetch handler in the same process instead of the network. A team can thus test its app against the
 * contract in its own tests. The meter, the pseudonyms and the recording are those of the HTTP client.
 */

import { type Exchange, type HeaderLines, stoppedRun } from '../trace/exchange.ts'
import type { Client } from './client.ts'
import { destinationOf } from './destination.ts'
import { type Limits, leftAtOnce, type Recording, startRecording, type WireOutcome } from './recording.ts'
import type { ClientOptions, SendRawRequest, SendRequest } from './send-request.ts'
import { createSession, perform, type Session } from './session.ts'
import type { WireRequest } from './undici-attempt.ts'
import { bodyParts, recordedRequest, wireRequest } from './wire-request.ts'

/** The handler: the signature of `fetch` in Hono, workers and the Fetch standard. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** Creates clients that pass their requests to `handler`. */
export function fetchClient(handler: FetchHandler): (options: ClientOptions) => Client {
  return (options) => {
    const stopped = new AbortController()
    const session = createSession(options, stopped.signal)
    const send = (request: SendRequest): Promise<Exchange> => exchangeWith(handler, session, request)
    const close = async (): Promise<void> => stopped.abort()
    return {
      send,
      sendRaw: (request) => exchangeWith(handler, session, plain(request), true),
      cost: options.meter.cost,
      nowMs: session.nowMs,
      pause: session.pause,
      close,
      [Symbol.asyncDispose]: close,
    }
  }
}

const written = new WeakMap<Request, HeaderLines>()

/** The headers of a request as the suite wrote them: a Request itself keeps names in lower case only. */
export const headersAsWritten = (request: Request): HeaderLines | undefined => written.get(request)

/** The closest request that a handler can receive; a request that it cannot represent ends as unreachable. */
function plain({ requestLine: _line, contentLength: _length, ...request }: SendRawRequest): SendRequest {
  return { ...request, leaveOut: ['content-type'] }
}

async function exchangeWith(
  handler: FetchHandler,
  session: Session,
  given: SendRequest,
  inParts = false,
): Promise<Exchange> {
  const destination = destinationOf(session.options, given)
  const { request } = destination
  const wire = wireRequest(destination)
  const transport = (limits: Limits): Promise<WireOutcome> =>
    answer(handler, session, wire, { ...request, limits, inParts })
  return (await perform(session, request, recordedRequest(wire), transport)).exchange
}

type Departure = Pick<SendRequest, 'abortAfterPieces' | 'leavesAtOnce' | 'onFirstPiece'>

async function answer(
  handler: FetchHandler,
  session: Session,
  wire: WireRequest,
  {
    limits,
    abortAfterPieces,
    leavesAtOnce,
    onFirstPiece,
    inParts,
  }: Departure & { readonly limits: Limits; readonly inParts: boolean },
): Promise<WireOutcome> {
  const leave = new AbortController()
  const leaveNow = (): void => leave.abort()
  const recording = startRecording({ nowMs: session.nowMs, limits, abortAfterPieces, onFirstPiece, leave: leaveNow })
  const stop = (): void => {
    recording.end('aborted', stoppedRun)
    leave.abort()
  }
  session.signal.addEventListener('abort', stop)
  void deliver(handler, requestOrNull(wire, leave.signal, inParts), recording)
  if (leavesAtOnce) {
    recording.end('aborted', leftAtOnce)
    leaveNow()
  }
  const outcome = await recording.outcome
  session.signal.removeEventListener('abort', stop)
  return outcome
}

/** Runs beside the recording, whose limits also end a handler that never returns. */
async function deliver(handler: FetchHandler, request: Request | null, recording: Recording): Promise<void> {
  try {
    if (request === null) throw new Error('a fetch handler cannot be given this request')
    const response = await handler(request)
    recording.head(response.status, [...response.headers])
    for await (const piece of response.body ?? []) {
      if (recording.hasEnded()) return
      recording.piece(piece)
    }
    recording.end('complete')
  } catch (error) {
    recording.end(recording.hasHead() ? 'cut' : 'unreachable', error instanceof Error ? error.message : String(error))
  }
}

function requestOrNull(
  { method, origin, target, headers, body }: WireRequest,
  signal: AbortSignal,
  inParts: boolean,
): Request | null {
  const lines = headers.map(([name, value]): [string, string] => [name, value])
  // Splits the body into the parts that a raw socket writes.
  const carried = (bytes: Uint8Array) =>
    inParts ? { body: streamOf(bodyParts(bytes)), duplex: 'half' as const } : { body: Buffer.from(bytes) }
  const init = { method, headers: lines, signal, ...(body === null ? {} : carried(body)) }
  try {
    const request = new Request(origin + target, init)
    written.set(request, headers)
    return request
  } catch {
    return null
  }
}

/** Each part in its own turn of the event loop, so that other requests interleave as they do on a network. */
function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const waiting = [...parts]
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => void setImmediate(resolve))
      const part = waiting.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
}
