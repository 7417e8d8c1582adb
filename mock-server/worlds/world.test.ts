/** Laws of worlds: alone, alike from the same seed, forked and reset at one cost whatever they hold. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { SeedError } from './seed-error.ts'
import type { FileSeed } from './seed-file.ts'
import type { ThreadSeed } from './seed-thread.ts'

const frozen = { clock: { mode: 'frozen' } } as const

test('a fork has everything and shares nothing from then on', async () => {
  const mock = await createMock(frozen)
  const world = mock.world({ seed: 5 })
  const parent = mockClient(world, mock)
  const thread = await parent.thread()
  await parent.say(thread, { role: 'user', content: 'both' })
  const fork = world.fork()
  const child = mockClient(fork, mock)
  await parent.say(thread, { role: 'user', content: 'parent' })
  await child.say(thread, { role: 'user', content: 'child' })
  const contents = async (who: typeof parent) =>
    (await who.get(`/v1/threads/${thread}/messages`)).json.items.map((item: { content: string }) => item.content)
  expect(await contents(parent)).toEqual(['parent', 'both'])
  expect(await contents(child)).toEqual(['child', 'both'])
})

test('a restored world goes on as if nothing had happened, to the same bytes', async () => {
  const mock = await createMock(frozen)
  const primary = mockClient(mock.main, mock)
  const thread = await primary.thread()
  const snapshot = mock.main.snapshot()
  const act = async () => {
    mock.clock.advance(5)
    const said = await primary.say(thread, { role: 'user', content: 'again' })
    const run = await primary.post(`/v1/threads/${thread}/run`, {})
    return said.text + run.text + (await primary.post('/v1/threads', {})).text
  }
  const first = await act()
  mock.main.restore(snapshot)
  expect(await act()).toBe(first)
})

test('a reset world is as new: nothing in it, quotas whole, the same ids again', async () => {
  const mock = await createMock(frozen)
  const primary = mockClient(mock.main, mock)
  const throttled = mockClient(mock.main, mock, 'throttled')
  const first = await primary.thread()
  for (let call = 0; call < 6; call += 1) await throttled.get('/v1/tenants/my-api-keys')
  mock.main.reset()
  expect((await primary.get(`/v1/threads/${first}/messages`)).status).toBe(404)
  expect((await throttled.get('/v1/tenants/my-api-keys')).status).toBe(200)
  expect(await primary.thread()).toBe(first)
  expect(mock.journal.total()).toBe(3)
})

test('fork, snapshot, restore and reset hand on the very same state object, so they cost the same at any size', async () => {
  const mock = await createMock(frozen)
  const world = mock.world()
  world.seedThread({
    messages: Array.from({ length: 5000 }, (_, index) => ({ role: 'user', content: `m${index}` }) as const),
  })
  const { state } = world.snapshot()
  expect(world.snapshot().state).toBe(state)
  expect(world.fork().snapshot().state).toBe(state)
  world.reset()
  expect(world.snapshot().state).not.toBe(state)
  world.restore({ state, clock: world.clock.reading() })
  expect(world.snapshot().state).toBe(state)
})

test('worlds of the same seed give the same bytes, of another seed other ids', async () => {
  const mock = await createMock(frozen)
  const bytes = async (seed: number) => {
    const primary = mockClient(mock.world({ seed }), mock)
    const thread = await primary.thread('Legal assistant')
    await primary.say(thread, { role: 'user', content: 'hello' })
    return (
      (await primary.post(`/v1/threads/${thread}/run/stream`, {})).text +
      (await primary.get(`/v1/threads/${thread}/messages`)).text
    )
  }
  expect(await bytes(1)).toBe(await bytes(1))
  expect(await bytes(1)).not.toBe(await bytes(2))
})

test('the handle of a destroyed world answers no request, also when its name has a new world', async () => {
  const mock = await createMock()
  const world = mock.world({ name: 'short' })
  world.destroy()
  await expect(world.fetch('/v1/assistants')).rejects.toThrow('the world "short" is destroyed')
  expect(mock.find('short')).toBeUndefined()
  const next = mock.world({ name: 'short' })
  await expect(world.fetch('/v1/assistants')).rejects.toThrow('its handle answers no request')
  expect((await next.fetch('/v1/assistants')).status).toBe(401)
})

test('a destroyed world is gone, and its name makes a fresh one', async () => {
  const mock = await createMock(frozen)
  const world = mock.world({ name: 'once' })
  const thread = await mockClient(world, mock).thread()
  world.destroy()
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default'])
  const headers = { 'api-key': 'acs-demo-primary' }
  expect((await mock.fetch(`${world.path}/v1/threads/${thread}/messages`, { headers })).status).toBe(404)
})

test('a name is taken once, and must be fit to be one', async () => {
  const mock = await createMock()
  mock.world({ name: 'a' })
  expect(() => mock.world({ name: 'a' })).toThrow(/there is a world/)
  expect(() => mock.world({ name: 'a b' })).toThrow(/not a valid world name/)
})

test('a seed that breaks a rule of the contract is refused with the reason', async () => {
  const mock = await createMock()
  const world = mock.world()
  const orphan = { role: 'tool', content: 'x', tool_call_id: 'none' } as const
  expect(() => world.seedThread({ messages: [orphan] })).toThrow(/tool call/)
  expect(() => world.seedThread({ messages: [{ role: 'user', content: '' }] })).toThrow(/empty/)
  expect(() => world.seedThread({ tenant: 'nobody' })).toThrow(/no tenant "nobody"/)
  expect(() => world.seedThread({ assistant: 'Echo next door' })).toThrow(/no assistant/)
  const seeded = world.seedThread({
    tenant: 'secondary',
    assistant: 'Echo next door',
    messages: [{ role: 'user', content: 'x' }],
  })
  expect(seeded.messages).toMatchObject([{ thread_id: seeded.id, content: 'x' }])
})

test('seeds have a past: threads and messages with their stamps, and files that are attached to them', async () => {
  const mock = await createMock({ clock: { mode: 'frozen', startAt: '2026-05-05T10:00:00Z' } })
  const world = mock.world()
  const { id, messages } = world.seedThread({
    messages: [
      { role: 'user', content: 'old', created_at: '2026-05-01T09:00:00.5Z' },
      { role: 'assistant', content: 'older answer', created_at: '2026-05-01T09:00:00.5Z' },
      { role: 'user', content: 'the lease', files: [{ filename: 'lease.pdf', content: 'x' }, { filename: 'b.csv' }] },
    ],
  })
  expect(messages).toMatchObject([
    { created_at: '2026-05-01T09:00:00.500001Z' },
    { created_at: '2026-05-01T09:00:00.500002Z' },
    { created_at: '2026-05-05T10:00:00.000000Z', file_ids: [expect.any(String), expect.any(String)] },
  ])
  const primary = mockClient(world, mock)
  const [fileId] = (messages[2] as { file_ids: string[] }).file_ids
  expect((await primary.get(`/v1/files/${fileId}/status`)).json).toEqual({ file_id: fileId, status: 'ready' })
  expect((await primary.get(`/v1/threads/${id}/messages`)).json.items).toEqual(messages.toReversed())
  const waiting = world.seedFile({ filename: 'a.txt', uploaded: false })
  expect((await primary.get(`/v1/files/${waiting.id}/status`)).json.status).toBe('awaiting_upload')
  const gone = world.seedFile({ filename: 'a.txt', persist: false, created_at: '2026-05-04T09:00:00Z' })
  expect((await primary.get(`/v1/files/${gone.id}/status`)).json.status).toBe('removed')
})

test('a seed takes tool calls as a scenario writes them, with an id of its own or a repeatable one', async () => {
  const call = { name: 'get_weather', arguments: { city: 'Bonn' } }
  const seed: ThreadSeed = {
    messages: [
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', content: 'I look.', tool_calls: [call, { id: 'call_2', ...call }] },
      { role: 'tool', content: 'No.', tool_call_id: 'call_2' },
    ],
  }
  const mock = await createMock(frozen)
  const callsIn = () => (mock.world().seedThread(seed).messages[1] as { tool_calls: readonly unknown[] }).tool_calls
  const written = { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bonn"}' } }
  expect(callsIn()).toEqual([
    { id: expect.stringMatching(/^call_[0-9a-z]{24}$/), ...written },
    { id: 'call_2', ...written },
  ])
  expect(callsIn()).toEqual(callsIn())
})

test.each([
  [{ id: 'a', type: 'function', function: { name: 'f' } }, 'messages[0].tool_calls[0].function.arguments is required'],
  [{ type: 'function', function: { name: 'f', arguments: '{}' } }, 'messages[0].tool_calls[0].id is required'],
  [{ name: 'f', arguments: '{}' }, 'messages[0].tool_calls[0].arguments must be an object'],
  [{ name: 'f', argument: {} }, 'messages[0].tool_calls[0].argument is unknown; did you mean "arguments"?'],
  [7, 'messages[0].tool_calls[0] must be an object'],
])('the tool call %j of a seed is refused at the field that is wrong', async (call, told) => {
  const messages = [{ role: 'assistant', content: 'x', tool_calls: [call] }]
  const world = (await createMock(frozen)).world()
  expect(() => world.seedThread({ messages } as unknown as ThreadSeed)).toThrow(told)
})

test.each([
  [null, 'seed: must be an object, with tenant, assistant, created_at, messages'],
  [[], 'must be an object'],
  [{ mesages: [] }, 'mesages is unknown; did you mean "messages"?'],
  [{ messages: [{ role: 'user', content: 'x', createdAt: 'y' }] }, 'messages[0].createdAt is unknown; did you mean'],
  [{ messages: [{ role: 'user' }, 7] }, 'messages[0].content must be a string; messages[1].role must be one of'],
  [{ created_at: '2026-01-01' }, 'created_at must be a time such as 2026-01-02T03:04:05.678901Z'],
  [{ created_at: '2027-01-01T00:00:00Z' }, "later than the world's clock, which shows 2026-01-01T00:00:00.000000Z"],
  [
    { messages: [{ role: 'user', content: 'x', created_at: '2027-01-01T00:00:00Z' }] },
    "seed: messages[0].created_at is later than the world's clock",
  ],
  [
    {
      messages: [
        { role: 'user', content: 'x', created_at: '2025-01-02T00:00:00Z' },
        { role: 'user', content: 'x', created_at: '2025-01-01T00:00:00Z' },
      ],
    },
    'messages[1].created_at is earlier than what comes before it',
  ],
  [{ messages: [{ role: 'user', content: 'x', files: [{ filename: 'a.exe' }] }] }, 'files[0].media_type is needed'],
  [
    { messages: [{ role: 'user', content: 'x', files: [{ filename: 'a.b', media_type: 'a/b' }] }] },
    'messages[0].files[0]',
  ],
])('the seed %j is refused with the place and the fix, and leaves nothing behind', async (seed, told) => {
  const mock = await createMock(frozen)
  const world = mock.world()
  expect(() => world.seedThread(seed as ThreadSeed)).toThrow(told)
  expect([world.snapshot().state.threads.size, world.snapshot().state.files.size]).toEqual([0, 0])
})

test('a file that no upload could bring is refused once, at the field of the seed', async () => {
  const world = (await createMock(frozen)).main
  const faults = (seed: FileSeed) => {
    try {
      world.seedFile(seed)
    } catch (cause) {
      if (cause instanceof SeedError)
        return cause.faults.map(({ loc, message }) => [loc.join('.'), message.slice(0, 15)])
    }
    throw new Error('not refused')
  }
  expect(faults({ filename: 'a.txt', media_type: 'image/png' })).toEqual([['media_type', 'must be one of ']])
  expect(faults({ filename: 'a.txt', content: 'x'.repeat(10_485_761) })).toEqual([['content', 'must have at mo']])
  const files = [{ filename: 'a.b', media_type: 'a/b' }]
  expect(() => world.seedThread({ messages: [{ role: 'user', content: 'x', files }] })).toThrow(
    'seed: messages[0].files[0].media_type must be one of text/csv',
  )
})

test('two hundred worlds driven at once never meet', async () => {
  const mock = await createMock(frozen)
  const worlds = Array.from({ length: 200 }, () => mock.world())
  const threads = await Promise.all(
    worlds.map(async (world, index) => {
      const primary = mockClient(world, mock)
      const thread = await primary.thread()
      for (let turn = 0; turn < 5; turn += 1) {
        await primary.say(thread, { role: 'user', content: `world ${index} turn ${turn}` })
        await primary.post(`/v1/threads/${thread}/run${turn % 2 === 0 ? '' : '/stream'}`, {})
      }
      const { json } = await primary.get(`/v1/threads/${thread}/messages`)
      expect(json.items).toHaveLength(10)
      for (const item of json.items) expect(item.content).toContain(`world ${index} turn`)
      return { thread, ids: json.items.map((item: { id: string }) => item.id).join() }
    }),
  )
  // Same seed, same requests: every world went the same way, and each by itself.
  expect(new Set(threads.map(({ thread, ids }) => thread + ids)).size).toBe(1)
  for (const world of worlds) expect([world.journal.total(), world.snapshot().state.threads.size]).toEqual([12, 1])
  expect(mock.journal.total()).toBe(0)
})

test('a name makes a world only for a known key and a known operation', async () => {
  const mock = await createMock(frozen)
  const key = { 'api-key': 'acs-demo-primary' }
  const asked = [
    ['/w/a/v1/nothing', 'GET', key],
    ['/w/b/v1/assistants', 'GET', {}],
    ['/w/c/v1/assistants', 'GET', { 'api-key': 'nobody' }],
    ['/w/d/v1/assistants', 'DELETE', key],
    ['/v1/assistants', 'GET', { 'x-acs-world': 'e' }],
    ['/v1/assistants', 'GET', { 'api-key': 'nobody@f' }],
    ['/w/g/v1/uploads/1b4e28ba-2fa1-41d2-883f-0016d3cca427', 'PUT', {}],
  ] as const
  const statuses: number[] = []
  for (const [path, method, headers] of asked) statuses.push((await mock.fetch(path, { method, headers })).status)
  expect(statuses).toEqual([404, 401, 401, 405, 401, 401, 404])
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default'])
  await mock.fetch('/w/h/v1/assistants', { headers: key })
  await mock.fetch('/v1/assistants', { headers: { 'api-key': 'acs-demo-primary@i' } })
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default', 'h', 'i'])
})

test('an upload that another world granted does not pass through a name without a world', async () => {
  const mock = await createMock(frozen)
  const grant = (await mockClient(mock.main, mock).get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })).json
  const url = grant.file_url.replace('/v1/', '/w/fresh/v1/')
  const init = { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } }
  expect((await mock.fetch(url, init)).status).toBe(404)
  expect((await mock.fetch(grant.file_url, init)).status).toBe(200)
})

test('when there are too many worlds, those in which nothing happened give way, and no other', async () => {
  const mock = await createMock({ ...frozen, maxWorlds: 4 })
  const headers = { 'api-key': 'acs-demo-primary' }
  const enter = (name: string, init: RequestInit = {}) =>
    mock.fetch(`/w/${name}/v1/${init.method === 'POST' ? 'threads' : 'assistants'}`, { headers, ...init })
  await enter('used', { method: 'POST', body: '{}' })
  mock.world({ name: 'made' })
  await enter('clocked')
  mock.find('clocked')?.clock.advance(1000)
  for (let number = 0; number < 50; number += 1) expect((await enter(`empty-${number}`)).status).toBe(200)
  const names = mock.worlds().map(({ name }) => name)
  expect(names).toEqual(['default', 'used', 'made', 'clocked', 'empty-49'])
  await enter('last', { method: 'POST', body: '{}' })
  const refused = await enter('one-more', { method: 'POST', body: '{}' })
  expect([refused.status, refused.headers.get('x-acs-reason')]).toEqual([503, 'too-many-worlds'])
  expect(() => mock.world()).toThrow(/more than 4 worlds/)
})

test('a name that clients resolve away as a step of a path names no world', async () => {
  const mock = await createMock()
  for (const name of ['.', '..']) {
    expect(() => mock.world({ name })).toThrow(/not "\." or "\.\."/)
    const headers = { 'api-key': 'acs-demo-primary', 'x-acs-world': name }
    const refused = await mock.fetch('/v1/assistants', { headers })
    expect(refused.headers.get('x-acs-reason')).toBe('bad-world-name')
  }
  expect(mock.world({ name: '...' }).name).toBe('...')
})
