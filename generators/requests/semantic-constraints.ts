/**
 * Narrows request schemas by rules that the contract states elsewhere.
 * Content is not empty and roles are known. Joined by allOf, so that every request still fits the document.
 */
import type { JsonObject, OperationId } from '../../spec/index.ts'

const content = { minLength: 1, pattern: '\\S' }

const completion: JsonObject = {
  properties: {
    messages: { minItems: 1, items: { properties: { content, role: { enum: ['user', 'assistant', 'system'] } } } },
    user_data: {
      type: 'object',
      required: ['licence'],
      properties: { licence: { type: 'string', pattern: '^[A-Z]-[0-9]{1,4}$' } },
    },
  },
}

/** Conversations add tool messages, because they know the calls; later system messages may be refused. */
const message: JsonObject = { properties: { content, role: { enum: ['user', 'assistant'] } } }

/** The narrowing of an operation's body, where it has one. */
export const semanticConstraints: Readonly<Partial<Record<OperationId, JsonObject>>> = {
  createChatCompletion: completion,
  streamChatCompletion: completion,
  streamChatCompletionEvents: completion,
  createMessage: message,
}
