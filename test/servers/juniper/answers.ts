/** Keeps an answer in its thread and shows it to the caller who waits for it. */
import type { Answer } from './engine.ts'
import { type Given, insertMessage, type Message, messageShown } from './message-store.ts'
import type { Service } from './service.ts'

type Operation = 'completion' | 'run'

/** Adds an answer to its thread. */
export function keepAnswer(
  service: Service,
  threadId: string,
  answer: Answer,
  given: Given,
  operation: Operation,
): Message {
  const { fault, now } = service
  const forgotten =
    (fault === 'completion_answer_not_kept' && operation === 'completion') ||
    (fault === 'run_answer_not_kept' && operation === 'run')
  if (!forgotten) return insertMessage(service, threadId, 'assistant', answer.record, given)
  const { id = crypto.randomUUID(), created = now() } = given
  return { id, created, threadId, position: 0, role: 'assistant', record: answer.record }
}

/** An answer as a response of its own. */
export function answerShown(service: Service, message: Message, operation: Operation): Record<string, unknown> {
  const { fault } = service
  const shown = messageShown(service, message)
  const sources = shown.sources as readonly unknown[]
  if (fault === 'answer_role_bot') shown.role = 'bot'
  if (fault === 'answer_sources_missing') delete shown.sources
  if (fault === 'answer_no_sources_null' && sources.length === 0) shown.sources = null
  if (fault === 'answer_meta_data_null') shown.meta_data = null
  if (fault === 'answer_content_object') shown.content = { text: shown.content }
  if (fault === 'completion_thread_id_missing' && operation === 'completion') delete shown.thread_id
  if (fault === 'completion_returns_other_id' && operation === 'completion') shown.id = crypto.randomUUID()
  if (fault === 'run_answer_in_other_thread' && operation === 'run') shown.thread_id = crypto.randomUUID()
  if (fault === 'run_time_differs_from_list' && operation === 'run') {
    shown.created_at = String(shown.created_at).replace(/\d{3}Z$/, '000Z')
  }
  return shown
}
