/** Laws of the state that outlives a restart: what was acknowledged is there again, worlds and all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { afterEach, expect, test, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'
import type { MockOptions } from '../worlds/mock-options.ts'
import { openDatabase } from './database.ts'
import { StateError } from './state-error.ts'

const folders: string[] = []
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'acs-state-')))
  return folders.at(-1) ?? ''
}
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true })
})

const frozen: MockOptions = { clock: { mode: 'frozen' } }
const open = (stateDir: string, options: MockOptions = frozen) => createMock({ ...options, stateDir })

/** What a client can see of two threads, a file and a key. */
async function glimpse(mock: Mock, threads: readonly string[], file: string): Promise<unknown> {
  const primary = mockClient(mock.main, mock)
  const pages = await Promise.all(threads.map((id) => primary.get(`/v1/threads/${id}/messages`)))
  return [pages.map(({ text }) => text), (await primary.get(`/v1/files/${file}/status`)).text]
}

test('a closed mock answers no request and does not listen, since nothing would be kept', async () => {
  const mock = await open(folder())
  await mock.close()
  await expect(mock.fetch('/v1/assistants')).rejects.toThrow('the mock is closed')
  await expect(mock.listen({ port: 0 })).rejects.toThrow('the mock is closed')
})

test('threads, messages, tool calls, files, cursors and quotas are there after a restart', async () => {
  const dir = folder()
  let mock = await open(dir)
  let primary = mockClient(mock.main, mock)
  const thread = await primary.thread('Weather desk')
  await primary.say(thread, { role: 'user', content: 'The weather, please \u{1f600}' })
  const asked = (await primary.post(`/v1/threads/${thread}/run`, {})).json
  const { json: completed } = await primary.post('/v1/chat/completions', {
    assistant_id: primary.assistant('Echo'),
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const grant = (await primary.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })).json
  await mock.fetch(grant.file_url, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } })
  const throttled = mockClient(mock.main, mock, 'throttled')
  for (let call = 0; call < 5; call += 1) await throttled.get('/v1/tenants/my-api-keys')
  const { cursor } = (await primary.get(`/v1/threads/${thread}/messages?limit=1`)).json
  const seen = await glimpse(mock, [thread, completed.thread_id], grant.file_id)
  await mock.close()

  mock = await open(dir)
  primary = mockClient(mock.main, mock)
  expect(await glimpse(mock, [thread, completed.thread_id], grant.file_id)).toEqual(seen)
  expect((await primary.get(`/v1/threads/${thread}/messages?cursor=${cursor}`)).json.items).toHaveLength(1)
  expect((await mockClient(mock.main, mock, 'throttled').get('/v1/tenants/my-api-keys')).status).toBe(429)
  const answer = { role: 'tool', content: 'Rain', tool_call_id: asked.tool_calls[0].id } as const
  expect((await primary.say(thread, answer)).status).toBe(201)
  expect((await primary.post(`/v1/threads/${thread}/run`, {})).json.content).toBe('The tool says: Rain')
  expect((await primary.say(completed.thread_id, { role: 'user', content: 'x' })).reason).toBe(
    'closed-completion-thread',
  )
  await mock.close()
})

test('threads that another scenario cannot reach are counted, and come back with the earlier one', async () => {
  const dir = folder()
  const told: string[] = []
  const started = (name: string) =>
    open(dir, { ...frozen, scenario: { ...defaultScenario, name }, onTrouble: (problem) => told.push(problem) })
  const before = await started('before')
  const thread = await mockClient(before.main, before).thread()
  await mockClient(before.world({ name: 'two' }), before).thread()
  await before.close()
  await (await started('after')).close()
  expect(told).toEqual([
    'state: 2 stored threads belong to tenants that the scenario "after" does not have; they come back with the earlier scenario',
  ])
  const again = await started('before')
  expect((await mockClient(again.main, again).get(`/v1/threads/${thread}/messages`)).status).toBe(200)
  expect(told).toHaveLength(1)
  await again.close()
})

test('ids go on after a restart as if there had been none', async () => {
  const dir = folder()
  const ids = async (mock: Mock) => {
    const primary = mockClient(mock.main, mock)
    const thread = await primary.thread()
    const { json } = await primary.say(thread, { role: 'user', content: 'x' })
    return [thread, json.id]
  }
  const unbroken = await createMock(frozen)
  const expected = [await ids(unbroken), await ids(unbroken)]
  const before = await open(dir)
  const first = await ids(before)
  await before.close()
  const after = await open(dir)
  expect([first, await ids(after)]).toEqual(expected)
  await after.close()
})

test('worlds come back with their clocks, forks, snapshots and resets', async () => {
  const dir = folder()
  const count = (mock: Mock, name: string) => mock.find(name)?.snapshot().state.threads.size
  let mock = await open(dir)
  const world = mock.world({ name: 'a', seed: 9, clock: { mode: 'stepped', startAt: '2030-01-01T00:00:00Z' } })
  world.seedThread({ messages: [{ role: 'user', content: 'one' }] })
  const snapshot = world.snapshot()
  const fork = world.fork('b')
  world.seedThread({})
  world.clock.advance(1000)
  fork.seedThread({})
  fork.seedThread({})
  const restored = mock.world({ name: 'c' })
  restored.seedThread({})
  restored.restore(snapshot)
  restored.seedThread({ messages: [{ role: 'user', content: 'two' }] })
  const emptied = world.fork('d')
  emptied.reset()
  world.fork('e').destroy()
  await mock.close()
  for (let restart = 0; restart < 2; restart += 1) {
    mock = await open(dir)
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => count(mock, name))).toEqual([2, 3, 2, 0, undefined])
    expect(mock.find('a')).toMatchObject({ seed: 9, clock: { mode: 'stepped' } })
    expect(mock.find('a')?.clock.nowUs()).toBe(Date.parse('2030-01-01T00:00:01Z') * 1000)
    await mock.close()
  }
})

test('a snapshot that knows no place on disk is written out whole', async () => {
  const dir = folder()
  const source = await createMock(frozen)
  const { id } = source.main.seedThread({ messages: [{ role: 'user', content: 'x' }] })
  const mock = await open(dir)
  mock.main.restore(source.main.snapshot())
  await mock.close()
  const again = await open(dir)
  expect((await mockClient(again.main, again).get(`/v1/threads/${id}/messages`)).json.items).toHaveLength(1)
  await again.close()
})

test('a name that is taken costs the world that has it nothing', async () => {
  const dir = folder()
  let mock = await open(dir)
  mock.world({ name: 'a' }).seedThread({})
  expect(() => mock.world({ name: 'a' })).toThrow(RangeError)
  expect(() => mock.main.fork('a')).toThrow(RangeError)
  await mock.close()
  mock = await open(dir)
  expect(mock.find('a')?.snapshot().state.threads.size).toBe(1)
  await mock.close()
})

test('a directory belongs to one mock at a time, and must be one', async () => {
  const dir = folder()
  await using mock = await open(dir)
  expect(mock.worlds()).toHaveLength(1)
  await expect(open(dir)).rejects.toThrow(StateError)
  await expect(open(dir)).rejects.toThrow('in use by another mock')
  await expect(open('/dev/null/state')).rejects.toMatchObject({ code: 'state-unusable' })
})

test('worlds beyond a lower limit come back, and unused ones give way', async () => {
  const dir = folder()
  const headers = { 'api-key': 'acs-demo-primary' }
  let mock = await open(dir, {})
  for (const name of ['a', 'b', 'c']) await mock.fetch(`/w/${name}/v1/assistants`, { headers })
  await mock.fetch('/w/d/v1/threads', { method: 'POST', body: '{}', headers })
  await mock.close()
  mock = await open(dir, { maxWorlds: 4 })
  expect((await mock.fetch('/w/e/v1/assistants', { headers })).status).toBe(200)
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default', 'b', 'c', 'd', 'e'])
  await mock.close()
  mock = await open(dir, { maxWorlds: 1 })
  expect(mock.worlds()).toHaveLength(5)
  await mock.close()
})

test('a full disk is told of once and answered with the error body, and nothing is lost when there is room again', async () => {
  const dir = folder()
  const told: string[] = []
  const mock = await open(dir, { ...frozen, onTrouble: (problem) => told.push(problem) })
  const primary = mockClient(mock.main, mock)
  const kept = await primary.thread()
  const full = vi.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(() => {
    throw new Error('IO error: No space left on device')
  })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const refused = await primary.post('/v1/threads', {})
    expect([refused.status, refused.reason, refused.json.error_code]).toEqual([
      503,
      'state-unwritable',
      'internal_service_error',
    ])
    expect((await primary.get('/v1/assistants')).reason).toBe('state-unwritable')
    const reset = await mock.fetch('/_acs/worlds/default/reset', { method: 'POST' })
    expect(reset.headers.get('x-acs-reason')).toBe('state-unwritable')
  }
  expect(told).toEqual([expect.stringContaining('cannot be written: IO error: No space left on device')])
  full.mockRestore()
  const later = await primary.thread()
  expect(told).toHaveLength(2)
  expect(told[1]).toContain('can be written again')
  await mock.close()
  const again = await open(dir)
  const read = mockClient(again.main, again)
  for (const thread of [kept, later]) expect((await read.get(`/v1/threads/${thread}/messages`)).status).toBe(200)
  await again.close()
})

test('a record that is missing or unreadable is named, and the directory refused until it is whole', async () => {
  const dir = folder()
  const mock = await open(dir)
  const world = mock.world({ name: 'a' })
  for (const content of ['one', 'two', 'three']) world.seedThread({ messages: [{ role: 'user', content }] })
  world.fork('b')
  await mock.close()
  const changed = async (change: (database: ClassicLevel) => Promise<void>) => {
    const database = new ClassicLevel(dir)
    await change(database)
    await database.close()
    const refusal = await open(dir).then(
      () => null,
      (cause: StateError) => [cause.code, cause.message],
    )
    return refusal
  }
  const keys: string[] = []
  const database = new ClassicLevel(dir)
  for await (const key of database.keys({ gt: 'effect/', lt: 'effect0' })) keys.push(key)
  await database.close()
  expect(keys).toHaveLength(6)
  for (const at of [0, 3, 5]) {
    const key = keys[at] ?? ''
    let value = ''
    const refusal = await changed(async (open) => {
      value = (await open.get(key)) ?? ''
      await open.del(key)
    })
    expect(refusal).toEqual(['state-damaged', expect.stringContaining(`is damaged: its record ${key} is missing`)])
    expect(await changed((open) => open.put(key, value.slice(1)))).toEqual([
      'state-damaged',
      expect.stringContaining(`its record ${key} is not readable`),
    ])
    const whole = new ClassicLevel(dir)
    await whole.put(key, value)
    await whole.close()
  }
  const back = await open(dir)
  expect(back.find('b')?.snapshot().state.threads.size).toBe(3)
  await back.close()
})

test('the lost record of a whole world is named, also after resets, forks and worlds that are gone', async () => {
  const dir = folder()
  const mock = await open(dir)
  const world = mock.world({ name: 'a' })
  world.seedThread({})
  world.fork('b').destroy()
  world.fork('c').reset()
  world.restore(world.snapshot())
  await mock.close()
  await (await open(dir)).close()
  for (const name of ['a', 'c', 'default']) {
    const database = new ClassicLevel(dir)
    const record = (await database.get(`world/${name}`)) ?? ''
    await database.del(`world/${name}`)
    await database.close()
    await expect(open(dir)).rejects.toMatchObject({
      code: 'state-damaged',
      message: expect.stringContaining(`its record world/${name} is missing`),
    })
    const whole = new ClassicLevel(dir)
    await whole.put(`world/${name}`, record)
    await whole.close()
  }
  const back = await open(dir)
  expect(back.worlds().map(({ name }) => name)).toEqual(['default', 'a', 'c'])
  await back.close()
})

test('a directory that can never be made is refused at once', async () => {
  for (const dir of ['', '/proc/nope/deeper/x', '/dev/null/x']) {
    await expect(open(dir), dir).rejects.toMatchObject({ code: 'state-unusable' })
  }
  const deep = join(folder(), 'a', 'b', 'c')
  const mock = await open(deep)
  await mock.close()
})

test('without the optional package of the database, the problem names it', async () => {
  const load = () => Promise.reject(new Error('Cannot find package'))
  await expect(openDatabase(folder(), load)).rejects.toThrow(/classic-level is not installed/)
})
