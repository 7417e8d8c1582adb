/**
 * The one way from a probe to the client: it refuses when the run was interrupted, the target fell silent or the budget
 * is spent, and it hands back a first look at the answer.
 */
import type { OperationId } from '../../spec/index.ts'
import { ClientClosed } from '../client/session.ts'
import type { Client, SendRawRequest, SendRequest } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { BudgetExhausted } from '../meter.ts'
import { type Answer, readAnswer } from './answer.ts'
import { type Ask, requestFor } from './ask.ts'
import { Halt } from './halt.ts'
import type { Pulse } from './pulse.ts'

/** Sends one request; `null` as the operation for a path outside the contract. Throws Halt when nothing more may go out. */
export type Send = (operation: OperationId | null, ask?: Ask) => Promise<Answer>

export interface Sender {
  readonly send: Send
  /** Sends what no HTTP client would, byte for byte. */
  readonly sendRaw: (operation: OperationId, ask: Ask) => Promise<Answer>
}

export interface SenderParts {
  readonly client: Client
  /** Told of every answer, before the probe is. */
  readonly onAnswer: (answer: Answer, operation: OperationId | null, ask: Ask) => void
}

/** The sender of one probe, over a guarded client. */
export function createSender(probe: string, { client, onAnswer }: SenderParts): Sender {
  const told = (exchange: Exchange, operation: OperationId | null, ask: Ask): Answer => {
    const answer = readAnswer(exchange)
    onAnswer(answer, operation, ask)
    return answer
  }
  return {
    send: async (operation, ask = {}) => told(await client.send(requestFor(probe, operation, ask)), operation, ask),
    sendRaw: async (operation, ask) =>
      told(await client.sendRaw(rawFrom(requestFor(probe, operation, ask))), operation, ask),
  }
}

/** The same client, but every request first asks whether it may still go out; throws Halt when not. */
export function guardClient(client: Client, pulse: Pulse, signal: AbortSignal): Client {
  const guarded = async (operation: OperationId | null, exchanged: () => Promise<Exchange>): Promise<Exchange> => {
    refuseWhenAborted(signal)
    pulse.check(operation)
    const exchange = await halting(exchanged, signal)
    pulse.feel(exchange, operation)
    refuseWhenAborted(signal)
    return exchange
  }
  return {
    ...client,
    send: (request) => guarded(request.operation, () => client.send(request)),
    sendRaw: (request) => guarded(request.operation, () => client.sendRaw(request)),
  }
}

function refuseWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Halt('interrupted', 'The run was interrupted.')
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

async function halting(exchanged: () => Promise<Exchange>, signal: AbortSignal): Promise<Exchange> {
  try {
    return await exchanged()
  } catch (error) {
    refuseWhenAborted(signal)
    if (error instanceof BudgetExhausted) throw new Halt('budget', `The budget is spent (${error.message}).`)
    if (error instanceof ClientClosed) throw new Halt('interrupted', 'The run was interrupted.')
    throw error
  }
}
