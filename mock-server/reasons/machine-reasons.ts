/**
 * Rows of the reason table that belong to the conversation machine.
 * The machine knows these reasons alone; the shells around it add their own.
 */
import type { Reason, RejectionFor } from './reason.ts'

export const machineReasons = {
  'foreign-cursor': {
    code: 'validation_error',
    rule: 'A cursor is opaque and works only for the thread whose page gave it.',
    section: 'Endpoints / GET /v1/threads/{thread_id}/messages',
    fix: 'Send the cursor of the previous page of this thread unchanged, or none.',
  },
  'empty-content': {
    code: 'message_content_empty',
    rule: 'The content of a message must not be empty.',
    section: 'Resources and their fields / Message',
    fix: 'Send at least one character.',
  },
  'unknown-thread': {
    code: 'thread_not_found',
    rule: 'The tenant has no thread with this id.',
    section: 'Errors',
    fix: 'Use an id that this tenant was given, in the same world.',
  },
  'foreign-thread': {
    code: 'thread_not_found',
    rule: 'A thread is visible to its own tenant only.',
    section: 'Authentication',
    fix: 'Use the API key of the tenant that made the thread.',
  },
  'closed-completion-thread': {
    code: 'bad_request',
    rule: 'A thread that a chat completion made takes no messages through create-message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/messages',
    fix: 'Continue it with another completion and its thread_id, or create a thread first.',
  },
  'unknown-completion-thread': {
    code: 'resource_not_found',
    rule: 'The query parameter thread_id must name a thread of the tenant.',
    section: 'Endpoints / POST /v1/chat/completions',
    fix: 'Leave thread_id out to start a new thread.',
  },
  'bad-completion-message': {
    code: 'validation_error',
    rule: 'A tool message of a completion answers a tool call before it; attached files belong to the tenant.',
    section: 'Endpoints / POST /v1/chat/completions',
    fix: 'Correct every entry of detail; loc is the path to the field.',
  },
  'unknown-assistant': {
    code: 'assistant_not_available',
    rule: 'The tenant has no assistant with this id.',
    section: 'Authentication',
    fix: 'Take an id from GET /v1/assistants.',
  },
  'assistant-not-available': {
    code: 'assistant_not_available',
    rule: 'An assistant answers its own tenant only.',
    section: 'Authentication',
    fix: 'Take an id from GET /v1/assistants with the same API key.',
  },
  'streaming-not-supported': {
    code: 'engine_does_not_support_streaming',
    rule: 'The assistant does not stream.',
    section: 'Errors',
    fix: 'Use the endpoint without /stream, or an assistant whose record says streaming: true.',
  },
  'no-user-message': {
    code: 'bad_request',
    rule: 'A run needs at least one user message in the thread.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run',
    fix: 'Add a user message first.',
  },
  'open-tool-calls': {
    code: 'bad_request',
    rule: 'Before a run, every tool call of the thread must be answered by a tool message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run',
    fix: 'Add a tool message for each tool call id that is still open.',
  },
  'no-message-to-answer': {
    code: 'bad_request',
    rule: 'A streamed run needs a thread that ends on a user or a tool message.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/run/stream',
    fix: 'Add a user message, or use the non-streaming run endpoint.',
  },
  'no-matching-tool-call': {
    code: 'tool_message_has_no_matching_tool_call',
    rule: 'A tool message answers a tool call of an assistant message before it in the thread.',
    section: 'Endpoints / POST /v1/threads/{thread_id}/messages',
    fix: 'Set tool_call_id to an id of tool_calls in an earlier assistant message.',
  },
  'unknown-file': {
    code: 'resource_not_found',
    rule: 'The tenant has no file with this id.',
    section: 'Endpoints / GET /v1/files/signed-url',
    fix: 'Use the file_id of an upload grant of this tenant.',
  },
  'unknown-attachment': {
    code: 'validation_error',
    rule: 'file_ids of a message name files of the tenant.',
    section: 'Gaps in resources',
    fix: 'Attach only file ids that this tenant was granted.',
  },
  'bad-upload-signature': {
    code: 'bad_request',
    rule: 'An upload URL must be used exactly as granted.',
    section: 'Resources and their fields / Upload grant',
    fix: 'PUT to file_url unchanged.',
  },
  'upload-expired': {
    code: 'bad_request',
    rule: 'An upload URL expires after expires_in seconds.',
    section: 'Resources and their fields / Upload grant',
    fix: 'Ask for a new grant.',
  },
  'file-type-not-allowed': {
    code: 'validation_error',
    rule: 'The media type of an upload must be one of file_limits.allowed_types.',
    section: 'Limits',
    fix: 'Send the content-type of an allowed type.',
  },
  'file-too-large': {
    code: 'validation_error',
    rule: 'An upload must not be larger than file_limits.max_size bytes.',
    section: 'Limits',
    fix: 'Upload a smaller file.',
  },
  'already-uploaded': {
    code: 'bad_request',
    rule: 'An upload URL can be used once.',
    section: 'Endpoints / GET /v1/files/signed-url',
    fix: 'Ask for a new grant.',
  },
} as const satisfies Readonly<Record<string, Reason>>

export type MachineReasonId = keyof typeof machineReasons
export type MachineRejection = RejectionFor<MachineReasonId>
