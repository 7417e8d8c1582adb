/**
 * Adapts completions to the roles that the target accepts. The contract lists no roles for their messages; a target that
 * refuses a history with messages of the assistant gets it without them.
 */
import { completionOperations, type OperationId } from '../../spec/index.ts'
import { transientFailureOf } from '../client/transient-failure.ts'
import { isObject } from '../judge/read/json.ts'
import type { Send } from './probe-client.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

/** Refused completions that are asked again without these messages, before the reason is taken to be another one. */
const mostAttempts = 2

const completions: ReadonlySet<OperationId | null> = new Set(completionOperations)

export interface AssistantMessages {
  /** The same sender; all senders of a run share what one of them learns. */
  readonly adapted: (send: Send) => Send
  /** Whether a completion was accepted only when it came without them. */
  readonly areRefused: () => boolean
}

/** Creates the state, with nothing known yet. */
export function createAssistantMessages(): AssistantMessages {
  let attempts = 0
  let taken: boolean | null = null
  const adapted: AssistantMessages['adapted'] =
    (send) =>
    async (operation, ask = {}) => {
      const brief = completions.has(operation) ? withoutAssistantMessages(ask) : null
      if (brief === null || taken === true) return send(operation, ask)
      if (taken === false) return send(operation, brief)
      const answer = await send(operation, ask)
      if (answer.outcome === 'accepted') taken = true
      if (!isRefused(answer, ask) || attempts >= mostAttempts) return answer
      attempts += 1
      const again = await send(operation, { ...brief, isRepetition: true })
      if (taken === null && again.outcome === 'accepted') taken = false
      return again
    }
  return { adapted, areRefused: () => taken === false }
}

function isRefused(answer: Answer, { expects = 'accepted' }: RequestSpec): boolean {
  return answer.outcome === 'rejected' && expects === 'accepted' && transientFailureOf(answer.exchange) === null
}

/** The same request, or `null` when its messages have no such message. */
function withoutAssistantMessages(ask: RequestSpec): RequestSpec | null {
  const json = isObject(ask.json) ? ask.json : {}
  const messages: readonly unknown[] = Array.isArray(json.messages) ? json.messages : []
  const others = withoutAssistant(messages)
  return others.length === messages.length ? null : { ...ask, json: { ...json, messages: others } }
}

/** All messages but those of the assistant. */
export const withoutAssistant = <Message>(messages: readonly Message[]): readonly Message[] =>
  messages.filter((entry) => !isObject(entry) || entry.role !== 'assistant')
