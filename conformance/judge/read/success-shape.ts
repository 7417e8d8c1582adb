/**
 * Decides whether a 2xx answer is the success response of its operation. It may be a refusal under a friendly status,
 * which is legal where the contract shows no form.
 */
import type { OperationId } from '../../../spec/index.ts'
import { hasField, isObject } from './json.ts'
import { documentOf, type ParsedExchange } from './parsed-exchange.ts'
import { chunksOf } from './stream-chunks.ts'

/** Whether an accepted answer holds what only a success of its operation would. */
export function hasSuccessShape(parsed: ParsedExchange): boolean {
  if (parsed.operation === null) return false
  if (parsed.answer.stream !== null) return chunksOf(parsed).some(({ value }) => hasField(value, 'delta'))
  if (parsed.operation === 'uploadFile') return true
  return isSuccess(parsed, documentOf(parsed))
}

/** Whether a body holds what a success of its operation would, whatever the status says. */
export const holdsSuccess = (parsed: ParsedExchange): boolean =>
  parsed.answer.body.kind === 'json' && isSuccess(parsed, parsed.answer.body.value)

function isSuccess({ operation }: ParsedExchange, document: unknown): boolean {
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
