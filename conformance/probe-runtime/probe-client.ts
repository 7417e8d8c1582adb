/**
 * Sends the requests of a probe and gives it a first look at each answer. It refuses when the run was interrupted, the
 * target fell silent or the budget is spent.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Client } from '../client/client.ts'
import { BudgetExhausted } from '../client/meter.ts'
import type { SendRawRequest, SendRequest } from '../client/send-request.ts'
import { ClientClosed } from '../client/session.ts'
import { transientFailureOf } from '../client/transient-failure.ts'
import type { Exchange } from '../trace/exchange.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { ProbeAborted } from './probe-aborted.ts'
import { type Answer, readAnswer } from './probe-response.ts'
import { buildRequest, type RequestSpec } from './request-spec.ts'

/** Sends one request; `null` as the operation for a path outside the contract. Throws ProbeAborted when nothing more may go out. */
export type Send = (operation: OperationId | null, ask?: RequestSpec) => Promise<Answer>

export interface ProbeClient {
  readonly send: Send
  /** Sends a request byte for byte that no HTTP client would send. */
  readonly sendRaw: (operation: OperationId, ask: RequestSpec) => Promise<Answer>
  /** Resolves after a while. */
  readonly pause: (waitMs: number) => Promise<void>
}

export interface ProbeClientParts {
  readonly client: Client
  /** The limit of time that the profile sets for the assistant of a request. */
  readonly timeoutOf?: (ask: RequestSpec) => Promise<number | undefined>
  /**
   * Waits until the request may go out, `null` for at once, so that requests of one moment keep their order. The returned
   * function is called when the answer begins, and when it is complete or will not come.
   */
  readonly turn?: (operation: OperationId | null, ask: RequestSpec) => Promise<() => void> | null
  /** Called with every answer, before the probe gets it; `disturbed` when an earlier attempt may have had an effect. */
  readonly onAnswer: (
    answer: Answer,
    operation: OperationId | null,
    ask: RequestSpec,
    disturbed: boolean,
  ) => Promise<void>
}

/** The sender of one probe, over a guarded client. */
export function createProbeClient(probe: string, { client, timeoutOf, turn, onAnswer }: ProbeClientParts): ProbeClient {
  const told = async (
    operation: OperationId | null,
    ask: RequestSpec,
    exchanged: (onFailedAttempt: (exchange: Exchange) => void) => Promise<Exchange>,
  ): Promise<Answer> => {
    let disturbed = false
    const exchange = await exchanged((failed) => {
      disturbed ||= mayHaveHadEffect(failed)
    })
    const answer = readAnswer(exchange)
    await onAnswer(answer, operation, ask, disturbed || mayHaveHadEffect(exchange))
    return answer
  }
  return {
    pause: client.pause,
    send: async (operation, ask = {}) => {
      const timeoutMs = await timeoutOf?.(ask)
      const plain = { ...buildRequest(probe, operation, ask), ...(timeoutMs === undefined ? {} : { timeoutMs }) }
      const waiting = turn?.(operation, ask) ?? null
      const over = waiting === null ? null : await waiting
      const onFirstPiece = () => {
        over?.()
        ask.onFirstPiece?.()
      }
      try {
        return await told(operation, ask, (onFailedAttempt) => client.send({ ...plain, onFailedAttempt, onFirstPiece }))
      } finally {
        over?.()
      }
    },
    sendRaw: (operation, ask) =>
      told(operation, ask, (onFailedAttempt) =>
        client.sendRaw({ ...rawFrom(buildRequest(probe, operation, ask)), onFailedAttempt }),
      ),
  }
}

/** The same client, but every request first asks whether it may still go out; throws ProbeAborted when not. */
export function guardClient(client: Client, breaker: CircuitBreaker, signal: AbortSignal): Client {
  const guarded = async (
    { operation, intent, path }: Pick<SendRequest, 'operation' | 'intent' | 'path'>,
    exchanged: () => Promise<Exchange>,
  ): Promise<Exchange> => {
    refuseWhenAborted(signal)
    breaker.check(operation, intent?.expects, path)
    const exchange = await aborting(exchanged, signal)
    breaker.record(exchange, operation, intent?.expects, path)
    refuseWhenAborted(signal)
    return exchange
  }
  return {
    ...client,
    send: (request) => guarded(request, () => client.send(request)),
    sendRaw: (request) => guarded(request, () => client.sendRaw(request)),
  }
}

function mayHaveHadEffect(exchange: Exchange): boolean {
  const failure = transientFailureOf(exchange)
  return failure !== null && failure !== 'rate-limited' && exchange.ending !== 'unreachable'
}

/** The same client; its requests count as repetitions, which have their own budget. */
export function repeatingClient(client: Client): Client {
  return { ...client, send: (request) => client.send({ ...request, isRepetition: true }) }
}

function refuseWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ProbeAborted('interrupted', 'The run was interrupted.')
}

function rawFrom(request: SendRequest): SendRawRequest {
  const { method, path, credential, operation, intent, headers, body } = request
  return {
    method,
    path,
    credential,
    operation,
    intent,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  }
}

async function aborting(exchanged: () => Promise<Exchange>, signal: AbortSignal): Promise<Exchange> {
  try {
    return await exchanged()
  } catch (error) {
    refuseWhenAborted(signal)
    if (error instanceof BudgetExhausted) throw new ProbeAborted('budget', `The budget is spent (${error.message}).`)
    if (error instanceof ClientClosed) throw new ProbeAborted('interrupted', 'The run was interrupted.')
    throw error
  }
}
