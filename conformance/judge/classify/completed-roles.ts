/** The roles of the messages that a completion sends. The contract names roles of messages, but lists none for completions. */
import { completionOperations } from '../../../spec/index.ts'
import { fieldOf, isObject } from '../read/json.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'

const completions: ReadonlySet<string | null> = new Set(completionOperations)

/** Whether the exchange is a completion with a message of the role `assistant`. */
export function sendsAssistantMessage({ operation, body }: ParsedExchange): boolean {
  if (!completions.has(operation) || body.kind !== 'json') return false
  const messages = fieldOf(body.value, 'messages')
  return Array.isArray(messages) && messages.some((entry) => isObject(entry) && entry.role === 'assistant')
}

/** Whether the exchange shows that the target takes such messages; if none does, they may be the reason for a refusal. */
export const showsAssistantMessage = (parsed: ParsedExchange): boolean =>
  sendsAssistantMessage(parsed) && isAccepted(parsed)
