/**
 * The table of operations: path, handler, whether the quota applies and which faults can be brought about.
 * It also holds the small handlers that only read what is there: assistants and the tenant.
 */
import type { Call, Reply, Route } from './call.ts'
import { assistantOf, completeChat, streamChat, streamChatEvents } from './completions.ts'
import { fileStatus, grantUpload } from './files.ts'
import { pathUuid } from './reading.ts'
import { runThread, streamRun } from './runs.ts'
import { createMessage, createThread, listMessages } from './threads.ts'

function listAssistants(call: Call): Reply {
  return { json: [...call.tenant.assistants.values()].map(({ record }) => record) }
}

function readAssistant(call: Call): Reply {
  return { json: assistantOf(call, pathUuid('assistant_id', call.params.assistant_id)).record }
}

function readTenant({ tenant }: Call): Reply {
  return { json: { id: tenant.id, name: tenant.name, api_keys: tenant.apiKeys } }
}

function route(method: string, template: string, handle: Route['handle'], options: Partial<Route> = {}): Route {
  const path = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  return { method, path, handle, limited: true, frameworkShape: false, faults: [], ...options }
}

const model = { faults: ['api_timeout_error', 'internal_service_error'] } as const
const storage = { faults: ['internal_service_error'] } as const
const framework = { limited: false, frameworkShape: true } as const

/** All operations that need an API key. */
export const routes: readonly Route[] = [
  route('POST', '/v1/chat/completions', completeChat, model),
  route('POST', '/v1/chat/completions/stream', streamChat, model),
  route('POST', '/v1/chat/completions/events/stream', streamChatEvents, { ...framework, limited: true }),
  route('POST', '/v1/threads', createThread, { limited: false }),
  route('POST', '/v1/threads/{thread_id}/run', runThread, model),
  route('POST', '/v1/threads/{thread_id}/run/stream', streamRun, model),
  route('GET', '/v1/threads/{thread_id}/messages', listMessages, storage),
  route('POST', '/v1/threads/{thread_id}/messages', createMessage, storage),
  route('GET', '/v1/assistants', listAssistants, framework),
  route('GET', '/v1/assistants/{assistant_id}', readAssistant, framework),
  route('GET', '/v1/files/signed-url', grantUpload, framework),
  route('GET', '/v1/files/{file_id}/status', fileStatus, framework),
  route('GET', '/v1/tenants/my-api-keys', readTenant, { faults: ['bad_request'] }),
]
