/**
 * Makes every exchange of one client and holds their shared state. Each is admitted, timed, decoded, redacted, settled and
 * reported, and both transports go through here.
 */

import { setTimeout as sleepMs } from 'node:timers/promises'
import type { Exchange } from '../trace/exchange.ts'
import { callsModel } from './calls-model.ts'
import { undoContentCoding } from './content-coding.ts'
import { createEventLoopLag, type EventLoopLag, noLag } from './event-loop-lag.ts'
import { BudgetExhausted } from './meter.ts'
import type { AdmissionRequest } from './meter-accounts.ts'
import { createPatience } from './patience.ts'
import { evidenceOf, type RawRequest } from './record-exchange.ts'
import { type Limits, pieceBytes, type WireOutcome } from './recording.ts'
import type { ClientOptions, SendBase } from './send-request.ts'
import { mayHaveReachedModel } from './transient-failure.ts'

/** Thrown by `send` once the client was closed. */
export class ClientClosed extends Error {
  override readonly name = 'ClientClosed'
  readonly code = 'closed'
}

export interface Session {
  readonly options: ClientOptions
  readonly nowMs: () => number
  readonly lag: EventLoopLag
  /** Aborted when the client is closed. */
  readonly signal: AbortSignal
  /** Resolves after a while, or early when the client is closed. */
  readonly pause: (waitMs: number) => Promise<void>
  readonly nextId: () => string
  readonly limitsFor: (request: Partial<Pick<SendBase, 'timeoutMs' | 'operation' | 'method'>>) => Limits
  /** Records how long an answer of the model took. */
  readonly learnModelMs: (tookMs: number) => void
}

/** Parsed as JSON, a body may take ten times its size, and all of it is in memory when a trace is judged. */
const defaultRunBytes = 128 * 1024 * 1024
/** Larger than the usual limits of servers, and small enough to do no harm. */
const mostHeaderBytes = 64 * 1024
const mostPieces = 50_000
/** A whole stream may take this many times the longest silence. */
const totalOverIdle = 4

/** Starts the clock and the count of a client. */
export const createSession = (options: ClientOptions, signal: AbortSignal): Session => {
  const { clock = () => performance.now() } = options
  const originMs = options.originMs ?? clock()
  const { maxBodyBytes, maxRunBytes = defaultRunBytes } = options.profile.budget
  const patience = createPatience(options.profile)
  let sent = options.exchangesBefore ?? 0
  const store = { leftBytes: maxRunBytes }
  return {
    options,
    nowMs: () => clock() - originMs,
    lag: options.clock === undefined ? createEventLoopLag(clock) : noLag,
    signal,
    pause: (waitMs) => sleepMs(waitMs, undefined, { signal }).catch(() => undefined),
    learnModelMs: patience.learnModelMs,
    nextId: () => {
      sent += 1
      return `E${sent}`
    },
    limitsFor: (request) => {
      const { operation = null, method = '' } = request
      const idleMs = request.timeoutMs ?? patience.idleMs(callsModel(operation, method, ''))
      return {
        idleMs,
        totalMs: idleMs * totalOverIdle,
        bodyBytes: maxBodyBytes,
        store,
        headerBytes: mostHeaderBytes,
        pieces: mostPieces,
      }
    },
  }
}

const isModelAnswer = ({ operation, method }: SendBase, { ending, response }: Exchange): boolean =>
  callsModel(operation, method, '') && ending === 'complete' && response !== null && response.status < 300

type Transport = (limits: Limits) => Promise<WireOutcome>

/** Undoes the content coding within the memory of the run: the decoded bytes replace the received ones. */
const unpacked = async (wire: WireOutcome, { store, bodyBytes }: Limits): Promise<WireOutcome> => {
  const came = sizeOf(wire)
  const room = Math.max(0, store.leftBytes + came)
  const outcome = await undoContentCoding(wire, Math.min(bodyBytes, room))
  if (outcome !== wire) store.leftBytes += came - sizeOf(outcome)
  // A body that was truncated by the memory limit of the run leaves no memory for others.
  if (outcome !== wire && outcome.ending === 'capped' && room < bodyBytes)
    store.leftBytes = Math.min(store.leftBytes, 0)
  return outcome
}

const sizeOf = ({ response }: WireOutcome): number =>
  (response?.pieces ?? []).reduce((sum, { bytes }) => sum + bytes.byteLength + pieceBytes, 0)

const credentialName = ({ credential }: SendBase): string | null => (typeof credential === 'string' ? credential : null)

/** The properties of a request that the meter needs. */
export const admissionOf = (
  { operation, intent, isRepetition }: SendBase,
  { method, url }: RawRequest,
  signal?: AbortSignal,
): AdmissionRequest => ({
  callsModel: callsModel(operation, method, url),
  sender: intent?.probe,
  kind: isRepetition === true ? 'repetition' : (intent?.expects ?? 'accepted') === 'accepted' ? 'planned' : 'refusal',
  ...(signal === undefined ? {} : { signal }),
})

/** Makes one exchange; throws BudgetExhausted or ClientClosed before anything is sent. */
export const perform = async (
  session: Session,
  request: SendBase,
  raw: RawRequest,
  transport: Transport,
): Promise<{ exchange: Exchange; outcome: WireOutcome }> => {
  const { options, signal, lag } = session
  if (signal.aborted) throw new ClientClosed('the client is closed')
  const { meter, pseudonyms, onExchange } = options
  const admission = await meter.admit(admissionOf(request, raw, signal)).catch((cause: unknown) => {
    throw signal.aborted ? new ClientClosed('the client is closed', { cause }) : cause
  })
  if (signal.aborted) {
    admission.settle(false)
    throw new ClientClosed('the client is closed')
  }
  const limits = session.limitsFor(request)
  if (limits.store.leftBytes <= 0) {
    admission.settle(false)
    throw new BudgetExhausted('bodyBytes', options.profile.budget.maxRunBytes ?? defaultRunBytes)
  }
  const id = session.nextId()
  const stopWatching = lag.watch()
  let reachedModel = false
  try {
    const wire = await transport(limits).finally(() => stopWatching())
    const outcome = await unpacked(wire, limits)
    const known = { id, credential: credentialName(request), intent: request.intent, pseudonyms }
    const exchange = evidenceOf(raw, outcome, { ...known, loopLagMs: stopWatching() })
    reachedModel = mayHaveReachedModel(exchange)
    if (isModelAnswer(request, exchange)) session.learnModelMs(exchange.endedAtMs - exchange.sentAtMs)
    admission.settle(reachedModel)
    onExchange?.(exchange, meter.cost())
    return { exchange, outcome }
  } finally {
    admission.settle(reachedModel)
  }
}
