/**
 * Sends one request over HTTP and records the bytes on the wire as an Exchange. It never throws because of a target's
 * behaviour. Together with raw-socket/ and conformance/watch/ it holds the suite's only sockets.
 */
import type { Agent } from 'undici'
import type { Exchange } from '../trace/exchange.ts'
import { callsModel } from './calls-model.ts'
import { createDepartures } from './departures.ts'
import { type Destination, destinationOf } from './destination.ts'
import { createHostGuard } from './host-guard.ts'
import { BudgetExhausted } from './meter.ts'
import type { Cost } from './meter-accounts.ts'
import { createPace, type Pace } from './pace.ts'
import { sendRaw } from './raw-socket/raw-socket.ts'
import { type Answered, mostRedirects, redirected } from './redirect.ts'
import { createRetries, defaultRetryPolicy, type Retries } from './retry.ts'
import { createRoute } from './route.ts'
import type { ClientOptions, SendBase, SendRawRequest, SendRequest } from './send-request.ts'
import { ClientClosed, createSession, perform, type Session } from './session.ts'
import { mayHaveReachedModel, transientFailureOf } from './transient-failure.ts'
import { attempt, createAgent } from './undici-attempt.ts'
import { recordedRequest, wireRequest } from './wire-request.ts'

export { ClientClosed }

export interface Client extends AsyncDisposable {
  /**
   * Sends, follows same-origin redirects (at most 3), retries after environmental errors; returns the last exchange.
   * Throws BudgetExhausted, ClientClosed, UnsendableRequest for a request that cannot or must not be sent, and RangeError for
   * a tenant that the profile does not have.
   */
  readonly send: (request: SendRequest) => Promise<Exchange>
  /** Sends over a bare socket; retries after a gateway's answer, and once after a broken connection. */
  readonly sendRaw: (request: SendRawRequest) => Promise<Exchange>
  readonly cost: () => Cost
  /** Milliseconds on the trace's clock. */
  readonly nowMs: () => number
  /** Resolves after a while, or early when the client is closed. */
  readonly pause: (waitMs: number) => Promise<void>
  /** Ends exchanges in flight as `aborted` and closes the sockets. */
  readonly close: () => Promise<void>
}

/** The interface of the carrier of a client's requests: a network, or the recording of an earlier run. */
export interface Carrier {
  readonly once: (
    destination: Destination<SendRequest>,
  ) => Promise<{ readonly exchange: Exchange; readonly outcome: Answered }>
  /** Sends over a bare socket; one attempt. */
  readonly onceRaw: (request: SendRawRequest) => Promise<Exchange>
  /** Throws UnsendableRequest when nothing may be sent to another origin than the profile's. */
  readonly admit: (origin: string) => Promise<void>
  /** Milliseconds on the trace's clock. */
  readonly nowMs: () => number
  /** Resolves early when the client is closed. */
  readonly pause: (waitMs: number) => Promise<void>
  /** Aborted when the client is closed. */
  readonly signal: AbortSignal
}

interface ProbeClient extends Carrier {
  readonly options: ClientOptions
  readonly retries: Retries
  readonly pace: Pace
}

const networkOnce =
  (session: Session, agent: Agent): Carrier['once'] =>
  (destination) => {
    const { request } = destination
    const wire = wireRequest(destination)
    return perform(session, request, recordedRequest(wire), (limits) =>
      attempt(agent, wire, {
        nowMs: session.nowMs,
        limits,
        abortAfterPieces: request.abortAfterPieces,
        onFirstPiece: request.onFirstPiece,
        leavesAtOnce: request.leavesAtOnce,
        signal: session.signal,
      }),
    )
  }

/** The result, or `null` when the budget has no room for a further attempt. */
const withinBudget = async <T>(further: Promise<T>): Promise<T | null> => {
  try {
    return await further
  } catch (cause) {
    if (cause instanceof BudgetExhausted) return null
    throw cause
  }
}

const follow = async (sender: ProbeClient, request: SendRequest): Promise<Exchange> => {
  let current = destinationOf(sender.options, request)
  if (!current.isOwnOrigin) await sender.admit(current.target.origin)
  let sent = await sender.once(current)
  for (let hop = 0; hop < mostRedirects; hop += 1) {
    const next = redirected(current.request, current.target, sent.outcome)
    if (next === null) break
    const further = await withinBudget(sender.once({ ...current, ...next }))
    if (further === null) break
    current = { ...current, ...next }
    sent = further
  }
  return sent.exchange
}

/** Waits until the request may be sent again. */
const waitFor = async (
  { pace, pause }: ProbeClient,
  { credential }: SendBase,
  { transientFailure, waitMs }: NonNullable<ReturnType<Retries['waitBefore']>>,
): Promise<void> => {
  if (transientFailure !== 'rate-limited') return pause(waitMs)
  pace.refused(credential, waitMs)
  await pace.wait(credential)
}

/** Whether the target itself turned the request down, before the model could answer. */
const isRefused = (exchange: Exchange): boolean =>
  transientFailureOf(exchange) === null && (exchange.response?.status ?? 0) >= 400 && !mayHaveReachedModel(exchange)

const send = async (sender: ProbeClient, request: SendRequest): Promise<Exchange> => {
  if (request.retry === 'none') return follow(sender, request)
  await sender.pace.wait(request.credential)
  const mayCost = callsModel(request.operation, request.method, request.path)
  // A request that must be refused is answered before the model is called, and costs nothing.
  const kind = { callsModel: mayCost && request.intent?.expects !== 'rejected' }
  const charged: ('first-attempt' | 'repetition')[] = []
  let exchange = await follow(sender, request)
  const attemptsMade = { limited: 0, failed: 0 }
  for (let attempts = 1; ; attempts += 1) {
    const failure = transientFailureOf(exchange)
    attemptsMade[failure === 'rate-limited' ? 'limited' : 'failed'] += 1
    const again = sender.retries.waitBefore(
      exchange,
      failure === 'rate-limited' ? attemptsMade.limited : attemptsMade.failed,
      kind,
    )
    if (failure !== 'rate-limited') sender.pace.answered(request.credential)
    if (again === null) {
      if (isRefused(exchange)) for (const attempt of charged) sender.options.meter.refund(attempt)
      return exchange
    }
    if (mayCost && mayHaveReachedModel(exchange))
      charged.push(charged.length === 0 && attempts === 1 ? 'first-attempt' : 'repetition')
    request.onFailedAttempt?.(exchange)
    await waitFor(sender, request, again)
    if (sender.signal.aborted) return exchange
    const further = await withinBudget(follow(sender, { ...request, isRepetition: true }))
    if (further === null) return exchange
    exchange = further
  }
}

/**
 * Silence or a broken connection can be the answer to a malformed request; a gateway's status cannot. So silence is not
 * retried, and a broken connection is retried once.
 */
const mayBeAnswer = ({ ending, response }: Exchange, attempts: number): boolean =>
  response === null && (ending === 'timed-out' || attempts > 1)

const sendAsBytes = async (sender: ProbeClient, request: SendRawRequest): Promise<Exchange> => {
  await sender.pace.wait(request.credential)
  let exchange = await sender.onceRaw(request)
  for (let attempts = 1; !mayBeAnswer(exchange, attempts); attempts += 1) {
    const again = sender.retries.waitBefore(exchange, attempts)
    if (again === null) break
    request.onFailedAttempt?.(exchange)
    await waitFor(sender, request, again)
    if (sender.signal.aborted) break
    const further = await withinBudget(sender.onceRaw({ ...request, isRepetition: true }))
    if (further === null) break
    exchange = further
  }
  return exchange
}

/** The sending policy of the suite, over any carrier: redirects are followed, environmental errors are retried. */
export const sendingOver = (
  carrier: Carrier,
  options: ClientOptions,
  todayMs?: () => number,
): Pick<Client, 'send' | 'sendRaw'> => {
  const retries = createRetries({ ...defaultRetryPolicy, ...options.retryPolicy }, todayMs)
  const sender: ProbeClient = { ...carrier, options, retries, pace: createPace(carrier) }
  const departures = createDepartures(carrier)
  return {
    send: (request) => departures.around(request, () => send(sender, request)),
    sendRaw: (request) => departures.around(request, () => sendAsBytes(sender, request)),
  }
}

/** A carrier over HTTP, with the resources of its client. */
interface Network {
  readonly carrier: Carrier
  readonly session: Session
  readonly close: () => Promise<void>
}

/** Opens the network for one client. */
export const createNetwork = (options: ClientOptions): Network => {
  const stopped = new AbortController()
  const session = createSession(options, stopped.signal)
  const hosts = createHostGuard(options.profile)
  const limits = session.limitsFor({})
  const route = createRoute(options.profile, { timeoutMs: limits.idleMs, lookup: hosts.lookup })
  const agent = createAgent(limits, route.connector)
  const { nowMs, pause, signal } = session
  const close = async (): Promise<void> => {
    stopped.abort()
    await agent.destroy()
  }
  const onceRaw = (request: SendRawRequest): Promise<Exchange> => sendRaw(session, request, route.open)
  const carrier = { once: networkOnce(session, agent), onceRaw, admit: hosts.admit, nowMs, pause, signal }
  return { carrier, session, close }
}

/** Makes the client of one run. */
export const createClient = (options: ClientOptions): Client => {
  const { carrier, close } = createNetwork(options)
  return clientOver(carrier, close, options)
}

/** A client over a carrier. */
export const clientOver = (carrier: Carrier, close: () => Promise<void>, options: ClientOptions): Client => ({
  ...sendingOver(carrier, options),
  cost: options.meter.cost,
  nowMs: carrier.nowMs,
  pause: carrier.pause,
  close,
  [Symbol.asyncDispose]: close,
})
