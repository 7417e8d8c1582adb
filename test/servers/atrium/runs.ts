/**
 * Runs: an assistant, named in the body, answers on a thread. The thread must hold a user message and every tool
 * call on it must have its tool message; a streamed run also needs a user or tool message at the end.
 */
import { answerInFragments, answerWhole, type Turn } from './answers.ts'
import type { Call, Reply } from './call.ts'
import { assistantOf, demandRequiredFields } from './completions.ts'
import { bodyObject, IssueList, readUuid } from './reading.ts'
import type { Thread } from './records.ts'
import { refuse, rejectWith } from './rejection.ts'
import { threadOf } from './threads.ts'

function demandToolOrder({ messages }: Thread): void {
  const open = new Set<string>()
  const called = new Set<string>()
  for (const message of messages) {
    for (const { id } of message.tool_calls ?? []) {
      open.add(id)
      called.add(id)
    }
    if (message.role !== 'tool') continue
    if (!called.has(message.tool_call_id ?? '')) throw rejectWith('tool_message_has_no_matching_tool_call')
    open.delete(message.tool_call_id ?? '')
  }
  if (open.size > 0) throw refuse(422, 'tool_calls_not_answered', 'Tool calls of the assistant wait for tool messages')
}

function demandRunnable(thread: Thread, streamed: boolean): void {
  if (!thread.messages.some((message) => message.role === 'user')) {
    throw refuse(422, 'thread_has_no_user_message', 'Thread needs a user message')
  }
  demandToolOrder(thread)
  const last = thread.messages.at(-1)?.role
  if (streamed && last !== 'user' && last !== 'tool') {
    throw refuse(422, 'thread_end_not_answerable', 'Thread does not end on a user or tool message')
  }
}

async function openTurn(call: Call, streamed: boolean): Promise<Turn> {
  const fields = bodyObject(await call.json())
  const issues = new IssueList()
  const assistantId = readUuid(fields.assistant_id)
  if (fields.assistant_id === undefined) issues.missing('body', 'assistant_id')
  else if (assistantId === null) issues.add(['body', 'assistant_id'], 'uuid_parsing', 'Input should be a valid UUID')
  issues.raise()
  const thread = threadOf(call)
  const assistant = assistantOf(call, assistantId ?? '')
  demandRequiredFields(assistant, fields)
  if (streamed && !assistant.record.streaming) throw rejectWith('engine_does_not_support_streaming')
  demandRunnable(thread, streamed)
  return { state: call.state, thread, assistant }
}

/** Runs an assistant and answers whole. */
export async function runThread(call: Call): Promise<Reply> {
  return { json: answerWhole(await openTurn(call, false)) }
}

/** Runs an assistant and answers as text fragments. */
export async function streamRun(call: Call): Promise<Reply> {
  return { lines: answerInFragments(await openTurn(call, true)) }
}
