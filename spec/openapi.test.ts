/** Checks the handwritten contract and the reference profile that the overlay makes of it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type BuiltInProfile, documentOf } from './document/document.ts'
import { isJsonObject, type Json, type JsonObject, objectAt } from './document/json.ts'
import { dereferenced } from './document/references.ts'
import { gaps } from './gaps/index.ts'
import { type OperationId, operationIds, operations } from './operations.ts'
import { requirements } from './requirements/index.ts'
import { schemaOf } from './schemas/schemas.ts'

const profiles: readonly BuiltInProfile[] = ['contract', 'reference']

interface Described {
  readonly id: OperationId
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
}

const describedOperations = (profile: BuiltInProfile): readonly Described[] =>
  Object.entries(objectAt(documentOf(profile), 'paths')).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).flatMap(([method, operation]) =>
      isJsonObject(operation) && 'operationId' in operation
        ? [{ id: operation.operationId as OperationId, method: method.toUpperCase(), path, operation }]
        : [],
    ),
  )

/** Every value under a key, anywhere in the data. */
const valuesOf = (key: string, node: Json): readonly Json[] => {
  if (Array.isArray(node)) return node.flatMap((child: Json) => valuesOf(key, child))
  if (!isJsonObject(node)) return []
  return Object.entries(node).flatMap(([name, child]) => (name === key ? [child] : valuesOf(key, child)))
}

const operationsWithPath = (inReference: boolean) =>
  operationIds
    .map((id) => ({ id, ...operations[id] }))
    .filter(({ path, profile }) => path !== null && (inReference || profile === 'contract'))
    .map(({ id, method, path }) => `${id} ${method} ${path}`)

test.for(profiles)('the %s document has exactly the operations of the table', (profile) => {
  const described = describedOperations(profile).map(({ id, method, path }) => `${id} ${method} ${path}`)
  expect(described.toSorted()).toEqual(operationsWithPath(profile === 'reference').toSorted())
})

test('a stream in the table is a stream in the document, with the chunk of its variant', () => {
  for (const id of operationIds.filter((each) => operations[each].profile === 'contract')) {
    const title = { text: 'TextChunk', blocks: 'BlockChunk' }[operations[id].stream ?? 'text']
    const chunk = operations[id].stream === null ? null : { $ref: `#/$defs/${title}` }
    expect(schemaOf(id, 'chunk'), id).toEqual(chunk === null ? null : expect.objectContaining(chunk))
  }
})

test('the contract fixes no status', () => {
  for (const { id, operation } of describedOperations('contract')) {
    expect(Object.keys(objectAt(operation, 'responses')), id).toEqual(['2XX', 'default'])
  }
})

test('the reference profile leaves no status open', () => {
  for (const { id, operation } of describedOperations('reference')) {
    for (const status of Object.keys(objectAt(operation, 'responses'))) expect(status, id).toMatch(/^[2-5]\d\d$/)
  }
})

const errorTable: Readonly<Record<string, readonly OperationId[]>> = {
  assistant_not_available: ['createChatCompletion', 'streamChatCompletion', 'runThread', 'streamThreadRun'],
  resource_not_found: ['createChatCompletion', 'streamChatCompletion'],
  thread_not_found: ['runThread', 'streamThreadRun', 'listMessages', 'createMessage'],
  engine_does_not_support_streaming: ['runThread', 'streamThreadRun'],
  rate_limit_gateway: [
    'createChatCompletion',
    'streamChatCompletion',
    'runThread',
    'streamThreadRun',
    'listMessages',
    'createMessage',
    'listMyApiKeys',
  ],
  api_timeout_error: ['createChatCompletion', 'streamChatCompletion', 'runThread', 'streamThreadRun'],
  internal_service_error: [
    'createChatCompletion',
    'streamChatCompletion',
    'runThread',
    'streamThreadRun',
    'listMessages',
    'createMessage',
  ],
  tool_message_has_no_matching_tool_call: ['listMessages', 'createMessage'],
  message_content_empty: ['listMessages', 'createMessage'],
  validation_error: ['createChatCompletion', 'streamChatCompletion', 'listMyApiKeys'],
  bad_request: ['listMyApiKeys'],
  tenant_not_found: ['listMyApiKeys'],
}

test('each operation lists its codes of the error table, with an example of each', () => {
  for (const { id, operation } of describedOperations('contract')) {
    const codes = Object.keys(errorTable).filter((code) => errorTable[code]?.includes(id))
    expect(((operation['x-error-codes'] ?? []) as string[]).toSorted(), id).toEqual(codes.toSorted())
    const response = dereferenced(documentOf('contract'), objectAt(operation, 'responses').default)
    const examples = valuesOf('examples', response).flatMap((each) => Object.keys(each as JsonObject))
    expect(examples.toSorted(), id).toEqual(codes.toSorted())
  }
})

test('the example of an error has the code that it is named after', () => {
  const examples = Object.entries(objectAt(objectAt(documentOf('reference'), 'components'), 'examples'))
  const errors = examples.filter(([name]) => name !== 'Answer')
  expect(errors.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(errorTable)))
  for (const [name, example] of errors) expect(objectAt(example as JsonObject, 'value').error_code).toBe(name)
})

test('every x-requirement names a requirement, and every operation has one', () => {
  const known = new Set<Json>(requirements.map(({ id }) => id))
  const named = valuesOf('x-requirement', documentOf('reference')).flat() as Json[]
  expect(named.filter((id) => !known.has(id))).toEqual([])
  expect(named.length).toBeGreaterThan(60)
  for (const { id, operation } of describedOperations('contract')) expect(operation['x-requirement'], id).toBeDefined()
})

test('a requirement named at an operation is owed by it, or by none', () => {
  const owners = new Map<Json, readonly string[]>(requirements.map((row) => [row.id, Object.keys(row.owedBy)]))
  const notOwed = describedOperations('contract').flatMap(({ id, operation }) =>
    (operation['x-requirement'] as Json[])
      .filter((named) => owners.get(named)?.length !== 0 && !owners.get(named)?.includes(id))
      .map((named) => `${id} names ${named}`),
  )
  expect(notOwed).toEqual([])
})

test('every action of the overlay names the gap that it answers, or the implied requirement', () => {
  const overlay = parse(readFileSync(new URL('assumptions.overlay.yaml', import.meta.url), 'utf8')) as JsonObject
  const gapIds = new Set<Json | undefined>(gaps.map(({ id }) => id))
  const implied = new Set<Json>(requirements.filter(({ basis }) => basis === 'implied').map(({ id }) => id))
  for (const action of overlay.actions as JsonObject[]) {
    const { 'x-gap': gap, 'x-requirement': named } = action
    const grounded = gapIds.has(gap) || (Array.isArray(named) && named.every((id: Json) => implied.has(id)))
    expect(grounded, String(action.target)).toBe(true)
  }
})
