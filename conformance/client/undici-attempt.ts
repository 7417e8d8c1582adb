/**
 * Sends one request over undici's dispatcher, the layer below `request` and `fetch`. There repeated headers and their
 * case survive both ways, pieces arrive as the socket gave them, and undici follows, merges and decodes nothing.
 */
import { Buffer } from 'node:buffer'
import { Agent, type buildConnector, type Dispatcher, errors } from 'undici'
import { type HeaderLines, stoppedRun } from '../trace/exchange.ts'
import { type Limits, leftAtOnce, type Recording, startRecording, type WireOutcome } from './recording.ts'
import { failureOf } from './transport-failure.ts'
import { UnsendableRequest } from './unsendable.ts'

/** A request as it stands on the wire, except for `host` and `connection`, which come first, and `content-length`, which comes last. */
export interface WireRequest {
  readonly method: string
  readonly origin: string
  /** Path and query, byte for byte. */
  readonly target: string
  readonly headers: HeaderLines
  readonly body: Uint8Array | null
}

/** The sockets of one client: kept alive, but too briefly for a server's close to collide with a request. */
export const createAgent = (limits: Pick<Limits, 'headerBytes'>, connect: buildConnector.connector): Agent =>
  new Agent({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
    connect,
  })

const headerLinesOf = (raw: readonly unknown[]): HeaderLines => {
  const texts = raw.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)))
  return Array.from({ length: texts.length >> 1 }, (_, index) => [texts[index * 2] ?? '', texts[index * 2 + 1] ?? ''])
}

/** Ends at its head, whatever its headers say of a body (RFC 9112, 6.3); undici takes a length there for a broken connection. */
const endsAtHead = (status: number): boolean => status === 204 || status === 304

const createHandler = (
  recording: Recording,
  onStart: (controller: Dispatcher.DispatchController) => void,
  onRefusal: (error: Error) => void,
): Dispatcher.DispatchHandler => ({
  onRequestStart: onStart,
  onResponseStart: (controller, status) => {
    const { rawHeaders } = controller
    if (status >= 200) recording.head(status, Array.isArray(rawHeaders) ? headerLinesOf(rawHeaders) : [])
    if (endsAtHead(status)) recording.end('complete')
  },
  onResponseData: (_, bytes) => recording.piece(bytes),
  onResponseEnd: () => recording.end('complete'),
  onResponseError: (_, error) => {
    const { ending, failure } = failureOf(error, recording.hasHead())
    recording.end(ending, failure)
    if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) onRefusal(error)
  },
})

interface AttemptOptions {
  readonly nowMs: () => number
  readonly limits: Limits
  readonly abortAfterPieces?: number | undefined
  readonly onFirstPiece?: (() => void) | undefined
  readonly leavesAtOnce?: boolean | undefined
  /** Aborts the exchange; it ends `aborted`. */
  readonly signal: AbortSignal
}

/** Sends once; throws UnsendableRequest for a request that undici refuses to write. */
export const attempt = async (agent: Agent, request: WireRequest, options: AttemptOptions): Promise<WireOutcome> => {
  let controller: Dispatcher.DispatchController | null = null
  let refusal: Error | null = null
  const leave = (): void => controller?.abort(new Error('left'))
  const recording = startRecording({ ...options, leave })
  const abort = (): void => {
    recording.end('aborted', stoppedRun)
    leave()
  }
  const leaveEarly = (): void => {
    recording.end('aborted', leftAtOnce)
    leave()
  }
  const onStart = (started: Dispatcher.DispatchController): void => {
    controller = started
    if (recording.hasEnded()) leave()
    // undici writes the request in this turn of the loop; nothing has been read by then, so the server gets it whole.
    else if (options.leavesAtOnce) setImmediate(leaveEarly)
  }
  const onRefusal = (error: Error): void => {
    refusal = new UnsendableRequest(`${error.message}: only sendRaw writes that`, { cause: error })
  }
  options.signal.addEventListener('abort', abort)
  const { origin, method, target: path, headers, body } = request
  agent.dispatch(
    { origin, method: method as Dispatcher.HttpMethod, path, headers: headers.flat(), body },
    createHandler(recording, onStart, onRefusal),
  )
  if (options.signal.aborted) abort()
  const outcome = await recording.outcome
  options.signal.removeEventListener('abort', abort)
  if (refusal !== null) throw refusal
  return outcome
}
