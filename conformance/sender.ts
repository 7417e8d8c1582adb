/**
 * The one way from a probe to the client: it refuses when the run was interrupted, the target fell silent or the budget
 * is spent, and it hands back a first look at the answer.
 */
import type { OperationId } from '../spec/index.ts'
import { type Answer, readAnswer } from './answer.ts'
import { type Ask, requestFor } from './ask.ts'
import type { Client, SendRawRequest, SendRequest } from './client.ts'
import type { Exchange } from './exchange.ts'
import { Halt } from './halt.ts'
import { BudgetExhausted } from './meter.ts'
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
  readonly pulse: Pulse
  readonly signal: AbortSignal
  /** Told of every answer, before the probe is. */
  readonly onAnswer: (answer: Answer, operation: OperationId | null, ask: Ask) => void
}

/** The sender of one probe. */
export function createSender(probe: string, parts: SenderParts): Sender {
  const guarded = async (
    operation: OperationId | null,
    ask: Ask,
    exchanged: (request: SendRequest) => Promise<Exchange>,
  ): Promise<Answer> => {
    refuseWhenAborted(parts.signal)
    parts.pulse.check(operation)
    const exchange = await withinBudget(() => exchanged(requestFor(probe, operation, ask)))
    parts.pulse.feel(exchange, operation)
    refuseWhenAborted(parts.signal)
    const answer = readAnswer(exchange)
    parts.onAnswer(answer, operation, ask)
    return answer
  }
  return {
    send: (operation, ask = {}) => guarded(operation, ask, (request) => parts.client.send(request)),
    sendRaw: (operation, ask) => guarded(operation, ask, (request) => parts.client.sendRaw(rawFrom(request))),
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

async function withinBudget(exchanged: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await exchanged()
  } catch (error) {
    if (error instanceof BudgetExhausted) throw new Halt('budget', `The budget is spent (${error.message}).`)
    throw error
  }
}
