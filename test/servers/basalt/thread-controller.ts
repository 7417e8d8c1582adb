/**
 * Threads: opened by an internal operation for one assistant, filled message by message, listed by key, and run.
 * A run has status 202 when whole, 200 as a stream; adding a message has 201.
 */
import { composeAnswer, textChunks } from './answer-engine.ts'
import { type Answer, type Exchange, engineOf } from './exchange.ts'
import { parseId } from './identity.ts'
import type { Engine, MessageContent, MessageRecord, Thread } from './model.ts'
import { conflict, failure, type Outcome, otherFailure, success } from './outcome.ts'
import { readPostedMessage } from './posted-message.ts'
import { readFields } from './request-reader.ts'
import { hasOpenCalls, mayAnswer } from './tool-dialogue.ts'

const largestPage = 100

function threadOf({ platform, tenant, segments }: Exchange): Outcome<Thread> {
  const thread = platform.threads.find(tenant.id, parseId(segments[0]))
  return thread === null ? failure('thread_not_found') : success(thread)
}

function recordsOf(thread: Thread): MessageRecord[] {
  return thread.entries.map((entry) => entry.record)
}

/** Opens a thread for an assistant; whether the assistant is available shows when it runs. */
export function openThread({ platform, tenant, body }: Exchange): Outcome<Answer> {
  const read = readFields(body)
  if (!read.ok) return read
  const assistantId = parseId(read.value.assistant)
  if (assistantId === null) return otherFailure('invalid_argument', 'assistant is a UUID')
  const { id } = platform.threads.open(tenant.id, assistantId, 'direct')
  return success({ status: 201, document: { data: { thread: { uid: id, assistant: assistantId } } } })
}

/** One page of messages; limits beyond the bounds are moved to the bounds. */
export function listMessages(exchange: Exchange): Outcome<Answer> {
  const found = threadOf(exchange)
  if (!found.ok) return found
  const { platform, query } = exchange
  const wanted = query.get('limit') ?? String(largestPage)
  if (!/^-?\d+$/.test(wanted)) return otherFailure('invalid_argument', 'limit is a whole number')
  const limit = Math.min(Math.max(Number(wanted), 1), largestPage)
  const cursor = query.get('cursor')
  const hasCursor = cursor !== null && cursor !== '' && cursor !== 'null'
  const below = hasCursor ? platform.cursors.decode(found.value.id, cursor) : null
  if (hasCursor && below === null) return otherFailure('invalid_cursor', 'The cursor is not one of this thread')
  const entries = platform.threads.page(found.value, limit, below)
  const last = entries.length === limit ? entries.at(-1) : undefined
  const next = last === undefined ? {} : { cursor: platform.cursors.encode(found.value.id, last.position) }
  return success({ status: 200, document: { items: entries.map((entry) => entry.record), ...next } })
}

function checkPlace(thread: Thread, message: MessageContent): Outcome<null> {
  if (message.role === 'system' && thread.entries.length > 0)
    return conflict('A system message comes first or not at all')
  if (message.role === 'tool' && !mayAnswer(recordsOf(thread), message.tool_call_id)) {
    return failure('tool_message_has_no_matching_tool_call')
  }
  return success(null)
}

/** Adds a message; threads of chat completions are not to be found here. */
export function addMessage(exchange: Exchange): Outcome<Answer> {
  const found = threadOf(exchange)
  if (!found.ok) return found
  const thread = found.value
  if (thread.origin === 'completion') return failure('thread_not_found')
  const message = readPostedMessage(exchange, thread)
  if (!message.ok) return message
  const placed = checkPlace(thread, message.value)
  if (!placed.ok) return placed
  return success({ status: 201, document: exchange.platform.threads.append(thread, message.value) })
}

function checkRunnable(thread: Thread, streamed: boolean): Outcome<null> {
  const records = recordsOf(thread)
  if (!records.some((record) => record.role === 'user')) return conflict('The thread has no user message')
  if (hasOpenCalls(records)) return conflict('The thread has tool requests without an answer')
  const last = records.at(-1)?.role
  const isAnswerable = last === 'user' || last === 'tool'
  return streamed && !isAnswerable ? conflict('The thread ends on a message that cannot be answered') : success(null)
}

function run(exchange: Exchange, streamed: boolean): Outcome<{ engine: Engine; record: MessageRecord }> {
  const found = threadOf(exchange)
  if (!found.ok) return found
  const thread = found.value
  const fields = readFields(exchange.body)
  if (!fields.ok) return fields
  const engine = engineOf(exchange.tenant, thread.assistantId)
  if (!engine.ok) return engine
  if (streamed && !engine.value.assistant.streaming) return failure('engine_does_not_support_streaming')
  const runnable = checkRunnable(thread, streamed)
  if (!runnable.ok) return runnable
  const record = exchange.platform.threads.append(thread, composeAnswer(engine.value, thread))
  return success({ engine: engine.value, record })
}

/** Runs the thread's assistant and gives the answer whole. */
export function runWhole(exchange: Exchange): Outcome<Answer> {
  const done = run(exchange, false)
  return done.ok ? success({ status: 202, document: done.value.record }) : done
}

/** Runs the thread's assistant and gives the answer as text chunks. */
export function runAsText(exchange: Exchange): Outcome<Answer> {
  const done = run(exchange, true)
  return done.ok ? success({ status: 200, chunks: textChunks(done.value.record, true) }) : done
}
