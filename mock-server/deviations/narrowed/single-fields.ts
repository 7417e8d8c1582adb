/** Deviations of one field in the replies of one operation; what is stored stays as it is. */
import { isJsonObject, type Json, type JsonObject, type OperationId, type RequirementId } from '../../../spec/index.ts'
import type { Deviation, HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { type Change, dropField, editAt, editTextAt, replaceWith, withFields } from '../../overrides/json-edit.ts'
import { overrideReply } from '../../overrides/replies.ts'
import { everyChunk, overrideChunk } from '../../overrides/streams.ts'
import type { ErrorCode } from '../../reasons/reason.ts'
import { singlePlace } from './single-place.ts'

type Row = readonly [operation: OperationId, facet: string | null, path: string]

const streamed: ReadonlySet<OperationId> = new Set([
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'streamThreadRun',
])

/** Changes the value at a path of every reply, or of every chunk, of an operation. */
function changeAt(operation: OperationId, path: string, change: Change): HookOverride {
  const edit = editAt(path, change)
  return streamed.has(operation) ? overrideChunk(operation, everyChunk, edit) : overrideReply(operation, edit)
}

const rowsOf = (requirement: RequirementId, what: string, change: Change, rows: readonly Row[]): readonly Deviation[] =>
  rows.map(([operation, facet, path]) =>
    singlePlace(
      requirement,
      operation,
      facet,
      `Sends ${path} of ${operation} ${what}.`,
      changeAt(operation, path, change),
    ),
  )

const ofText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value

const legal: readonly Row[] = [
  ['createChatCompletion', 'type', 'meta_data.type'],
  ['createChatCompletion', 'legal_advice', 'meta_data.legal_advice'],
  ['createChatCompletion', 'intent', 'meta_data.intent'],
  ['runThread', 'type', 'meta_data.type'],
  ['runThread', 'legal_advice', 'meta_data.legal_advice'],
  ['runThread', 'intent', 'meta_data.intent'],
  ['listMessages', 'type', 'items.*.meta_data.type'],
  ['listMessages', 'intent', 'items.*.meta_data.intent'],
]

/** Answers every refusal of an operation with a code and no detail. */
const bareCode = (operation: OperationId, code: string): HookOverride =>
  overrideRejection(operation, 'any', () => ({ error_code: code }))

type CodeRequirement = Extract<RequirementId, `errors.code-${string}`>

const codes = (requirement: CodeRequirement, ...operations: readonly OperationId[]): readonly Deviation[] => {
  const code = requirement.slice('errors.code-'.length).replaceAll('-', '_')
  return operations.map((operation) =>
    singlePlace(
      requirement,
      operation,
      null,
      `Refuses on ${operation} as ${code}, without detail.`,
      bareCode(operation, code),
    ),
  )
}

/** Words the detail of one code otherwise on one operation. */
const ownText = (operation: OperationId, code: ErrorCode): Deviation =>
  singlePlace(
    'errors.detail-text',
    operation,
    code,
    `Words the detail of ${code} on ${operation} otherwise.`,
    overrideRejection(operation, code, editAt('detail', replaceWith('Something went wrong'))),
  )

/** Refuses on one operation with a code that it does not list. */
const unlisted = (operation: OperationId, code: ErrorCode): Deviation =>
  singlePlace(
    'errors.listed-where',
    operation,
    null,
    `Refuses on ${operation} as ${code}, which is listed elsewhere.`,
    overrideRejection(operation, 'any', withFields({ error_code: code })),
  )

/** Shows the second message of a page under the id of the first. */
const repeatsId = overrideReply(
  'listMessages',
  editAt('items', (items) => {
    if (!Array.isArray(items)) return items
    const id = isJsonObject(items[0] as Json) ? ((items[0] as JsonObject).id ?? null) : null
    return items.map((item: Json, index) => (index === 1 ? editTextAt('id', () => id)(item) : item))
  }),
)

export const singleFields: readonly Deviation[] = [
  ...rowsOf(
    'resources.id-is-uuid',
    'without hyphens',
    ofText((id) => id.replaceAll('-', '')),
    [
      ['createChatCompletion', 'id', 'id'],
      ['createChatCompletion', 'thread_id', 'thread_id'],
      ['runThread', 'id', 'id'],
      ['createMessage', 'id', 'id'],
      ['streamChatCompletion', 'message_id', 'message_id'],
      ['streamChatCompletion', 'thread_id', 'thread_id'],
      ['streamThreadRun', 'message_id', 'message_id'],
      ['streamThreadRun', 'thread_id', 'thread_id'],
      ['streamChatCompletionEvents', 'message_id', 'message_id'],
      ['streamChatCompletionEvents', 'thread_id', 'thread_id'],
    ],
  ),
  ...rowsOf(
    'resources.timestamp-format',
    'in whole seconds',
    ofText((stamp) => `${stamp.slice(0, 19)}Z`),
    [
      ['createChatCompletion', 'created_at', 'created_at'],
      ['createMessage', 'created_at', 'created_at'],
      ['streamChatCompletionEvents', 'created_at', 'created_at'],
    ],
  ),
  ...rowsOf('resources.message-content-not-empty', 'empty', replaceWith(''), [
    ['createChatCompletion', null, 'content'],
    ['runThread', null, 'content'],
  ]),
  ...rowsOf('resources.meta-data-fits-schema', 'empty', replaceWith({}), [
    ['createChatCompletion', null, 'meta_data'],
    ['runThread', null, 'meta_data'],
  ]),
  ...rowsOf('resources.message-fields', 'not at all', dropField, [['listMessages', 'role', 'items.*.role']]),
  ...rowsOf('resources.source-fields', 'as a number', replaceWith(7), [
    ['streamChatCompletion', 'meta_data.section', 'delta.sources.*.meta_data.section'],
    ['streamChatCompletionEvents', 'content', 'delta.sources.*.content'],
    ['streamChatCompletionEvents', 'meta_data.section', 'delta.sources.*.meta_data.section'],
    ['runThread', 'meta_data.document_title', 'sources.*.meta_data.document_title'],
    ['listMessages', 'content', 'items.*.sources.*.content'],
    ['listMessages', 'meta_data.section', 'items.*.sources.*.meta_data.section'],
  ]),
  ...rowsOf('resources.legal-meta-data', 'as a number', replaceWith(7), legal),
  ...rowsOf('assistants.required-fields-map', 'as a text', replaceWith('licence'), [
    ['listAssistants', null, '*.request_required_fields.user_data'],
  ]),
  ...rowsOf('assistants.record-fields', 'as a number', replaceWith(7), [
    ['listAssistants', 'streaming', '*.streaming'],
  ]),
  singlePlace('resources.message-ids-unique', 'listMessages', null, 'Lists two messages under one id.', repeatsId),
  ...codes('errors.code-assistant-not-available', 'runThread', 'streamThreadRun'),
  ...codes('errors.code-resource-not-found', 'createChatCompletion', 'streamChatCompletion'),
  ...codes('errors.code-engine-does-not-support-streaming', 'runThread'),
  ...codes(
    'errors.code-rate-limit-gateway',
    'listMyApiKeys',
    'createChatCompletion',
    'streamChatCompletion',
    'runThread',
    'streamThreadRun',
    'listMessages',
    'createMessage',
  ),
  ...codes(
    'errors.code-internal-service-error',
    'createChatCompletion',
    'streamChatCompletion',
    'runThread',
    'streamThreadRun',
  ),
  ...codes('errors.code-tool-message-has-no-matching-tool-call', 'listMessages'),
  ...codes(
    'errors.code-api-timeout-error',
    'createChatCompletion',
    'streamChatCompletion',
    'runThread',
    'streamThreadRun',
  ),
  ...codes('errors.code-message-content-empty', 'listMessages'),
  ownText('createChatCompletion', 'assistant_not_available'),
  ownText('createChatCompletion', 'resource_not_found'),
  ownText('streamChatCompletion', 'assistant_not_available'),
  ownText('streamChatCompletion', 'resource_not_found'),
  ownText('runThread', 'thread_not_found'),
  ownText('streamThreadRun', 'thread_not_found'),
  ownText('streamThreadRun', 'engine_does_not_support_streaming'),
  ownText('listMessages', 'thread_not_found'),
  ownText('createMessage', 'thread_not_found'),
  ownText('createMessage', 'tool_message_has_no_matching_tool_call'),
  ownText('createMessage', 'message_content_empty'),
  ownText('listMyApiKeys', 'rate_limit_gateway'),
  unlisted('createChatCompletion', 'tenant_not_found'),
  unlisted('streamChatCompletion', 'tenant_not_found'),
  unlisted('runThread', 'tenant_not_found'),
  unlisted('streamThreadRun', 'tenant_not_found'),
  unlisted('listMessages', 'tenant_not_found'),
  unlisted('createMessage', 'tenant_not_found'),
  unlisted('listMyApiKeys', 'internal_service_error'),
  ...codes('errors.code-validation-error', 'listMyApiKeys'),
  singlePlace(
    'errors.body-fields',
    'createChatCompletion',
    'detail',
    'Refuses completions without detail.',
    overrideRejection('createChatCompletion', 'any', editAt('detail', dropField)),
  ),
  singlePlace(
    'errors.body-fields',
    'createMessage',
    'error_code',
    'Refuses messages without error_code.',
    overrideRejection('createMessage', 'any', editAt('error_code', dropField)),
  ),
]
