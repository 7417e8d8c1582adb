/**
 * Why a request is refused: one stable reason id for each rule, with the contract's error code behind it.
 * The table is what the `x-acs-reason` header names and what `acs explain <reason>` prints.
 */

import { adminReasons } from '../admin/admin-reasons.ts'
import { faultReasons } from '../faults/fault-reasons.ts'
import { httpReasons } from '../http/http-reasons.ts'

/** One entry of the `detail` array of a validation error (contract: Errors). */
export interface FieldFault {
  readonly loc: readonly (string | number)[]
  readonly message: string
  readonly type: string
}

export interface Rejection {
  readonly reason: ReasonId
  /** Another code than the reason's own; only for injected errors. */
  readonly code?: ErrorCode
  /** Every invalid field, in document order; only for `validation_error`. */
  readonly faults?: readonly FieldFault[]
  /** Seconds until it is worth trying again; only for the rate limit. */
  readonly retryAfterSeconds?: number
}

/** Status and text of every error code: the contract's table, statuses by the reference profile. */
export const errorCodes = {
  assistant_not_available: { status: 403, detail: 'Assistant not available to the tenant' },
  resource_not_found: { status: 404, detail: 'Resource not found' },
  thread_not_found: { status: 404, detail: 'Thread not found' },
  engine_does_not_support_streaming: {
    status: 400,
    detail: 'The selected engine does not support streaming; use the non-streaming endpoint',
  },
  rate_limit_gateway: { status: 429, detail: 'Rate limit exceeded' },
  api_timeout_error: { status: 504, detail: 'An upstream model API request timed out' },
  internal_service_error: {
    status: 503,
    detail: 'An internal required service is unavailable; try again later',
  },
  tool_message_has_no_matching_tool_call: {
    status: 400,
    detail: "A tool message id is not found in a preceding assistant message's tool calls in the thread",
  },
  message_content_empty: { status: 400, detail: 'Message content cannot be empty' },
  validation_error: { status: 422, detail: 'See the faults' },
  bad_request: { status: 400, detail: 'Bad request' },
  tenant_not_found: { status: 404, detail: 'Tenant not found' },
  unauthorized: { status: 401, detail: 'Missing or unknown API key' },
  method_not_allowed: { status: 405, detail: 'Method not allowed' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly detail: string }>>

export type ErrorCode = keyof typeof errorCodes

/** One row of the reason table. */
export interface Reason {
  readonly code: ErrorCode
  /** The rule that was broken, in our own words. */
  readonly rule: string
  /** Heading path in the contract, or the gap that it leaves. */
  readonly section: string
  /** What the caller can do about it. */
  readonly fix: string
}

/** Every reason for which the mock refuses a request. */
export const reasons = {
  'auth.missing-key': {
    code: 'unauthorized',
    rule: 'Every endpoint needs the header api-key.',
    section: 'Authentication',
    fix: 'Send one of the keys that `acs mock` printed in the header api-key.',
  },
  'auth.unknown-key': {
    code: 'unauthorized',
    rule: 'The key must be one of a tenant of this world.',
    section: 'Authentication',
    fix: 'Compare the key with those of the scenario; the header must be there once.',
  },
  ...httpReasons,
  'mock.fault': {
    code: 'internal_service_error',
    rule: 'The mock itself failed; the journal entry of the exchange tells how.',
    section: 'Errors',
    fix: 'Report it: this is a fault of the mock, not of the request.',
  },
  'state.unwritable': {
    code: 'internal_service_error',
    rule: 'The state directory cannot be written, and nothing is promised that is not written down.',
    section: 'Errors',
    fix: 'Free space on the disk, or make the directory writable; the mock goes on by itself.',
  },
  'worlds.bad-name': {
    code: 'validation_error',
    rule: 'The name of a world has 1 to 64 of the characters A-Z a-z 0-9 . _ -.',
    section: 'Gaps in resources',
    fix: 'Choose another value for x-acs-world, the /w/<world> path or the part of the key after @.',
  },
  'worlds.too-many': {
    code: 'internal_service_error',
    rule: 'The mock keeps a limited number of worlds at once.',
    section: 'Limits',
    fix: 'Destroy worlds that are done with, or raise the limit when starting the mock.',
  },
  'limits.quota': {
    code: 'rate_limit_gateway',
    rule: 'The key has spent its quota for the current window.',
    section: 'Limits',
    fix: 'Wait for the seconds in retry-after, or move the clock of the world.',
  },
  'body.not-json': {
    code: 'validation_error',
    rule: 'The body must be one JSON document in UTF-8.',
    section: 'Endpoints',
    fix: 'Send JSON; check quotes, commas and the encoding.',
  },
  'body.too-complex': {
    code: 'validation_error',
    rule: 'The body is nested deeper, or holds more values, than the mock takes.',
    section: 'Limits',
    fix: 'Flatten the body.',
  },
  'request.invalid-fields': {
    code: 'validation_error',
    rule: 'A field of the request does not fit its schema; detail lists each of them.',
    section: 'Errors',
    fix: 'Correct every entry of detail; loc is the path to the field.',
  },
  'pagination.foreign-cursor': {
    code: 'validation_error',
    rule: 'A cursor is opaque and works only for the thread whose page gave it.',
    section: 'Endpoints / GET /v1/threads/{thread_id}/messages',
    fix: 'Send the cursor of the previous page of this thread unchanged, or none.',
  },
  'messages.empty-content': {
    code: 'message_content_empty',
    rule: 'The content of a message must not be empty.',
    section: 'Resources and their fields / Message',
    fix: 'Send at least one character.',
  },
  'threads.unknown': {
    code: 'thread_not_found',
    rule: 'The tenant has no thread with this id.',
    section: 'Errors',
    fix: 'Use an id that this tenant was given, in the same world.',
  },
  'threads.foreign': {
    code: 'thread_not_found',
    rule: 'A thread is visible to its own tenant only.',
    section: 'Authentication',
    fix: 'Use the API key of the tenant that made the thread.',
  },
  'threads.completion-born': {
    code: 'bad_request',
    rule: 'A thread that a chat completion made takes no messages through create-message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/messages',
    fix: 'Continue it with another completion and its thread_id, or create a thread first.',
  },
  'completions.unknown-thread': {
    code: 'resource_not_found',
    rule: 'The query parameter thread_id must name a thread of the tenant.',
    section: 'Endpoints / POST /v1/chat/completions',
    fix: 'Leave thread_id out to start a new thread.',
  },
  'completions.bad-message': {
    code: 'validation_error',
    rule: 'A tool message of a completion answers a tool call before it; attached files belong to the tenant.',
    section: 'Endpoints / POST /v1/chat/completions',
    fix: 'Correct every entry of detail; loc is the path to the field.',
  },
  'assistants.unknown': {
    code: 'resource_not_found',
    rule: 'The tenant has no assistant with this id.',
    section: 'Endpoints / GET /v1/assistants/{assistant_id}',
    fix: 'Take an id from GET /v1/assistants.',
  },
  'assistants.not-available': {
    code: 'assistant_not_available',
    rule: 'An assistant answers its own tenant only.',
    section: 'Authentication',
    fix: 'Take an id from GET /v1/assistants with the same API key.',
  },
  'streams.not-supported': {
    code: 'engine_does_not_support_streaming',
    rule: 'The assistant gives whole answers only.',
    section: 'Errors',
    fix: 'Use the endpoint without /stream, or an assistant whose record says streaming: true.',
  },
  'threads.run.needs-user-message': {
    code: 'bad_request',
    rule: 'A run needs at least one user message in the thread.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run',
    fix: 'Add a user message first.',
  },
  'threads.run.open-tool-calls': {
    code: 'bad_request',
    rule: 'Before a run, every tool call of the thread must be answered by a tool message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run',
    fix: 'Add a tool message for each tool call id that is still open.',
  },
  'threads.run.stream-end': {
    code: 'bad_request',
    rule: 'A streamed run needs a thread that ends on a user or a tool message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run/stream',
    fix: 'Add a user message, or use the run endpoint that answers whole.',
  },
  'tools.no-matching-call': {
    code: 'tool_message_has_no_matching_tool_call',
    rule: 'A tool message answers a tool call of an assistant message before it in the thread.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/messages',
    fix: 'Set tool_call_id to an id of tool_calls in an earlier assistant message.',
  },
  'files.unknown': {
    code: 'resource_not_found',
    rule: 'The tenant has no file with this id.',
    section: 'Endpoints / GET /v1/files/signed-url',
    fix: 'Use the file_id of an upload grant of this tenant.',
  },
  'files.unknown-attachment': {
    code: 'validation_error',
    rule: 'file_ids of a message name files of the tenant.',
    section: 'Gaps in resources',
    fix: 'Attach only file ids that this tenant was granted.',
  },
  'files.bad-signature': {
    code: 'bad_request',
    rule: 'An upload URL must be used exactly as granted.',
    section: 'Resources and their fields / Upload grant',
    fix: 'PUT to file_url unchanged.',
  },
  'files.expired': {
    code: 'bad_request',
    rule: 'An upload URL ends after expires_in seconds.',
    section: 'Resources and their fields / Upload grant',
    fix: 'Ask for a new grant.',
  },
  'files.type-not-allowed': {
    code: 'validation_error',
    rule: 'The media type of an upload must be one of file_limits.allowed_types.',
    section: 'Limits',
    fix: 'Send the content-type of an allowed type.',
  },
  'files.too-large': {
    code: 'validation_error',
    rule: 'An upload must not be larger than file_limits.max_size bytes.',
    section: 'Limits',
    fix: 'Upload a smaller file.',
  },
  'files.uploaded-before': {
    code: 'bad_request',
    rule: 'A grant is good for one upload.',
    section: 'Endpoints / GET /v1/files/signed-url',
    fix: 'Ask for a new grant.',
  },
  ...faultReasons,
  ...adminReasons,
} as const satisfies Readonly<Record<string, Reason>>

export type ReasonId = keyof typeof reasons
