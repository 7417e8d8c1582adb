/**
 * Lists every operation by operationId, including the few that only the reference profile adds.
 * The ids are those of openapi.yaml; a test compares the two.
 */
import type { Chapter } from './chapters.ts'

/** What an implementation may claim in its target profile; an obligation is owed only under claimed levels. */
export const conformanceLevels = ['core', 'streaming', 'events', 'threads', 'tools', 'files', 'tenancy'] as const
export type ConformanceLevel = (typeof conformanceLevels)[number]

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path template below the base URL; `null` for the upload, whose URL is in the grant. */
  readonly path: string | null
  readonly chapter: Chapter
  readonly section: string
  /** Claimed levels under which the operation is owed. */
  readonly levels: readonly ConformanceLevel[]
  /** True if a real service pays for a model call when it accepts the request. */
  readonly callsModel: boolean
  /** The NDJSON variant of the success response, or `null` for one JSON document. */
  readonly stream: 'text' | 'blocks' | null
  /** `reference`: not in the contract, added by the assumptions overlay. */
  readonly profile: 'contract' | 'reference'
}

export const operations = {
  createChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions',
    chapter: 'completions',
    section: 'Endpoints / POST /v1/chat/completions',
    levels: ['core'],
    callsModel: true,
    stream: null,
    profile: 'contract',
  },
  streamChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions/stream',
    chapter: 'completions',
    section: 'Endpoints / POST /v1/chat/completions/stream',
    levels: ['streaming'],
    callsModel: true,
    stream: 'text',
    profile: 'contract',
  },
  streamChatCompletionEvents: {
    method: 'POST',
    path: '/v1/chat/completions/events/stream',
    chapter: 'completions',
    section: 'Endpoints / POST /v1/chat/completions/events/stream',
    levels: ['events'],
    callsModel: true,
    stream: 'blocks',
    profile: 'contract',
  },
  runThread: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/run',
    chapter: 'threads',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run',
    levels: ['threads'],
    callsModel: true,
    stream: null,
    profile: 'contract',
  },
  streamThreadRun: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/run/stream',
    chapter: 'threads',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run/stream',
    levels: ['threads', 'streaming'],
    callsModel: true,
    stream: 'text',
    profile: 'contract',
  },
  listMessages: {
    method: 'GET',
    path: '/v1/threads/{thread_id}/messages',
    chapter: 'pagination',
    section: 'Endpoints / GET /v1/threads/{thread_id}/messages',
    levels: ['threads'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  createMessage: {
    method: 'POST',
    path: '/v1/threads/{thread_id}/messages',
    chapter: 'threads',
    section: 'Endpoints / POST /v1/threads/{thread_id}/messages',
    levels: ['threads'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  listAssistants: {
    method: 'GET',
    path: '/v1/assistants',
    chapter: 'assistants',
    section: 'Endpoints / GET /v1/assistants',
    levels: ['core'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  getAssistant: {
    method: 'GET',
    path: '/v1/assistants/{assistant_id}',
    chapter: 'assistants',
    section: 'Endpoints / GET /v1/assistants/{assistant_id}',
    levels: ['core'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  createUploadGrant: {
    method: 'GET',
    path: '/v1/files/signed-url',
    chapter: 'files',
    section: 'Endpoints / GET /v1/files/signed-url',
    levels: ['files'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  uploadFile: {
    method: 'PUT',
    path: null,
    chapter: 'files',
    section: 'Endpoints / GET /v1/files/signed-url',
    levels: ['files'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  listMyApiKeys: {
    method: 'GET',
    path: '/v1/tenants/my-api-keys',
    chapter: 'tenancy',
    section: 'Endpoints / GET /v1/tenants/my-api-keys',
    levels: ['core'],
    callsModel: false,
    stream: null,
    profile: 'contract',
  },
  createThread: {
    method: 'POST',
    path: '/v1/threads',
    chapter: 'threads',
    section: 'Endpoints / Thread creation',
    levels: [],
    callsModel: false,
    stream: null,
    profile: 'reference',
  },
  getFileStatus: {
    method: 'GET',
    path: '/v1/files/{file_id}/status',
    chapter: 'files',
    section: 'Endpoints / GET /v1/files/signed-url',
    levels: [],
    callsModel: false,
    stream: null,
    profile: 'reference',
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations
export const operationIds = Object.keys(operations) as readonly OperationId[]
