/**
 * Decides whether a 2xx answer is the success response of its operation. It may be a refusal with a success status, which
 * is legal if the contract shows no form.
 */
import type { OperationId } from '../../../spec/index.ts'
import { hasField, isObject } from './json.ts'
import type { Answer } from './parsed-response.ts'

/** The input of the shape check. */
interface Answered {
  readonly operation: OperationId | null
  readonly answer: Answer
}

/** Whether an accepted answer holds what only a success of its operation would. */
export function hasSuccessShape(answered: Answered): boolean {
  const { operation, answer } = answered
  if (operation === null) return false
  if (answer.stream !== null) return answer.stream.chunks.some(({ value }) => hasField(value, 'delta'))
  if (operation === 'uploadFile') return true
  return answer.kind === 'accepted' && holdsSuccess(answered)
}

/** Whether a body holds what a success of its operation would, whatever the status says. */
export const holdsSuccess = ({ operation, answer: { body } }: Answered): boolean =>
  body.kind === 'json' && isSuccess(operation, body.value)

function isSuccess(operation: OperationId | null, document: unknown): boolean {
  if (operation === 'listAssistants') return Array.isArray(document)
  const names = operation === null ? [] : (tellingFields[operation] ?? [])
  return isObject(document) && names.some((name) => hasField(document, name))
}

const tellingFields: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createChatCompletion: ['content', 'meta_data', 'thread_id'],
  runThread: ['content', 'meta_data', 'thread_id'],
  listMessages: ['items'],
  createMessage: ['id', 'content', 'thread_id'],
  getAssistant: ['id', 'name', 'streaming', 'meta_data_response_schema'],
  createUploadGrant: ['file_id', 'file_url'],
  listMyApiKeys: ['api_keys'],
}
