/** Chat completions: takes the messages of a request, answers them whole or as a stream. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerShown, keepAnswer } from './answers.ts'
import { type Assistant, requireAssistant } from './assistants.ts'
import { bodyObject, checkRequiredFields, FieldErrors, isObject, isUuid, type Json, queryText } from './checks.ts'
import { pause } from './clock.ts'
import { change, row, transaction } from './database.ts'
import { compose } from './engine.ts'
import { ApiError } from './errors.ts'
import { findThread, historyOf, insertMessage, insertThread, type Thread } from './message-store.ts'
import { kept, type Service, type Tenant } from './service.ts'
import { sendStream } from './streams.ts'
import { simulate } from './tenants.ts'

type Operation = 'completion' | 'stream' | 'events'

const roles = ['user', 'system', 'assistant', 'tool']

function checkMessage(message: unknown, index: number, errors: FieldErrors): void {
  const loc = ['body', 'messages', index]
  if (!isObject(message)) {
    errors.wrong(loc, 'object_type', 'Input should be an object')
    return
  }
  const { content, role } = message
  if (content === undefined) errors.missing(...loc, 'content')
  else if (typeof content !== 'string') errors.wrong([...loc, 'content'], 'string_type', 'Input should be a string')
  else if (content === '') errors.wrong([...loc, 'content'], 'string_too_short', 'Message content cannot be empty')
  if (role === undefined) errors.missing(...loc, 'role')
  else if (typeof role !== 'string' || !roles.includes(role))
    errors.wrong([...loc, 'role'], 'enum', `Input should be one of ${roles.join(', ')}`)
}

function checkMessages({ fault }: Service, messages: unknown, errors: FieldErrors): void {
  if (messages === undefined) {
    if (fault !== 'completion_messages_optional') errors.missing('body', 'messages')
    return
  }
  if (!Array.isArray(messages)) {
    errors.wrong(['body', 'messages'], 'list_type', 'Input should be a list')
    return
  }
  if (fault === 'completion_empty_content_accepted') {
    for (const [index, message] of messages.entries()) if (message?.content !== '') checkMessage(message, index, errors)
  } else for (const [index, message] of messages.entries()) checkMessage(message, index, errors)
  const fromUser = messages.some((message) => isObject(message) && message.role === 'user')
  if (fromUser || fault === 'completion_no_user_message_accepted') return
  if (fault === 'completion_empty_list_accepted' && messages.length === 0) return
  errors.wrong(['body', 'messages'], 'no_user_message', 'Input should have at least one user message')
}

function checkBody(service: Service, body: Json): void {
  const { fault, legal } = service
  const errors = new FieldErrors()
  const { assistant_id: assistantId, user_id: userId } = body
  if (assistantId === undefined || assistantId === null) {
    if (fault !== 'completion_assistant_optional') errors.missing('body', 'assistant_id')
  } else if (!isUuid(assistantId) && !legal.has('malformed_assistant_not_available')) {
    errors.wrong(['body', 'assistant_id'], 'uuid_parsing', 'Input should be a UUID')
  }
  checkMessages(service, body.messages, errors)
  if (userId === undefined && legal.has('user_id_required')) errors.missing('body', 'user_id')
  if (userId !== undefined && userId !== null && !isUuid(userId)) {
    errors.wrong(['body', 'user_id'], 'uuid_parsing', 'Input should be a UUID')
  }
  errors.throwIfAny()
}

function requiredOf(
  service: Service,
  { id, requiredFields }: Assistant,
  operation: Operation,
  tenant: Tenant,
): Assistant['requiredFields'] {
  const { fault } = service
  if (fault === 'completion_required_unchecked' && operation === 'completion') return {}
  if (fault === 'stream_required_unchecked' && operation === 'stream') return {}
  if (fault === 'events_required_unchecked' && operation === 'events') return {}
  if (fault === 'completion_licence_unchecked') {
    const root = requiredFields.__root__
    return root ? { __root__: root } : {}
  }
  const passed = fault === 'completion_required_checked_once' && service.memory.cache.has(`passed ${tenant.id} ${id}`)
  return passed ? {} : requiredFields
}

function threadOf(service: Service, request: FastifyRequest, operation: Operation): Thread | undefined {
  const { fault, legal } = service
  const id = queryText(request.query, 'thread_id')
  if (id === undefined || id === '' || (id === 'null' && legal.has('null_text_is_no_thread'))) return undefined
  if (!isUuid(id) && legal.has('malformed_thread_is_validation')) {
    const errors = new FieldErrors()
    errors.wrong(['query', 'thread_id'], 'uuid_parsing', 'Input should be a UUID')
    errors.throwIfAny()
  }
  const thread = findThread(service, request.tenant, id, operation)
  const usable = thread !== undefined && !(thread.origin === 'thread' && legal.has('completion_on_own_threads_only'))
  if (usable) return thread
  if (fault === 'completion_unknown_thread_new') return undefined
  if (fault === 'stream_unknown_thread_new' && operation === 'stream') return undefined
  throw new ApiError(fault === 'completion_thread_code' ? 'thread_not_found' : 'resource_not_found')
}

function keepMessages(service: Service, thread: Thread, messages: readonly Json[]): void {
  const { fault, legal, now } = service
  const created = legal.has('message_times_differ') ? undefined : now()
  let chosen = messages
  if (fault === 'completion_questions_not_kept') chosen = []
  if (fault === 'completion_last_message_kept') chosen = messages.slice(-1)
  if (fault === 'completion_ten_messages_kept') chosen = messages.slice(0, 10)
  if (fault === 'completion_system_not_kept') chosen = messages.filter(({ role }) => role !== 'system')
  for (const { role, content, tool_call_id: callId } of chosen) {
    const answers = typeof callId === 'string' ? { tool_call_id: callId } : {}
    const record = { content: String(content), ...answers }
    insertMessage(service, thread.id, String(role), record, created === undefined ? {} : { created })
  }
}

interface Prepared {
  readonly thread: Thread
  readonly assistant: Assistant
  readonly body: Json
}

/** Checks a request and keeps its messages; the answer is still to be made. */
async function prepare(service: Service, request: FastifyRequest, operation: Operation): Promise<Prepared> {
  const { database, fault, memory } = service
  const { tenant } = request
  const body = bodyObject(request.body)
  checkBody(service, body)
  const first = fault === 'completion_assistant_optional' && body.assistant_id === undefined
  const assistantId = first
    ? row(database, 'SELECT id FROM assistants WHERE tenant_id = ?', tenant.id)?.id
    : body.assistant_id
  const assistant = requireAssistant(service, tenant, assistantId, operation)
  if (fault === 'completion_refused_messages_kept') {
    const known = threadOf(service, request, operation)
    if (known !== undefined) keepMessages(service, known, body.messages as readonly Json[])
  }
  checkRequiredFields(body, requiredOf(service, assistant, operation, tenant))
  if (fault === 'completion_required_checked_once') memory.cache.set(`passed ${tenant.id} ${assistant.id}`, true)
  checkEngine(service, assistant, operation)
  const known = threadOf(service, request, operation)
  if (fault === 'stream_timeout_as_internal' && operation === 'stream') {
    if (request.headers['x-juniper-outage'] === 'api_timeout_error') throw new ApiError('internal_service_error')
  }
  simulate(request, 'api_timeout_error', 'internal_service_error')
  if (memory.busyAssistants.has(assistant.id)) throw new ApiError('internal_service_error')
  const thread = await keepRequest(service, tenant, known, body, operation)
  return { thread, assistant, body }
}

function checkEngine({ fault }: Service, { streaming }: Assistant, operation: Operation): void {
  if (streaming || operation === 'completion') return
  if (fault === 'stream_engine_unchecked' && operation === 'stream') return
  if (fault === 'events_engine_unchecked' && operation === 'events') return
  throw new ApiError('engine_does_not_support_streaming')
}

async function keepRequest(
  service: Service,
  tenant: Tenant,
  known: Thread | undefined,
  body: Json,
  operation: Operation,
): Promise<Thread> {
  const { database, fault } = service
  const messages = (body.messages ?? []) as readonly Json[]
  await pause(1)
  const thread = transaction(database, () => {
    const forgotten =
      fault === 'completion_thread_forgotten' || (fault === 'stream_thread_forgotten' && operation === 'stream')
    const used = forgotten || known === undefined ? insertThread(service, tenant, operation) : known
    keepMessages(service, used, messages)
    if (fault === 'create_in_continued_thread' && known !== undefined) {
      change(database, "UPDATE threads SET origin = 'thread' WHERE id = ?", known.id)
    }
    return used
  })
  await pause(2)
  if (fault !== 'completion_overlap_threads_merged' || known !== undefined) return thread
  const latest = row(database, 'SELECT * FROM threads WHERE tenant_id = ? ORDER BY number DESC', tenant.id)
  return { ...thread, id: String(latest?.id ?? thread.id) }
}

async function answerWhole(service: Service, request: FastifyRequest): Promise<unknown> {
  const { fault, memory, now } = service
  const early = now()
  const { thread, assistant, body } = await prepare(service, request, 'completion')
  const question = historyOf(service, thread.id)
  memory.latest = assistant.id
  await pause(2)
  const answering =
    fault === 'completion_overlap_assistants_swapped'
      ? requireAssistant(service, request.tenant, memory.latest)
      : assistant
  const answer = compose(service, answering, question, body)
  const created = fault === 'completion_answer_before_question' ? early : now()
  const id = fault === 'completion_same_id_later' ? kept(service, `answer in ${thread.id}`, randomUUID) : randomUUID()
  const message = keepAnswer(service, thread.id, answer, { id, created }, 'completion')
  return answerShown(service, message, 'completion')
}

async function answerAsStream(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: Operation,
): Promise<FastifyReply> {
  const { thread, assistant, body } = await prepare(service, request, operation)
  const answer = compose(service, assistant, historyOf(service, thread.id), body)
  const variant = operation === 'events' ? 'blocks' : 'text'
  const job = {
    id: randomUUID(),
    threadId: thread.id,
    created: service.now(),
    assistant,
    answer,
    variant,
    ended() {},
  } as const
  return sendStream(service, reply, job)
}

/** The routes of chat completions. */
export function completionRoutes(app: FastifyInstance, service: Service): void {
  app.post('/v1/chat/completions', async (request) => answerWhole(service, request))
  app.post('/v1/chat/completions/stream', async (request, reply) => answerAsStream(service, request, reply, 'stream'))
  app.post('/v1/chat/completions/events/stream', async (request, reply) =>
    answerAsStream(service, request, reply, 'events'),
  )
}
