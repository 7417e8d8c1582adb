/**
 * Threads: opening one (Atrium's own operation), adding a message, listing messages newest first.
 * The cursor is an offset from the oldest message, wrapped in base64 like many small services do, so that it does not
 * shift when messages arrive.
 */
import { Buffer } from 'node:buffer'
import type { Call, Reply } from './call.ts'
import { isRole } from './completions.ts'
import { bodyObject, IssueList, isObject, type JsonObject, pathUuid, readUuid } from './reading.ts'
import { type MessageDraft, roles, type Thread, type ToolCall } from './records.ts'
import { invalid, refuse, rejectWith } from './rejection.ts'

/** The tenant's thread that the path names. */
export function threadOf(call: Call): Thread {
  const thread = call.state.threadOf(call.tenant.id, pathUuid('thread_id', call.params.thread_id))
  if (thread === null) throw rejectWith('thread_not_found')
  return thread
}

/** Opens an empty thread. */
export function createThread(call: Call): Reply {
  const thread = call.state.openThread(call.tenant.id, false)
  return { json: { id: thread.id, created_at: thread.createdAt } }
}

function readLimit(call: Call): number {
  const text = call.query.get('limit')
  if (text === null) return 100
  const loc = ['query', 'limit']
  if (!/^\s*[+-]?\d+\s*$/.test(text)) {
    throw invalid([{ loc, message: 'Input should be a valid integer', type: 'int_parsing' }])
  }
  const limit = Number(text)
  if (limit < 1) {
    throw invalid([{ loc, message: 'Input should be greater than or equal to 1', type: 'greater_than_equal' }])
  }
  return limit
}

function writeCursor(offset: number): string {
  return Buffer.from(JSON.stringify({ offset })).toString('base64')
}

function readCursor(call: Call, newest: number): number {
  const text = call.query.get('cursor')
  if (text === null || text === '') return newest
  const offset = /^\{"offset":(\d{1,9})\}$/.exec(Buffer.from(text, 'base64').toString('utf8'))?.[1]
  if (offset !== undefined) return Number(offset)
  throw invalid([{ loc: ['query', 'cursor'], message: 'Value error, not a cursor', type: 'value_error' }])
}

/** Lists a thread's messages, newest first. */
export function listMessages(call: Call): Reply {
  const limit = readLimit(call)
  const { messages } = threadOf(call)
  const end = Math.min(readCursor(call, messages.length), messages.length)
  const start = Math.max(0, end - limit)
  const items = messages.slice(start, end).toReversed()
  return { json: { cursor: start > 0 ? writeCursor(start) : null, items } }
}

function readToolCalls(value: unknown, issues: IssueList): ToolCall[] {
  if (value === undefined || value === null) return []
  const loc = ['body', 'tool_calls']
  if (!Array.isArray(value)) {
    issues.add(loc, 'list_type', 'Input should be a valid list')
    return []
  }
  return value.flatMap((item, index) => {
    const called = isObject(item) && isObject(item.function) ? item.function : {}
    if (!isObject(item) || typeof item.id !== 'string' || typeof called.name !== 'string') {
      issues.add([...loc, index], 'model_type', 'Input should be a tool call with an id and a function')
      return []
    }
    const args = typeof called.arguments === 'string' ? called.arguments : JSON.stringify(called.arguments ?? {})
    return [{ id: item.id, type: 'function' as const, function: { name: called.name, arguments: args } }]
  })
}

function readFileIds(fields: JsonObject, issues: IssueList): string[] {
  const value = fields.file_ids ?? []
  const ids = Array.isArray(value) ? value.map(readUuid) : [null]
  if (ids.includes(null)) issues.add(['body', 'file_ids'], 'uuid_parsing', 'Input should be a list of UUIDs')
  return ids.filter((id) => id !== null)
}

function readMessage(fields: JsonObject): MessageDraft {
  const issues = new IssueList()
  const { content, role } = fields
  if (content === undefined) issues.missing('body', 'content')
  else if (typeof content !== 'string') issues.add(['body', 'content'], 'string_type', 'Input should be a valid string')
  if (role === undefined) issues.missing('body', 'role')
  else if (!isRole(role)) issues.add(['body', 'role'], 'literal_error', `Input should be one of ${roles.join(', ')}`)
  const calls = readToolCalls(fields.tool_calls, issues)
  const fileIds = readFileIds(fields, issues)
  issues.raise()
  if (typeof content !== 'string' || content === '' || !isRole(role)) throw rejectWith('message_content_empty')
  const files = fileIds.length > 0 ? { file_ids: fileIds } : {}
  if (role === 'assistant') {
    return { role, content, ...files, meta_data: {}, sources: [], ...(calls.length > 0 ? { tool_calls: calls } : {}) }
  }
  const answered =
    role === 'tool' && typeof fields.tool_call_id === 'string' ? { tool_call_id: fields.tool_call_id } : {}
  return { role, content, ...files, ...answered }
}

function isAnswerToCall(thread: Thread, callId: string | undefined): boolean {
  return thread.messages.some((message) => message.tool_calls?.some((call) => call.id === callId) ?? false)
}

/** Adds a message to a thread. */
export async function createMessage(call: Call): Promise<Reply> {
  const draft = readMessage(bodyObject(await call.json()))
  const thread = threadOf(call)
  if (thread.fromCompletion) throw refuse(403, 'thread_not_writable', 'Thread belongs to a chat completion')
  if (draft.role === 'tool' && !isAnswerToCall(thread, draft.tool_call_id)) {
    throw rejectWith('tool_message_has_no_matching_tool_call')
  }
  for (const fileId of draft.file_ids ?? []) {
    if (call.state.fileOf(call.tenant.id, fileId) === null) throw rejectWith('resource_not_found')
  }
  return { json: call.state.append(thread, draft) }
}
