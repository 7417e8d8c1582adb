/** Runs an assistant on a thread and gives its answer whole or as a stream. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerShown, keepAnswer } from './answers.ts'
import { type Assistant, requireAssistant } from './assistants.ts'
import { bodyObject, checkRequiredFields, FieldErrors, isUuid, type Json } from './checks.ts'
import { pause } from './clock.ts'
import { row } from './database.ts'
import { compose } from './engine.ts'
import { ApiError } from './errors.ts'
import { historyOf, insertMessage, type Message, requireThread, type Thread } from './message-store.ts'
import { kept, type Service } from './service.ts'
import { sendStream } from './streams.ts'
import { simulate } from './tenants.ts'
import { checkReadyForRun } from './tool-rules.ts'

interface RunRoute {
  readonly Params: { readonly threadId: string }
}

type RunRequest = FastifyRequest<RunRoute>

interface Prepared {
  readonly thread: Thread
  readonly assistant: Assistant
  readonly history: readonly Message[]
  readonly body: Json
}

function assistantOf(service: Service, { tenant }: RunRequest, body: Json): Assistant {
  const { database, fault, legal } = service
  const { assistant_id: id } = body
  const errors = new FieldErrors()
  if (id === undefined || id === null) errors.missing('body', 'assistant_id')
  else if (!isUuid(id) && !legal.has('malformed_assistant_not_available')) {
    errors.wrong(['body', 'assistant_id'], 'uuid_parsing', 'Input should be a UUID')
  }
  errors.throwIfAny()
  if (fault !== 'run_unknown_assistant_default') return requireAssistant(service, tenant, id, 'run')
  const known = row(database, 'SELECT id FROM assistants WHERE id = ?', String(id))
  const first = row(database, 'SELECT id FROM assistants WHERE tenant_id = ?', tenant.id)
  return requireAssistant(service, tenant, known === undefined ? first?.id : id)
}

/** Checks that a thread and an assistant are ready for a run. */
function prepare(service: Service, request: RunRequest, streamed: boolean): Prepared {
  const { fault, legal, memory } = service
  const { tenant, params } = request
  const body = bodyObject(request.body)
  const early = legal.has('assistant_before_thread') ? assistantOf(service, request, body) : undefined
  const thread = requireThread(service, tenant, params.threadId, streamed ? 'run stream' : 'run')
  if (thread.origin !== 'thread' && legal.has('run_on_own_threads_only')) throw new ApiError('thread_not_found')
  const assistant = early ?? assistantOf(service, request, body)
  checkRequiredFields(body, fault === 'run_required_unchecked' ? {} : assistant.requiredFields)
  const history = historyOf(service, thread.id)
  checkEngine(service, { thread, assistant, history, body }, streamed)
  if (request.headers['x-juniper-outage'] === 'api_timeout_error' && fault === 'run_timeout_keeps_empty') {
    insertMessage(service, thread.id, 'assistant', { content: '', meta_data: {}, sources: [] })
  }
  simulate(request, 'api_timeout_error', 'internal_service_error')
  if (fault !== 'run_never_refused') checkReadyForRun(service, history, streamed)
  if (memory.abandonedThreads.has(thread.id) || memory.busyAssistants.has(assistant.id)) {
    throw new ApiError('internal_service_error')
  }
  if (legal.has('run_refused_while_running') && memory.activeThreads.has(thread.id))
    throw new ApiError('rate_limit_gateway')
  return { thread, assistant, history, body }
}

function checkEngine(service: Service, prepared: Prepared, streamed: boolean): void {
  const { fault } = service
  const { assistant, thread, history, body } = prepared
  if (assistant.streaming) return
  if (!streamed || fault === 'run_stream_engine_unchecked') return
  if (fault === 'run_refused_stream_keeps_answer') {
    keepAnswer(service, thread.id, compose(service, assistant, history, body), {}, 'run')
  }
  throw new ApiError('engine_does_not_support_streaming')
}

async function answer(service: Service, prepared: Prepared): Promise<Message> {
  const { fault } = service
  const { thread, assistant, history, body } = prepared
  await pause(3)
  const composed = compose(service, assistant, history, body)
  const threadId = thread.id
  if (fault === 'run_time_of_question') {
    return keepAnswer(service, threadId, composed, { created: (history[0]?.created ?? service.now()) - 1 }, 'run')
  }
  return keepAnswer(service, threadId, composed, {}, 'run')
}

async function runWhole(service: Service, request: RunRequest): Promise<unknown> {
  const { fault, memory } = service
  const prepared = prepare(service, request, false)
  const { thread, assistant } = prepared
  memory.activeThreads.add(thread.id)
  try {
    if (fault === 'run_second_returns_first') {
      return answerShown(service, await kept(service, `run of ${thread.id}`, () => answer(service, prepared)), 'run')
    }
    if (fault === 'run_overlap_shares_answer') {
      const name = `running ${assistant.id}`
      const message = await kept(service, name, () => answer(service, prepared))
      memory.cache.delete(name)
      return answerShown(service, message, 'run')
    }
    return answerShown(service, await answer(service, prepared), 'run')
  } finally {
    memory.activeThreads.delete(thread.id)
  }
}

function runAsStream(service: Service, request: RunRequest, reply: FastifyReply): FastifyReply {
  const { fault, memory, now } = service
  const { thread, assistant, history, body } = prepare(service, request, true)
  memory.activeThreads.add(thread.id)
  const id = fault === 'run_stream_same_id_later' ? kept(service, `stream of ${thread.id}`, randomUUID) : randomUUID()
  const composed = compose(service, assistant, history, body)
  const ended = (): boolean => memory.activeThreads.delete(thread.id)
  const job = { id, threadId: thread.id, created: now(), assistant, answer: composed, variant: 'text', ended } as const
  return sendStream(service, reply, job)
}

/** The routes of runs. */
export function runRoutes(app: FastifyInstance, service: Service): void {
  app.post<RunRoute>('/v1/threads/:threadId/run', async (request) => runWhole(service, request))
  app.post<RunRoute>('/v1/threads/:threadId/run/stream', async (request, reply) => runAsStream(service, request, reply))
}
