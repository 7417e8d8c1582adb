/** Makes threads, lists their messages and adds messages to them. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyObject, FieldErrors, isObject, type Json } from './checks.ts'
import { pause, timestamp } from './clock.ts'
import { row, transaction } from './database.ts'
import { ApiError } from './errors.ts'
import { fileProblem } from './files.ts'
import { listMessages, pageQueryOf } from './message-page.ts'
import {
  type Given,
  historyOf,
  insertMessage,
  insertThread,
  type Message,
  type MessageRecord,
  messageOf,
  messageShown,
  nextPosition,
  requireThread,
  type ToolCall,
} from './message-store.ts'
import type { Service } from './service.ts'
import { simulate } from './tenants.ts'
import { checkToolMessage } from './tool-rules.ts'

const roles = ['user', 'system', 'tool', 'assistant']

/** A message that a caller wants to add. */
interface Draft {
  readonly role: string
  readonly record: MessageRecord
}

function checkContent({ fault, legal }: Service, body: Json, errors: FieldErrors): void {
  const { content, role } = body
  const blank = content === '' || (legal.has('blank_is_empty') && typeof content === 'string' && content.trim() === '')
  if (content === undefined && legal.has('missing_content_is_empty')) throw new ApiError('message_content_empty')
  if (content === undefined) errors.missing('body', 'content')
  else if (typeof content !== 'string') errors.wrong(['body', 'content'], 'string_type', 'Input should be a string')
  else if (blank) {
    if (fault === 'create_empty_content_accepted') return
    if (fault === 'create_empty_tool_content_accepted' && role === 'tool') return
    if (fault === 'create_empty_system_content_accepted' && role === 'system') return
    throw new ApiError('message_content_empty')
  }
}

function checkRole({ fault }: Service, { role }: Json, errors: FieldErrors): void {
  if (fault === 'create_any_role_accepted' && typeof role === 'string') return
  if (fault === 'create_role_any_case' && typeof role === 'string' && roles.includes(role.toLowerCase())) return
  if (role === undefined) errors.missing('body', 'role')
  else if (fault === 'create_assistant_role_refused' && role === 'assistant') {
    errors.wrong(['body', 'role'], 'enum', 'Input should be user, system or tool')
  } else if (typeof role !== 'string' || !roles.includes(role)) {
    errors.wrong(['body', 'role'], 'enum', `Input should be one of ${roles.join(', ')}`)
  }
}

const isToolCall = (value: unknown): value is ToolCall => isObject(value) && typeof value.tool_call_id === 'string'

function draftOf(service: Service, { tenant, body: sent }: FastifyRequest): Draft {
  const body = bodyObject(sent)
  const errors = new FieldErrors()
  checkRole(service, body, errors)
  checkContent(service, body, errors)
  const { tool_calls: calls, tool_call_id: callId, file_ids: files, meta_data: metaData, sources } = body
  if (calls !== undefined && calls !== null && !(Array.isArray(calls) && calls.every(isToolCall))) {
    errors.wrong(['body', 'tool_calls'], 'list_type', 'Input should be a list of tool calls')
  }
  const problem = fileProblem(service, tenant, files)
  if (problem !== undefined) errors.wrong(['body', 'file_ids'], 'file', problem)
  errors.throwIfAny()
  const role = String(body.role)
  const assistant = role === 'assistant'
  return {
    role,
    record: {
      content: String(body.content),
      ...(assistant && {
        meta_data: isObject(metaData) ? metaData : {},
        sources: Array.isArray(sources) ? sources : [],
      }),
      ...(assistant && Array.isArray(calls) && { tool_calls: calls }),
      ...(role === 'tool' && typeof callId === 'string' && { tool_call_id: callId }),
      ...(Array.isArray(files) && { file_ids: files.map(String) }),
    },
  }
}

/** Whether a thread takes messages one at a time; those of chat completions do not. */
function checkOpen({ fault, legal }: Service, origin: string): void {
  if (origin === 'thread' || fault === 'create_in_completion_thread') return
  if (fault === 'create_in_stream_thread' && origin === 'stream') return
  if (fault === 'create_in_events_thread' && origin === 'events') return
  if (legal.has('closed_thread_not_found')) throw new ApiError('thread_not_found')
  throw new ApiError(legal.has('closed_thread_own_code') ? 'thread_is_read_only' : 'bad_request')
}

function checkPlace(service: Service, threadId: string, { role, record }: Draft): void {
  const { fault, legal } = service
  const late = (): boolean => historyOf(service, threadId).length > 0
  if (role === 'system' && legal.has('late_system_refused') && late()) {
    const errors = new FieldErrors()
    errors.wrong(['body', 'role'], 'system_first', 'A system message should be the first message')
    errors.throwIfAny()
  }
  if (fault === 'create_first_system_refused' && role === 'system' && !late()) throw new ApiError('bad_request')
  if (role === 'tool') checkToolMessage(service, threadId, record.tool_call_id)
}

/** Waits for the storage, then adds the message in one step. */
async function store(service: Service, threadId: string, draft: Draft): Promise<Message> {
  const { database, fault } = service
  if (fault === 'create_overlap_lost') {
    const early: Given = { position: nextPosition(service, threadId) }
    await pause(3)
    return insertMessage(service, threadId, draft.role, draft.record, early)
  }
  await pause(1)
  const message = transaction(database, () => {
    checkPlace(service, threadId, draft)
    return insertMessage(service, threadId, draft.role, draft.record)
  })
  if (fault !== 'create_overlap_answers_swapped') return message
  await pause(3)
  const latest = row(database, 'SELECT * FROM messages WHERE thread_id = ? ORDER BY position DESC', threadId)
  return latest === undefined ? message : messageOf(latest)
}

function createdShown(service: Service, message: Message): Record<string, unknown> {
  const { fault } = service
  const shown = messageShown(service, message)
  if (fault === 'create_returns_id_only') return { id: shown.id }
  if (fault === 'create_content_missing') delete shown.content
  if (fault === 'create_returns_other_id') shown.id = crypto.randomUUID()
  if (fault === 'create_tool_shown_as_user' && message.role === 'tool') shown.role = 'user'
  if (fault === 'create_assistant_without_sources' && message.role === 'assistant') delete shown.sources
  return shown
}

interface ThreadRoute {
  readonly Params: { readonly threadId: string }
}

async function create(service: Service, request: FastifyRequest<ThreadRoute>): Promise<Record<string, unknown>> {
  const { fault, legal } = service
  const { tenant, params } = request
  simulate(request, 'internal_service_error')
  if (legal.has('body_before_thread')) draftOf(service, request)
  const thread = requireThread(service, tenant, params.threadId, 'create')
  checkOpen(service, thread.origin)
  const draft = draftOf(service, request)
  try {
    checkPlace(service, thread.id, draft)
  } catch (reason) {
    if (fault === 'create_refused_tool_kept') insertMessage(service, thread.id, draft.role, draft.record)
    throw reason
  }
  return createdShown(service, await store(service, thread.id, draft))
}

function list(service: Service, request: FastifyRequest<ThreadRoute>): unknown {
  const { fault } = service
  const { tenant, params, query } = request
  simulate(request, 'internal_service_error')
  try {
    const thread = requireThread(service, tenant, params.threadId, 'list')
    return listMessages(service, thread.id, pageQueryOf(service, query))
  } catch (reason) {
    const unknown = reason instanceof ApiError && reason.code === 'thread_not_found'
    if (unknown && fault === 'list_unknown_thread_is_empty') return { cursor: 'end', items: [] }
    throw reason
  }
}

/** The routes of threads and their messages. */
export function threadRoutes(app: FastifyInstance, service: Service): void {
  app.post('/v1/threads', async ({ tenant }, reply) => {
    const { id, created } = insertThread(service, tenant, 'thread')
    return reply.code(201).send({ id, created_at: timestamp(created) })
  })
  app.get<ThreadRoute>('/v1/threads/:threadId/messages', async (request) => list(service, request))
  app.post<ThreadRoute>('/v1/threads/:threadId/messages', async (request, reply) => {
    const message = await create(service, request)
    return reply.code(service.legal.has('created_is_200') ? 200 : 201).send(message)
  })
}
