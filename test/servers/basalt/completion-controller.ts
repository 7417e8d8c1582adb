/**
 * Chat completions. The whole answer has status 201, text streams 200, block streams 202. An engine that cannot
 * stream is not refused here: its stream is one chunk long, as the contract lists no such error for completions.
 */
import { blockChunks, composeAnswer, textChunks } from './answer-engine.ts'
import { type Answer, type Controller, type Exchange, engineOf } from './exchange.ts'
import { parseId } from './identity.ts'
import type { Engine, MessageContent, MessageRecord, Thread } from './model.ts'
import { type FieldViolation, failure, type Outcome, success, violation } from './outcome.ts'
import { broken, type Fields, isFields, readCompletion } from './request-reader.ts'

interface Completed {
  readonly engine: Engine
  readonly record: MessageRecord
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function checkRequiredFields({ assistant }: Engine, fields: Fields): readonly FieldViolation[] {
  return Object.entries(assistant.request_required_fields).flatMap(([path, names]) => {
    const holder = path === '__root__' ? fields : fields[path]
    const loc = path === '__root__' ? ['body'] : ['body', path]
    const values = isFields(holder) ? holder : {}
    return names
      .filter((name) => isBlank(values[name]))
      .map((name) => broken('NotNull', 'must not be null', ...loc, name))
  })
}

function resolveThread(exchange: Exchange, engine: Engine, followsQuery: boolean): Outcome<Thread> {
  const { platform, tenant, query } = exchange
  const asked = followsQuery ? query.get('thread_id') : null
  if (asked === null || asked === '' || asked === 'null') {
    return success(platform.threads.open(tenant.id, engine.assistant.id, 'completion'))
  }
  const thread = platform.threads.find(tenant.id, parseId(asked))
  return thread?.origin === 'completion' ? success(thread) : failure('resource_not_found')
}

function dressed(messages: readonly MessageContent[], engine: Engine): MessageContent[] {
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    return { ...message, meta_data: engine.metaData(message.content), sources: [], tool_requests: [] }
  })
}

function complete(exchange: Exchange, followsQuery: boolean): Outcome<Completed> {
  const read = readCompletion(exchange.body)
  if (!read.ok) return read
  const found = engineOf(exchange.tenant, read.value.assistantId)
  if (!found.ok) return found
  const violations = checkRequiredFields(found.value, read.value.fields)
  if (violations.length > 0) return violation(violations)
  const thread = resolveThread(exchange, found.value, followsQuery)
  if (!thread.ok) return thread
  const { threads } = exchange.platform
  threads.appendAll(thread.value, dressed(read.value.messages, found.value))
  return success({
    engine: found.value,
    record: threads.append(thread.value, composeAnswer(found.value, thread.value)),
  })
}

function answering(followsQuery: boolean, toAnswer: (completed: Completed) => Answer): Controller {
  return (exchange) => {
    const completed = complete(exchange, followsQuery)
    return completed.ok ? success(toAnswer(completed.value)) : completed
  }
}

/** The answer whole. */
export const completeWhole = answering(true, ({ record }) => ({ status: 201, document: record }))

/** The answer as text chunks. */
export const completeAsText = answering(true, ({ record, engine }) => {
  return { status: 200, chunks: textChunks(record, engine.assistant.streaming) }
})

/** The answer as block chunks, always on a new thread. */
export const completeAsBlocks = answering(false, ({ record }) => ({ status: 202, chunks: blockChunks(record) }))
