/** Mutates one JSON document: fields removed, given another type or a value that the contract rules out. */
import { type ErrorCode, errorTable, type OperationId, type RequirementId } from '../../spec/index.ts'
import { changedAt, dropped, type Pattern, placesOf } from './json-places.ts'
import type { Mutation, Site } from './mutation.ts'

/** Fields that have to be there with one type, and the requirement that says so. */
type FieldRule = readonly [pattern: Pattern, requirement: RequirementId]

const messageFields = ['id', 'thread_id', 'role', 'content', 'created_at']
const below = (prefix: Pattern, names: readonly string[], requirement: RequirementId): readonly FieldRule[] =>
  names.map((name) => [`${prefix}/${name}`, requirement] as const)

const sourceFields = (prefix: Pattern): readonly FieldRule[] =>
  below(`${prefix}/sources/*`, ['content', 'meta_data/document_title', 'meta_data/section'], 'resources.source-fields')

const answerFields: readonly FieldRule[] = [
  ...below('', messageFields, 'resources.message-fields'),
  ...below('', ['meta_data', 'sources'], 'resources.assistant-message-fields'),
  ...sourceFields(''),
]

const assistantFields = ['id', 'name', 'streaming', 'meta_data_response_schema', 'request_required_fields']

/** For each operation the fields of its document. */
const fieldRules: Readonly<Partial<Record<OperationId, readonly FieldRule[]>>> = {
  createChatCompletion: answerFields,
  runThread: answerFields,
  createMessage: below('', messageFields, 'resources.message-fields'),
  listMessages: [
    ['/items', 'pagination.page-fields'],
    ...below('/items/*', messageFields, 'resources.message-fields'),
    ...sourceFields('/items/*'),
  ],
  listAssistants: below('/*', assistantFields, 'assistants.record-fields'),
  getAssistant: below('', assistantFields, 'assistants.record-fields'),
  createUploadGrant: [
    ...below('', ['file_id', 'file_url', 'expires_in', 'file_limits'], 'files.grant-fields'),
    ...below('/file_limits', ['allowed_types', 'max_size'], 'files.limits-fields'),
  ],
  listMyApiKeys: [
    ...below('', ['id', 'name', 'api_keys'], 'tenancy.record-fields'),
    ...below('/api_keys/*', ['id', 'api_key', 'created_at', 'last_updated_at'], 'tenancy.key-record-fields'),
  ],
}

/** Values that the contract rules out at a place. */
type ValueRule = readonly [
  operator: string,
  pattern: Pattern,
  requirement: RequirementId,
  wrong: (value: string) => unknown,
]

const idRules = (pattern: Pattern): readonly ValueRule[] => [
  ['id without hyphens', pattern, 'resources.id-is-uuid', (id) => id.replaceAll('-', '')],
  ['prefixed id', pattern, 'resources.id-is-uuid', (id) => `id_${id}`],
  ['numbered id', pattern, 'resources.id-is-uuid', () => '17'],
]

export const timestampRules = (pattern: Pattern): readonly ValueRule[] => [
  ['3-digit fraction', pattern, 'resources.timestamp-format', (text) => text.replace(/\d{3}Z$/, 'Z')],
  ['no fraction', pattern, 'resources.timestamp-format', (text) => text.replace(/\.\d+Z$/, 'Z')],
  ['offset for Z', pattern, 'resources.timestamp-format', (text) => text.replace(/Z$/, '+00:00')],
  ['no zone', pattern, 'resources.timestamp-format', (text) => text.replace(/Z$/, '')],
  ['blank for T', pattern, 'resources.timestamp-format', (text) => text.replace('T', ' ')],
  ['no such month', pattern, 'resources.timestamp-format', (text) => text.replace(/-\d\d-/, '-13-')],
]

const emptyContent = (pattern: Pattern): ValueRule => [
  'empty content',
  pattern,
  'resources.message-content-not-empty',
  () => '',
]

const answerRules: readonly ValueRule[] = [
  ...idRules('/id'),
  ...idRules('/thread_id'),
  ...timestampRules('/created_at'),
  emptyContent('/content'),
  ['role of the user', '/role', 'resources.answer-role', () => 'user'],
]

const valueRules: Readonly<Partial<Record<OperationId, readonly ValueRule[]>>> = {
  createChatCompletion: answerRules,
  runThread: answerRules,
  createMessage: [
    ...idRules('/id'),
    ...timestampRules('/created_at'),
    emptyContent('/content'),
    ['unknown role', '/role', 'resources.message-role-known', () => 'bot'],
    ['other content', '/content', 'threads.create-echoes', (text) => `${text}.`],
  ],
  listMessages: [
    ...idRules('/items/*/id'),
    ...timestampRules('/items/*/created_at'),
    emptyContent('/items/*/content'),
    ['unknown role', '/items/*/role', 'resources.message-role-known', () => 'bot'],
  ],
  listAssistants: idRules('/*/id'),
  getAssistant: [['other id', '/id', 'assistants.get-returns-requested', otherId]],
  createUploadGrant: [
    ...idRules('/file_id'),
    ['relative URL', '/file_url', 'files.url-is-absolute', (url) => new URL(url).pathname],
  ],
  listMyApiKeys: [...idRules('/api_keys/*/id'), ...timestampRules('/api_keys/*/created_at')],
}

/** Another id of the same form. */
export function otherId(id: string): string {
  return `${id.startsWith('0') ? '1' : '0'}${id.slice(1)}`
}

/** The mutations of a site that holds a document. */
export function* documentMutations(site: Site): Generator<Mutation> {
  const { document, operation } = site
  if (typeof document !== 'object' || document === null) return
  if ('error_code' in document) yield* errorMutations(site)
  else if (site.status < 300) {
    yield* fieldMutations(document, fieldRules[operation] ?? [])
    yield* valueMutations(document, valueRules[operation] ?? [])
  }
}

/** Every field taken away and given another type. */
export function* fieldMutations(document: unknown, rules: readonly FieldRule[]): Generator<Mutation> {
  for (const [pattern, requirement] of rules) {
    for (const { pointer, value } of placesOf(document, pattern)) {
      if (asksForTools(document, pointer)) continue
      for (const [operator, wrong] of [
        ['drop', dropped],
        ['retype', retyped(value)],
        ['null', null],
      ] as const) {
        const body = JSON.stringify(changedAt(document, pointer, wrong))
        yield { operator, at: pointer, requirement, body }
      }
    }
  }
}

/** A message that asks for tools has a form that the contract does not show; these of its fields may be anything. */
function asksForTools(document: unknown, pointer: string): boolean {
  const open = /(content|meta_data|sources)$/
  return open.test(pointer) && placesOf(document, pointer.replace(open, 'tool_calls')).length > 0
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return 7
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? { 0: 'x' } : ['x']
}

function* valueMutations(document: unknown, rules: readonly ValueRule[]): Generator<Mutation> {
  for (const [operator, pattern, requirement, wrong] of rules) {
    for (const { pointer, value } of placesOf(document, pattern)) {
      if (typeof value !== 'string' || wrong(value) === value || asksForTools(document, pointer)) continue
      yield { operator, at: pointer, requirement, body: JSON.stringify(changedAt(document, pointer, wrong(value))) }
    }
  }
}

/** Codes of the table at the operations that list them. */
const listedCode = ({ document, operation }: Site): ErrorCode | null => {
  const code = (document as { readonly error_code: string }).error_code as ErrorCode
  const listed: readonly OperationId[] = Object.hasOwn(errorTable, code) ? errorTable[code].operations : []
  return listed.includes(operation) ? code : null
}

function* errorMutations(site: Site): Generator<Mutation> {
  const code = listedCode(site)
  if (code === null) return
  const row: RequirementId = `errors.code-${dashed(code)}`
  const changed = (pointer: string, value: unknown): string => JSON.stringify(changedAt(site.document, pointer, value))
  yield { operator: 'drop', at: '/detail', requirement: row, body: changed('/detail', dropped) }
  if (code !== 'validation_error') {
    const detail = [{ loc: ['body'], message: 'wrong', type: 'wrong' }]
    yield { operator: 'detail as array', at: '/detail', requirement: row, body: changed('/detail', detail) }
    return
  }
  const requirement = 'errors.validation-detail'
  yield { operator: 'detail as string', at: '/detail', requirement, body: changed('/detail', 'A field is wrong') }
  yield { operator: 'no field errors', at: '/detail', requirement, body: changed('/detail', []) }
  yield* fieldMutations(site.document, below('/detail/*', ['loc', 'message', 'type'], requirement))
}

const dashed = <Code extends string>(code: Code): Dashed<Code> => code.replaceAll('_', '-') as Dashed<Code>

type Dashed<Text extends string> = Text extends `${infer Head}_${infer Tail}` ? `${Head}-${Dashed<Tail>}` : Text
