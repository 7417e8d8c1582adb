/** The mock is held to its own document: every answer by its schema, every error code by its row. */
import { expect, test } from 'vitest'
import {
  componentSchema,
  documentOf,
  type OperationId,
  parametersOf,
  type ValidatorName,
  validatorFor,
} from '../spec/index.ts'
import { type MockClient, type MockResponse, mockClient } from '../test/support/mock-client.ts'
import { defaultPageSize } from './http/validate-request.ts'
import { fileLimits } from './machine/file-limits.ts'
import { createMock } from './mock.ts'
import { errorCodes } from './reasons/reason.ts'
import { checkScenario } from './scenario/check-scenario.ts'
import { defaultScenario } from './scenario/default-scenario.ts'

type Part = 'response' | 'error' | 'chunk'

function expectValid(operation: OperationId, part: Part, value: unknown): void {
  const faults = validatorFor(`${operation}.${part}` as ValidatorName<'reference'>, 'reference')(value)
  expect(faults, `${operation}.${part} ${JSON.stringify(value)}`).toEqual([])
}

async function everyAnswer(primary: MockClient): Promise<readonly (readonly [OperationId, Part, MockResponse])[]> {
  const assistant_id = primary.assistant('Echo')
  const legal = primary.assistant('Legal assistant')
  const body = { assistant_id, messages: [{ role: 'user', content: 'weather \u{1f600} '.repeat(8) }] }
  const thread = await primary.thread('Weather desk')
  const at = `/v1/threads/${thread}`
  const owner = { 'user-id': 'ann' }
  await primary.say(thread, { role: 'user', content: 'weather' })
  return [
    ['createChatCompletion', 'response', await primary.post('/v1/chat/completions', body)],
    [
      'createChatCompletion',
      'response',
      await primary.post('/v1/chat/completions', { ...body, assistant_id: legal, user_data: { licence: 'x' } }),
    ],
    ['createChatCompletion', 'error', await primary.post('/v1/chat/completions', {})],
    ['createChatCompletion', 'error', await primary.post('/v1/chat/completions', { ...body, assistant_id: thread })],
    ['streamChatCompletion', 'chunk', await primary.post('/v1/chat/completions/stream', body)],
    ['streamChatCompletionEvents', 'chunk', await primary.post('/v1/chat/completions/events/stream', body)],
    ['streamChatCompletionEvents', 'error', await primary.post('/v1/chat/completions/events/stream', [])],
    ['streamThreadRun', 'chunk', await primary.post(`${at}/run/stream`, {})],
    ['runThread', 'error', await primary.post(`${at}/run`, {})],
    ['runThread', 'response', await primary.post(`/v1/threads/${await spoken(primary)}/run`, {})],
    ['createMessage', 'response', await primary.say(thread, { role: 'user', content: 'x' })],
    ['createMessage', 'response', await primary.say(thread, { role: 'assistant', content: 'x' })],
    ['createMessage', 'error', await primary.say(thread, { role: 'tool', content: 'x' })],
    ['listMessages', 'response', await primary.get(`${at}/messages`)],
    ['listMessages', 'response', await primary.get(`${at}/messages?limit=1`)],
    ['listMessages', 'error', await primary.get(`${at}/messages?limit=0`)],
    ['listAssistants', 'response', await primary.get('/v1/assistants')],
    ['getAssistant', 'response', await primary.get(`/v1/assistants/${legal}`)],
    ['getAssistant', 'error', await primary.get('/v1/assistants/x')],
    ['createUploadGrant', 'response', await primary.get('/v1/files/signed-url?filename=a.txt', owner)],
    ['createUploadGrant', 'error', await primary.get('/v1/files/signed-url')],
    ['getFileStatus', 'error', await primary.get('/v1/files/x/status')],
    ['listMyApiKeys', 'response', await primary.get('/v1/tenants/my-api-keys')],
    ['createThread', 'response', await primary.post('/v1/threads', {})],
  ]
}

async function spoken(primary: MockClient): Promise<string> {
  const thread = await primary.thread()
  await primary.say(thread, { role: 'user', content: 'x' })
  return thread
}

test('every kind of answer is valid by the schema of its operation', async () => {
  const mock = await createMock()
  const answers = await everyAnswer(mockClient(mock.main, mock))
  for (const [operation, part, answer] of answers) {
    expect(answer.status < 400, `${operation} ${answer.text}`).toBe(part !== 'error')
    if (part !== 'chunk') expectValid(operation, part, answer.json)
    else for (const line of answer.text.trimEnd().split('\n')) expectValid(operation, part, JSON.parse(line))
  }
  expect(answers).toHaveLength(24)
})

test('every error code has the text and the status that the document gives it', () => {
  const { components, paths } = documentOf('reference') as unknown as {
    components: {
      responses: Record<string, Documented>
      examples: Record<string, { value: { error_code: string; detail: unknown } }>
    }
    paths: Record<string, Record<string, { responses?: Record<string, { $ref?: string }> }>>
  }
  interface Documented {
    content?: Record<string, { examples?: Record<string, unknown> }>
  }
  let compared = 0
  for (const [code, { detail }] of Object.entries(errorCodes)) {
    const example = components.examples[code]?.value
    if (example === undefined || code === 'validation_error') continue
    expect([code, example.detail]).toEqual([code, detail])
    compared += 1
  }
  expect(compared).toBeGreaterThanOrEqual(11)
  const statuses = new Map<string, Set<number>>()
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, { $ref }] of Object.entries(operation.responses ?? {})) {
      const response = components.responses[$ref?.split('/').at(-1) ?? '']
      for (const code of Object.keys(response?.content?.['application/json']?.examples ?? {})) {
        if (code in errorCodes) statuses.set(code, (statuses.get(code) ?? new Set()).add(Number(status)))
      }
    }
  }
  expect(statuses.size).toBeGreaterThanOrEqual(12)
  for (const [code, documented] of statuses) {
    expect([code, [...documented]]).toEqual([code, [errorCodes[code as keyof typeof errorCodes].status]])
  }
})

test('page size and file limits are those of the document', () => {
  const limit = parametersOf('listMessages', 'reference').find(({ name }) => name === 'limit')
  expect(limit?.schema.default).toBe(defaultPageSize)
  const grant = componentSchema('UploadGrant', 'reference') as unknown as {
    properties: {
      file_limits: { properties: { allowed_types: { items: { enum: unknown } }; max_size: { const: unknown } } }
    }
  }
  const limits = grant.properties.file_limits
  expect(limits.properties.allowed_types.items.enum).toEqual(fileLimits.allowedTypes)
  expect(limits.properties.max_size.const).toBe(fileLimits.maxSizeBytes)
})

test('the built-in scenario breaks no rule of the contract', async () => {
  await expect(checkScenario(defaultScenario)).resolves.toBeUndefined()
})

test('a scenario whose fixtures break the contract is refused with the place and the requirement', async () => {
  const [echo] = defaultScenario.assistants
  if (echo === undefined) throw new Error('the built-in scenario has an assistant')
  const withTurn = (turn: object) => ({
    ...defaultScenario,
    assistants: [{ ...echo, turns: [{ answer: 'x', ...turn }] }, ...defaultScenario.assistants.slice(1)],
  })
  await expect(createMock({ scenario: withTurn({ meta_data: { turn_kind: 7 } }) })).rejects.toThrow(
    /assistants\[0\]\.turns\[0\].*resources\.meta-data-fits-schema/,
  )
  await expect(createMock({ scenario: withTurn({ answer: '' }) })).rejects.toThrow(
    /answer is empty \(resources\.message-content-not-empty\)/,
  )
  await expect(createMock({ scenario: withTurn({ when: { user_matches: '(' } }) })).rejects.toThrow(
    /regular expression/,
  )
  const lost = { ...defaultScenario, tenants: [{ name: 'a', keys: [{ key: 'k' }], assistants: ['Nobody'] }] }
  await expect(createMock({ scenario: lost })).rejects.toThrow(
    /tenants\[0\]\.assistants\[0\] names no assistant: "Nobody"/,
  )
  const pattern = {
    title: 'X',
    type: 'object',
    properties: { x: { type: 'string', pattern: '^z{9}$' } },
    required: ['x'],
  } as const
  const unmade = {
    ...defaultScenario,
    assistants: defaultScenario.assistants.map((one) => ({ ...one, meta_data_response_schema: pattern })),
  }
  await expect(createMock({ scenario: unmade })).rejects.toThrow(/write meta_data in the turn/)
})
