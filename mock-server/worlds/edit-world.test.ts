/** Tests that threads and files are changed by the rules of the contract, and that a refused change leaves nothing. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import { SeedError } from './seed-error.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } } as const
const talk = [
  { role: 'user', content: 'weather?' },
  { role: 'assistant', content: 'one moment', tool_calls: [call], meta_data: { turn_kind: 'answer', confidence: 1 } },
  { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
  { role: 'user', content: 'thanks' },
] as const

interface Message {
  readonly id: string
  readonly content: string
  readonly meta_data?: object
}

async function seeded() {
  const scenario = { ...defaultScenario, files: { fails_when_named: '\\.bad\\.txt$' } }
  const mock = await createMock({ clock: { mode: 'frozen' }, scenario })
  const { id, messages } = mock.main.seedThread({ messages: talk })
  return { mock, world: mock.main, id, ids: (messages as readonly Message[]).map((message) => message.id) }
}

const listed = async (mock: Mock, id: string) =>
  (await mockClient(mock.main, mock).get(`/v1/threads/${id}/messages`)).json.items as readonly Message[]

const assistantId = (mock: Mock) => mockClient(mock.main, mock).assistant('Legal assistant')

/** The problems of a refused change; the world must be as it was. */
function refusal(mock: Mock, act: () => void): string {
  const before = JSON.stringify(mock.main.export())
  try {
    act()
  } catch (cause) {
    expect(JSON.stringify(mock.main.export())).toBe(before)
    if (cause instanceof SeedError) return cause.message
    throw cause
  }
  return 'not refused'
}

test('a message changes where it stands and keeps id, role and stamp', async () => {
  const { mock, world, id, ids } = await seeded()
  const before = (await listed(mock, id)).toReversed()
  const change = { content: 'wait', meta_data: { turn_kind: 'answer', confidence: 0.5 } }
  world.editMessage(id, ids[1] ?? '', change)
  expect((await listed(mock, id)).toReversed()).toEqual(
    before.map((message, index) => (index === 1 ? { ...message, ...change } : message)),
  )
})

test('a message that nothing rests on is taken out, and the next one gets an id of its own', async () => {
  const { mock, world, id, ids } = await seeded()
  world.editMessage(id, ids[3] ?? '', null)
  expect((await listed(mock, id)).map(({ content }) => content)).toEqual(['sunny', 'one moment', 'weather?'])
  world.editThread(id, { messages: [{ role: 'user', content: 'again' }] })
  const after = await listed(mock, id)
  expect(after[0]?.content).toBe('again')
  expect(ids).not.toContain(after[0]?.id)
})

test('with its result taken out, a tool call is open again and a run is refused', async () => {
  const { mock, world, id, ids } = await seeded()
  world.editMessage(id, ids[2] ?? '', null)
  const run = await mockClient(mock.main, mock).post(`/v1/threads/${id}/run`, {})
  expect([run.status, run.headers.get('x-acs-reason')]).toEqual([400, 'open-tool-calls'])
})

test('what no client could have made is refused with the rule, and nothing changes', async () => {
  const { mock, world, id, ids } = await seeded()
  const [user = '', assistant = '', tool = ''] = ids
  const edit = (message: string, change: object | null) => refusal(mock, () => world.editMessage(id, message, change))
  expect(edit(assistant, null)).toContain(`Message ${tool} answers the call call_1.`)
  expect(edit(assistant, { tool_calls: [] })).toContain('call_1')
  expect(edit(user, { content: '' })).toContain('content of a message must not be empty')
  expect(edit(user, { tool_call_id: 'call_1' })).toContain('tool_call_id is a field of tool messages')
  expect(edit(tool, { tool_call_id: 'call_2' })).toMatch(/tool call/)
  expect(edit(user, { file_ids: ['nothing'] })).toContain('file_ids[0] must be a UUID')
  expect(edit(user, { file_ids: [id] })).toContain('is no file of the tenant')
  expect(edit(assistant, { sources: [{ content: 1 }] })).toContain('sources[0].content must be a string')
  expect(edit(user, { content: 'half \ud800' })).toContain('half of a surrogate pair')
  expect(edit(user, { contend: 'x' })).toContain('did you mean "content"?')
  expect(edit('nobody', { content: 'x' })).toContain('is no message of the thread')
  const add = (message: object) => refusal(mock, () => world.editThread(id, { messages: [message as never] }))
  expect(add({ role: 'tool', content: 'x', tool_call_id: 'call_9' })).toMatch(/tool call/)
  expect(add({ role: 'judge', content: 'x' })).toContain('role must be one of')
  expect(refusal(mock, () => world.editThread(id, { assistant: 'Nobody' }))).toContain('names no assistant')
  expect(refusal(mock, () => world.editThread('nowhere', null))).toContain('no thread with this id')
})

test('meta_data fits the schema of the assistant, in a seed as in an edit', async () => {
  const { mock, world, id, ids } = await seeded()
  const legal = { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: true, intent: 'x' }
  const answer = (meta_data: JsonObject) => ({ role: 'assistant', content: 'x', meta_data }) as never
  const seed = (meta_data: JsonObject) =>
    refusal(mock, () => world.seedThread({ assistant: 'Legal assistant', messages: [talk[0], answer(meta_data)] }))
  expect(seed({ ...legal, legal_advice: 'maybe' })).toBe(
    'seed: messages[1].meta_data.legal_advice must be true or false',
  )
  expect(seed({ legal_advice: true })).toBe('seed: messages[1].meta_data.intent is required')
  const edit = (message = '', meta_data: JsonObject) =>
    refusal(mock, () => world.editMessage(id, message, { meta_data }))
  expect(edit(ids[1], {})).toBe('seed: meta_data.turn_kind is required')
  expect(edit(ids[1], { turn_kind: 'x' })).toContain('meta_data.turn_kind must be one of answer, clarification')
  expect(refusal(mock, () => world.editThread(id, { messages: [answer({ confidence: 2 })] }))).toContain(
    'messages[0].meta_data.confidence must be 1 or less',
  )
  // What a client adds has none, and an answer of another assistant keeps to another schema.
  world.editThread(id, { messages: [answer({})] })
  const run = await mockClient(mock.main, mock).post(`/v1/threads/${id}/run`, { assistant_id: assistantId(mock) })
  world.editMessage(id, run.json.id, { meta_data: legal })
  expect((await listed(mock, id)).map((message) => message.meta_data).slice(0, 2)).toEqual([legal, {}])
})

test('a thread of a completion takes changes but no message, and keeps a user message', async () => {
  const { mock, world } = await seeded()
  const client = mockClient(mock.main, mock)
  const sent = { assistant_id: client.assistant('Echo'), messages: [{ role: 'user', content: 'x' }] }
  const { thread_id: id } = (await client.post('/v1/chat/completions', sent)).json
  const [answer, question] = (await listed(mock, id)).map((message) => message.id)
  const rule = 'takes no messages through create-message'
  const added = { messages: [{ role: 'user', content: 'y' }] } as const
  world.editMessage(id, question ?? '', { content: 'another question' })
  world.editMessage(id, answer ?? '', { content: 'another answer' })
  expect((await listed(mock, id)).map(({ content }) => content)).toEqual(['another answer', 'another question'])
  world.editMessage(id, answer ?? '', null)
  expect(refusal(mock, () => world.editMessage(id, question ?? '', null))).toContain('is the last user message')
  expect(refusal(mock, () => world.editThread(id, added))).toContain(rule)
  expect((await client.post(`/v1/threads/${id}/messages`, added.messages[0])).status).toBe(400)
  const again = await client.post(`/v1/chat/completions?thread_id=${id}`, sent)
  expect((await listed(mock, id)).map((message) => message.id)).toEqual([again.json.id, expect.anything(), question])
  world.editThread(id, null)
  expect((await client.get(`/v1/threads/${id}/messages`)).status).toBe(404)
})

test('a thread answers as the assistant that it is bound to', async () => {
  const { mock, world } = await seeded()
  const { id } = world.seedThread({ assistant: 'Echo', messages: [{ role: 'user', content: 'hello' }] })
  world.editThread(id, { assistant: 'Weather desk' })
  expect(world.export().threads.find((thread) => thread.id === id)?.assistant).toBe('Weather desk')
  const run = await mockClient(mock.main, mock).post(`/v1/threads/${id}/run`, {})
  expect(run.json.content).not.toBe('You said: hello')
})

test('a file gets the status that its name, retention and upload allow', async () => {
  const { mock, world } = await seeded()
  const { id } = world.seedFile({ filename: 'a.txt', uploaded: false })
  const status = async () => (await mockClient(mock.main, mock).get(`/v1/files/${id}/status`)).json.status
  const edit = (change: object | null) => refusal(mock, () => world.editFile(id, change))
  world.editFile(id, { status: 'ready', content: 'text' })
  expect([await status(), world.export().files[0]?.upload?.size]).toEqual(['ready', 4])
  expect(edit({ status: 'failed' })).toContain('fails_when_named of the scenario does not fit "a.txt"')
  world.editFile(id, { filename: 'a.bad.txt', status: 'failed' })
  expect(await status()).toBe('failed')
  expect(edit({ status: 'ready' })).toContain('fits "a.bad.txt"')
  expect(edit({ status: 'processing' })).toContain('ready_after')
  expect(edit({ status: 'removed' })).toContain('persist is true')
  expect(edit({ filename: '' })).toContain('must be a name')
  expect(edit({ filename: '\udc00.txt' })).toContain('half of a surrogate pair')
  world.editFile(id, { persist: false, status: 'removed' })
  expect(await status()).toBe('removed')
  world.editFile(id, { status: 'awaiting_upload' })
  expect(await status()).toBe('awaiting_upload')
  mock.clock.advance(901_000)
  expect(edit({ status: 'ready' })).toMatch(/expire|time/i)
})

test('a file goes only when no message attaches it', async () => {
  const { mock, world, id, ids } = await seeded()
  const file = world.seedFile({ filename: 'a.txt' })
  world.editMessage(id, ids[0] ?? '', { file_ids: [file.id] })
  expect(refusal(mock, () => world.editFile(file.id, null))).toContain('is attached to a message')
  world.editMessage(id, ids[0] ?? '', { file_ids: [] })
  world.editFile(file.id, null)
  expect(world.export().files).toEqual([])
})
