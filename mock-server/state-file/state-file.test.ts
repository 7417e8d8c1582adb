/** Tests that an exported mock comes back byte by byte, and goes on as if nothing had happened. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { ImportError } from './check-state.ts'

const step = fc.record({
  world: fc.constantFrom('default', 'other'),
  act: fc.constantFrom('thread', 'say', 'call', 'tool', 'run', 'stream', 'complete', 'events', 'file', 'poll', 'wait'),
  text: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  at: fc.nat({ max: 5 }),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Sends what a step says; refusals are part of it. Gives the text of the answer. */
async function play(mock: Mock, { world: name, act, text, at }: Step): Promise<string> {
  const world = mock.find(name) ?? mock.world({ name })
  const client = mockClient(world, mock)
  const thread = world.export().threads[at]?.id ?? 'none'
  const body = { assistant_id: client.assistant('Weather desk'), messages: [{ role: 'user', content: text }] }
  const call = { id: `call_${at}`, type: 'function', function: { name: 'f', arguments: '{}' } } as const
  const acts: Readonly<Record<Step['act'], () => Promise<{ readonly text: string }>>> = {
    thread: () => client.post('/v1/threads', {}),
    say: () => client.say(thread, { role: 'user', content: text }),
    call: () => client.say(thread, { role: 'assistant', content: text, tool_calls: [call], meta_data: { b: 1, 7: 2 } }),
    tool: () => client.say(thread, { role: 'tool', content: text, tool_call_id: `call_${at}` }),
    run: () => client.post(`/v1/threads/${thread}/run`, {}),
    stream: () => client.post(`/v1/threads/${thread}/run/stream`, {}),
    complete: () => client.post('/v1/chat/completions', body),
    events: () => client.post('/v1/chat/completions/events/stream', body),
    file: () => granted(world, client, at),
    poll: () => client.get(`/v1/files/${world.export().files[at]?.id ?? 'none'}/status`),
    wait: async () => {
      world.clock.advance(at * 1234.567)
      return { text: '' }
    },
  }
  return (await acts[act]()).text
}

async function granted(world: WorldHandle, client: ReturnType<typeof mockClient>, at: number) {
  const grant = await client.get(`/v1/files/signed-url?filename=f${at}.txt`, { 'user-id': 'u' })
  if (at % 2 === 0) return grant
  const headers = { 'content-type': 'text/plain' }
  return { text: await (await world.fetch(grant.json.file_url, { method: 'PUT', body: 'x', headers })).text() }
}

const makings = { clock: { mode: 'frozen' }, seed: 7 } as const

test('an export that was imported is exported to the same bytes, and both mocks go on alike', async () => {
  const same = async (before: readonly Step[], after: readonly Step[]) => {
    const [mock, copy] = [await createMock(makings), await createMock(makings)]
    for (const one of before) await play(mock, one)
    const text = JSON.stringify(mock.export())
    copy.import(JSON.parse(text))
    expect(JSON.stringify(copy.export())).toBe(text)
    for (const one of after) expect(await play(copy, one)).toBe(await play(mock, one))
    expect(JSON.stringify(copy.export())).toBe(JSON.stringify(mock.export()))
  }
  const steps = fc.array(step, { maxLength: 25 })
  await fc.assert(fc.asyncProperty(steps, fc.array(step, { maxLength: 8 }), same), { numRuns: 25 })
})

test('each mode of a clock comes back, with its time and its factor', async () => {
  const mock = await createMock()
  const clocks = [{ mode: 'stepped', startAt: '2030-01-01T00:00:00Z' }, { mode: 'scaled', factor: 20 }, {}] as const
  for (const clock of clocks) mock.world({ clock })
  mock.find('world-1')?.clock.advance(0.001)
  const copy = await createMock()
  const exported = mock.export()
  copy.import(exported)
  const shown = copy.worlds().map(({ clock }) => [clock.mode, clock.factor])
  expect(shown).toEqual(mock.worlds().map(({ clock }) => [clock.mode, clock.factor]))
  expect(copy.find('world-1')?.export().clock.now).toBe('2030-01-01T00:00:00.000001Z')
  const stamps = [exported, copy.export()].map(({ worlds }) => worlds[2]?.clock.now ?? '')
  expect(stamps).toEqual(stamps.toSorted())
})

test('a quota that was spent stays spent', async () => {
  const mock = await createMock(makings)
  const throttled = mockClient(mock.main, mock, 'throttled')
  for (let call = 0; call < 5; call += 1) await throttled.get('/v1/tenants/my-api-keys')
  const copy = await createMock(makings)
  copy.import(mock.export())
  expect((await mockClient(copy.main, copy, 'throttled').get('/v1/tenants/my-api-keys')).status).toBe(429)
  expect(JSON.stringify(mock.export())).not.toContain('acs-demo')
})

// biome-ignore lint/suspicious/noExplicitAny: each case spoils the data at another place
type Spoil = (state: any) => unknown

test.each<readonly [string, Spoil, string]>([
  ['no object', () => [], 'format must be one of acs-mock-state/1'],
  ['an unknown field', (state) => ({ ...state, world: 1 }), 'world is unknown; did you mean "worlds"?'],
  [
    'a thread without stamp',
    (s) => delete s.worlds[0].threads[0].last_at,
    'worlds[0].threads[0].last_at must be a time such as',
  ],
  [
    'a tenant that is not there',
    (s) => {
      s.worlds[0].threads[0].tenant = 'primry'
    },
    'worlds[0].threads[0].tenant names no tenant of the scenario: "primry"; did you mean "primary"?',
  ],
  [
    'an assistant of others',
    (s) => {
      s.worlds[0].threads[0].assistant = 'Echo next door'
    },
    'worlds[0].threads[0].assistant names no assistant',
  ],
  [
    'a message of another thread',
    (s) => {
      s.worlds[0].threads[0].messages[0].thread_id = 'x'
    },
    'worlds[0].threads[0].messages[0].thread_id is not the id of its thread',
  ],
  [
    'an id twice',
    (s) => s.worlds[0].threads.push(s.worlds[0].threads[0]),
    'worlds[0].threads[1].id is the id of another thread too',
  ],
  [
    'another seed',
    (s) => {
      s.worlds[0].seed = 8
    },
    'seed 8 is not that of the world default, 7; start with the seed 8',
  ],
])('%s is refused with its place, and nothing is imported', async (_name, spoil, told) => {
  const mock = await createMock(makings)
  mock.main.seedThread({ messages: [{ role: 'user', content: 'x' }] })
  const state = JSON.parse(JSON.stringify(mock.export()))
  const spoiled = spoil(state)
  const copy = await createMock(makings)
  const given = Array.isArray(spoiled) || typeof spoiled === 'object' ? spoiled : state
  expect(() => copy.import(given)).toThrow(ImportError)
  expect(() => copy.import(given)).toThrow(told)
  expect(copy.export().worlds[0]?.threads).toEqual([])
})
