/** Keeps threads and their messages: writes them, finds them and shows them as the contract's messages. */
import { randomUUID } from 'node:crypto'
import type { Json } from './checks.ts'
import { type Micros, timestamp } from './clock.ts'
import { change, type Row, row, rows } from './database.ts'
import { ApiError } from './errors.ts'
import type { Service, Tenant } from './service.ts'

/** The parts of a message that depend on its role. */
export interface MessageRecord {
  readonly content: string
  readonly meta_data?: Json
  readonly sources?: readonly unknown[]
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
  readonly file_ids?: readonly string[]
}

/** A call that an assistant message asks for. */
export interface ToolCall {
  readonly tool_call_id: string
  readonly tool_name: string
  readonly arguments: Json
}

/** A message of a thread. */
export interface Message {
  readonly id: string
  readonly threadId: string
  readonly position: number
  readonly role: string
  readonly created: Micros
  readonly record: MessageRecord
}

/** A thread of a tenant; its origin is the operation that made it. */
export interface Thread {
  readonly id: string
  readonly origin: string
}

/** A message as a row holds it. */
export const messageOf = (found: Row): Message => ({
  id: String(found.id),
  threadId: String(found.thread_id),
  position: Number(found.position),
  role: String(found.role),
  created: Number(found.created),
  record: JSON.parse(String(found.record)),
})

/** Makes a thread. */
export function insertThread({ database, now }: Service, tenant: Tenant, origin: string): Thread & { created: Micros } {
  const thread = { id: randomUUID(), origin, created: now() }
  const columns = 'INSERT INTO threads (id, tenant_id, origin, created) VALUES (?, ?, ?, ?)'
  change(database, columns, thread.id, tenant.id, origin, thread.created)
  return thread
}

/** The thread with an id, when it is the tenant's. */
export function findThread(service: Service, tenant: Tenant, id: string, operation: string): Thread | undefined {
  const { database, fault } = service
  const foreign =
    (fault === 'list_foreign_thread' && operation === 'list') ||
    (fault === 'create_foreign_thread' && operation === 'create') ||
    (fault === 'run_foreign_thread' && operation === 'run') ||
    (fault === 'run_stream_foreign_thread' && operation === 'run stream') ||
    (fault === 'completion_foreign_thread' && operation === 'completion') ||
    (fault === 'stream_foreign_thread' && operation === 'stream')
  const owned = foreign ? 'length(?2) > 0' : 'tenant_id = ?2'
  const found = row(database, `SELECT * FROM threads WHERE id = ?1 AND ${owned}`, id.toLowerCase(), tenant.id)
  return found && { id: String(found.id), origin: String(found.origin) }
}

/** The thread of a path; refuses one that is not the tenant's. */
export function requireThread(service: Service, tenant: Tenant, id: string, operation: string): Thread {
  const found = findThread(service, tenant, id, operation)
  if (found === undefined) throw new ApiError('thread_not_found')
  return found
}

/** The position that the next message of a thread gets. */
export function nextPosition({ database }: Service, threadId: string): number {
  const found = row(database, 'SELECT max(position) AS last FROM messages WHERE thread_id = ?', threadId)
  return Number(found?.last ?? -1) + 1
}

/** What may be given for a new message; the rest is made up. */
export interface Given {
  readonly id?: string
  readonly created?: Micros
  readonly position?: number
}

/** Adds a message at the end of a thread. */
export function insertMessage(
  service: Service,
  threadId: string,
  role: string,
  record: MessageRecord,
  given: Given = {},
): Message {
  const { id = randomUUID(), created = service.now(), position = nextPosition(service, threadId) } = given
  const kept = recordKept(service, record)
  const columns = '(id, thread_id, position, role, created, record) VALUES (?, ?, ?, ?, ?, ?)'
  const verb = given.position === undefined ? 'INSERT' : 'INSERT OR REPLACE'
  change(
    service.database,
    `${verb} INTO messages ${columns}`,
    id,
    threadId,
    position,
    role,
    created,
    JSON.stringify(kept),
  )
  return { id, threadId, position, role, created, record: kept }
}

function recordKept({ fault }: Service, record: MessageRecord): MessageRecord {
  const { content } = record
  if (fault === 'content_trimmed') return { ...record, content: content.trim() || content }
  if (fault === 'content_escaped')
    return { ...record, content: content.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }
  if (fault === 'content_normalized') return { ...record, content: content.normalize('NFC') }
  if (fault === 'content_astral_replaced')
    return { ...record, content: content.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }
  if (fault === 'content_line_ends_changed') return { ...record, content: content.replaceAll('\r\n', '\n') }
  return record
}

/** All messages of a thread, oldest first. */
export function historyOf({ database }: Service, threadId: string): readonly Message[] {
  const sql = 'SELECT * FROM messages WHERE thread_id = ? ORDER BY created, position'
  return rows(database, sql, threadId).map(messageOf)
}

/** A message as a caller sees it. */
export function messageShown({ fault, legal }: Service, message: Message): Record<string, unknown> {
  const { id, threadId, role, record } = message
  const created = timestamp(message.created, fault)
  const shown: Record<string, unknown> = { id, thread_id: threadId, role, content: record.content, created_at: created }
  if (role === 'assistant') {
    shown.meta_data = record.meta_data ?? {}
    shown.sources = record.sources ?? []
  }
  if (record.tool_calls !== undefined) shown.tool_calls = record.tool_calls
  else if (role === 'assistant' && legal.has('tool_calls_null')) shown.tool_calls = null
  if (record.tool_call_id !== undefined) shown.tool_call_id = record.tool_call_id
  if (record.file_ids !== undefined) shown.file_ids = record.file_ids
  if (legal.has('message_extra_fields')) shown.updated_at = created
  if (fault === 'message_thread_id_missing') delete shown.thread_id
  if (fault === 'message_created_at_number') shown.created_at = Math.floor(message.created / 1000)
  if (fault === 'message_id_without_dashes') shown.id = id.replaceAll('-', '')
  return shown
}
