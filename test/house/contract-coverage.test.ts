/**
 * Checks that a requirement or a gap covers every rule of the contract, and that every row names its section.
 * The list of rules is written by hand, in the contract's order; it is the reviewer's, not the code's.
 */
import { expect, test } from 'vitest'
import { type Gap, gapOf, gaps, obligations, type Requirement, requirementOf, requirements } from '../../spec/index.ts'

/** The contract's headings, as paths. */
const sections = [
  'What the service does',
  'Resources and their fields',
  'Resources and their fields / Message (roles user, system, tool)',
  'Resources and their fields / Assistant message (role `assistant`)',
  'Resources and their fields / Source',
  'Resources and their fields / Stream chunk (text variant)',
  'Resources and their fields / Stream chunk (content-blocks variant)',
  'Resources and their fields / Message page',
  'Resources and their fields / Assistant',
  'Resources and their fields / Tenant',
  'Resources and their fields / Upload grant',
  'Resources and their fields / Gaps in resources',
  'Endpoints',
  'Endpoints / POST /v1/chat/completions',
  'Endpoints / POST /v1/chat/completions/stream',
  'Endpoints / POST /v1/chat/completions/events/stream',
  'Endpoints / POST /v1/threads/{thread_id}/run',
  'Endpoints / POST /v1/threads/{thread_id}/run/stream',
  'Endpoints / GET /v1/threads/{thread_id}/messages',
  'Endpoints / POST /v1/threads/{thread_id}/messages',
  'Endpoints / GET /v1/assistants',
  'Endpoints / GET /v1/assistants/{assistant_id}',
  'Endpoints / GET /v1/files/signed-url',
  'Endpoints / GET /v1/tenants/my-api-keys',
  'Endpoints / Thread creation',
  'Authentication',
  'Events',
  'Errors',
  'Errors / Gaps in errors',
  'Limits',
  'Versioning',
]

/** Field of a resource → the row and facet that judge it. */
const fields: Readonly<Record<string, readonly [requirement: string, facet: string]>> = {
  'message id': ['resources.message-fields', 'id'],
  'message thread_id': ['resources.message-fields', 'thread_id'],
  'message role': ['resources.message-fields', 'role'],
  'message content': ['resources.message-fields', 'content'],
  'message created_at': ['resources.message-fields', 'created_at'],
  'assistant message meta_data': ['resources.assistant-message-fields', 'meta_data'],
  'assistant message sources': ['resources.assistant-message-fields', 'sources'],
  'legal meta_data type': ['resources.legal-meta-data', 'type'],
  'legal meta_data legal_advice': ['resources.legal-meta-data', 'legal_advice'],
  'legal meta_data intent': ['resources.legal-meta-data', 'intent'],
  'source content': ['resources.source-fields', 'content'],
  'source meta_data.document_title': ['resources.source-fields', 'meta_data.document_title'],
  'source meta_data.section': ['resources.source-fields', 'meta_data.section'],
  'chunk created_at': ['resources.chunk-fields', 'created_at'],
  'chunk message_id': ['resources.chunk-fields', 'message_id'],
  'chunk thread_id': ['resources.chunk-fields', 'thread_id'],
  'chunk delta': ['resources.chunk-fields', 'delta'],
  'delta role': ['resources.delta-fields', 'role'],
  'delta sources': ['resources.delta-fields', 'sources'],
  'page cursor': ['pagination.page-fields', 'cursor'],
  'page items': ['pagination.page-fields', 'items'],
  'assistant id': ['assistants.record-fields', 'id'],
  'assistant name': ['assistants.record-fields', 'name'],
  'assistant streaming': ['assistants.record-fields', 'streaming'],
  'assistant meta_data_response_schema': ['assistants.record-fields', 'meta_data_response_schema'],
  'assistant request_required_fields': ['assistants.record-fields', 'request_required_fields'],
  'schema type': ['assistants.schema-describes-object', 'type'],
  'schema properties': ['assistants.schema-describes-object', 'properties'],
  'schema title': ['assistants.schema-complete', 'title'],
  'schema required': ['assistants.schema-complete', 'required'],
  'tenant id': ['tenancy.record-fields', 'id'],
  'tenant name': ['tenancy.record-fields', 'name'],
  'tenant api_keys': ['tenancy.record-fields', 'api_keys'],
  'key id': ['tenancy.key-record-fields', 'id'],
  'key api_key': ['tenancy.key-record-fields', 'api_key'],
  'key created_at': ['tenancy.key-record-fields', 'created_at'],
  'key last_updated_at': ['tenancy.key-record-fields', 'last_updated_at'],
  'grant file_id': ['files.grant-fields', 'file_id'],
  'grant file_url': ['files.grant-fields', 'file_url'],
  'grant expires_in': ['files.grant-fields', 'expires_in'],
  'grant file_limits': ['files.grant-fields', 'file_limits'],
  'limits allowed_types': ['files.limits-fields', 'allowed_types'],
  'limits max_size': ['files.limits-fields', 'max_size'],
  'error error_code': ['errors.body-fields', 'error_code'],
  'error detail': ['errors.body-fields', 'detail'],
  'field error loc': ['errors.validation-detail', 'loc'],
  'field error message': ['errors.validation-detail', 'message'],
  'field error type': ['errors.validation-detail', 'type'],
}

/** A rule, limit or promise of the contract, in a few words → the rows that hold it. */
const rules: Readonly<Record<string, readonly string[]>> = {
  'answer holds text, excerpts and metadata': ['resources.assistant-message-fields', 'resources.source-fields'],
  'completion carries a thread_id': ['completions.carries-thread-id'],
  'timestamps in microseconds with Z': ['resources.timestamp-format'],
  'timestamps in UTC': ['resources.created-in-utc'],
  'ids are UUIDs': ['resources.id-is-uuid'],
  'four roles': ['resources.message-role-known', 'threads.role-known'],
  'content not empty': ['resources.message-content-not-empty', 'threads.empty-content-refused'],
  'meta_data by the schema of the assistant': ['resources.meta-data-fits-schema'],
  'text delta': ['streams.text-delta'],
  'blocks instead of content': ['streams.blocks-delta'],
  'reasoning block': ['streams.reasoning-block'],
  'delta role assistant': ['streams.delta-role'],
  'assistant tells streaming support': ['streams.streaming-assistant-streams'],
  'schema is a JSON Schema of an object': ['assistants.schema-is-json-schema', 'assistants.schema-describes-object'],
  'required request fields by path': ['assistants.required-fields-map', 'completions.required-fields-enforced'],
  'file_url is a URL': ['files.url-is-absolute'],
  'every endpoint needs the key': ['auth.key-required', 'auth.unknown-key-refused'],
  'bodies are JSON': ['http.json-request', 'http.json-response'],
  'streams are NDJSON': ['streams.ndjson-lines'],
  'completion does not stream': ['completions.one-whole-answer'],
  'query thread_id': ['completions.continues-thread'],
  'assistant_id required': ['completions.assistant-id-required', 'completions.assistant-id-is-uuid'],
  'messages with content and role': [
    'completions.messages-well-typed',
    'completions.content-is-text',
    'completions.role-known',
  ],
  'at least one user message': [
    'completions.needs-user-message',
    'completions.messages-required',
    'completions.user-message-anywhere',
  ],
  'user_id is a UUID': ['completions.user-id-is-uuid'],
  'completion threads are closed': ['threads.completion-thread-closed'],
  'stream shares query, body and errors': ['streams.same-acceptance'],
  'run needs a user message': ['threads.run-needs-user-message', 'threads.run-reads-whole-thread'],
  'tool calls are followed by tool messages': ['tools.run-needs-tool-messages', 'tools.run-after-tool-messages'],
  'no orphan tool message in a run': ['tools.orphan-in-run'],
  'run answers whole': ['streams.whole-form-does-not-stream'],
  'tool configuration is optional': ['threads.run-empty-body', 'tools.configuration-accepted'],
  'streamed run ends on user or tool': ['threads.stream-ends-on-user-or-tool'],
  'newest first': ['pagination.newest-first'],
  'cursor pagination': ['pagination.cursor-continues'],
  'limit is an integer': ['pagination.limit-is-integer', 'pagination.limit-caps-page'],
  'limit defaults to 100': ['pagination.default-limit'],
  'message is added': ['threads.created-is-listed'],
  'created message is returned': ['threads.create-echoes', 'threads.listed-as-created'],
  'tool message follows its call': [
    'tools.unmatched-refused',
    'tools.matched-accepted',
    'tools.matched-by-assistant-only',
  ],
  'system message first': ['threads.system-first'],
  'array of assistants': ['assistants.list-is-array', 'assistants.list-is-complete'],
  'assistants can be read': ['assistants.listed-can-be-read', 'assistants.get-returns-requested'],
  'filename required': ['files.filename-required'],
  'persist optional, default true': ['files.persist-accepted', 'files.persist-default'],
  'user-id required': ['files.user-id-required'],
  'user-id pattern': ['files.user-id-accepted', 'files.user-id-refused'],
  'user-id length 255': ['files.user-id-length'],
  'file is PUT to the URL': ['files.upload-accepted'],
  'status is polled': ['files.status-polled'],
  'file_id is attached': ['files.attached-to-message'],
  'persisted files are kept': ['files.kept-for-reuse'],
  'others go after 24 hours': ['files.removed-after-a-day', 'files.kept-for-a-day'],
  'five upload types': ['files.allowed-types'],
  'maximum size 10485760': ['files.max-size', 'files.upload-limits-enforced'],
  'tenant record with its keys': ['tenancy.record-fields', 'tenancy.keys-are-own'],
  'key identifies the tenant': ['auth.key-names-tenant'],
  'foreign assistant': [
    'tenancy.foreign-assistant-refused',
    'tenancy.foreign-assistant-hidden',
    'threads.run-assistant-refused',
  ],
  'no event delivery but streams': ['http.no-webhooks'],
  'detail is a string but for validation_error': ['errors.detail-is-string', 'errors.validation-detail'],
  'loc is a path': ['errors.validation-loc-segments'],
  'example of a missing assistant_id': [
    'completions.missing-assistant-id-error',
    'completions.missing-assistant-id-among-others',
  ],
  'texts of the table': ['errors.detail-text'],
  'where codes appear': ['errors.listed-where', 'tools.list-error'],
  'unmatched tool message code': ['tools.unmatched-error'],
  'unknown thread code': ['threads.unknown-thread-error'],
  'no streaming support code': ['streams.run-refused-without-support'],
  'over the rate limit': ['errors.rate-limit', 'errors.rate-limit-own-tenant', 'errors.rate-limit-in-streams'],
  'paths start with /v1': ['http.versioned-path'],
  'deprecation not shown': ['http.deprecation'],
  'endpoints are offered': ['http.operation-served'],
  'assistant_id names one of the tenant': ['completions.unknown-assistant-refused'],
  'user_data is one of further fields': ['completions.further-fields'],
  'answers have the role assistant': ['resources.answer-role'],
  'run answers in its thread': ['streams.answer-belongs-to-thread'],
  'message is created in the thread of the path': ['threads.created-in-thread', 'threads.only-own-messages'],
  'messages of every role can be added': ['threads.roles-accepted'],
  'every added message is kept': ['threads.concurrent-creates'],
  'match is within the thread': ['tools.matched-in-own-thread'],
  'errors inside a stream not shown': ['streams.error-in-stream'],
  'other blocks not shown': ['streams.unknown-blocks'],
  'my-api-keys lists errors': ['errors.validation-body-my-keys'],
}

const errorCodes = [
  'assistant_not_available',
  'resource_not_found',
  'thread_not_found',
  'engine_does_not_support_streaming',
  'rate_limit_gateway',
  'api_timeout_error',
  'internal_service_error',
  'tool_message_has_no_matching_tool_call',
  'message_content_empty',
  'validation_error',
  'bad_request',
  'tenant_not_found',
]

const contractOperations = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
]

/** Every "not shown", "not stated" and unit mark of the contract → the gap that keeps it. */
const silences: Readonly<Record<string, string>> = {
  'other content block types': 'streams.other-block-types',
  'unit of expires_in': 'files.expires-in-unit',
  'thread resource': 'resources.thread-record',
  'structure of a tool call': 'tools.call-structure',
  'status record of a file': 'files.status-endpoint',
  'further body fields of a completion': 'completions.unknown-body-fields',
  'structure of user_data': 'completions.user-data-structure',
  'query of the events stream': 'completions.events-query',
  'body fields of a run': 'threads.run-body',
  'field that carries a file_id': 'files.attachment-field',
  'creation of a thread': 'threads.creation',
  'missing or invalid key': 'auth.missing-key',
  'statuses of errors': 'errors.status-of-code',
  'error bodies of files, assistants, events stream': 'errors.unlisted-operations',
  'errors inside a started stream': 'streams.error-after-start',
  'unit of max_size': 'files.max-size-unit',
  'rate limit quotas and windows': 'errors.rate-limit-window',
  'maximum of limit': 'pagination.maximum-limit',
  'number and size of messages': 'threads.message-size',
}

const rows: readonly (Requirement | Gap)[] = [...requirements, ...gaps]

test('every row names a section of the contract', () => {
  expect(
    rows.filter(({ section }) => !sections.includes(section)).map(({ id, section }) => `${id}: ${section}`),
  ).toEqual([])
})

test('every section of the contract has a row', () => {
  expect(sections.filter((section) => !rows.some((row) => row.section === section))).toEqual([])
})

test('every field of the contract is judged by a facet of a requirement', () => {
  const unclaimed = Object.entries(fields).filter(
    ([, [requirement, facet]]) => !obligations.some((owed) => owed.requirement === requirement && owed.facet === facet),
  )
  expect(unclaimed).toEqual([])
})

test('every rule and limit of the contract is claimed by a requirement', () => {
  const unknown = Object.values(rules)
    .flat()
    .filter((id) => requirementOf(id) === undefined)
  expect(unknown).toEqual([])
})

test('every stated requirement goes back to something that the contract says', () => {
  const claimed = new Set([...Object.values(rules).flat(), ...Object.values(fields).map(([id]) => id)])
  const unclaimed = requirements
    .filter(({ id, basis }) => basis === 'stated' && !claimed.has(id) && !id.startsWith('errors.code-'))
    .map(({ id }) => id)
  expect(unclaimed).toEqual([])
})

test('every error code of the table has its row', () => {
  const unclaimed = errorCodes.filter((code) => requirementOf(`errors.code-${code.replaceAll('_', '-')}`) === undefined)
  expect(unclaimed).toEqual([])
})

test('every operation of the contract is owed by some requirement', () => {
  expect(contractOperations.filter((id) => !obligations.some(({ operation }) => operation === id))).toEqual([])
})

test('every silence that the contract marks is kept as a gap', () => {
  expect(Object.values(silences).filter((id) => gapOf(id) === undefined)).toEqual([])
})

test('ids are unique, and no row is empty', () => {
  const ids = rows.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(requirements.length).toBeGreaterThanOrEqual(120)
  expect(gaps.length).toBeGreaterThanOrEqual(30)
  const idle = requirements.filter((row) => (row.excluded === undefined) !== Object.keys(row.owedBy).length > 0)
  expect(idle.map(({ id }) => id)).toEqual([])
})

test('the answer of the mock to a gap is one of the answers, or spells one out', () => {
  const odd = gaps
    .filter(({ answers }) => answers.every((answer) => !answer.startsWith('<')))
    .filter(({ answers, mockAnswer }) => !answers.some((answer) => mockAnswer.includes(answer)))
  expect(odd.map(({ id }) => id)).toEqual([])
})
