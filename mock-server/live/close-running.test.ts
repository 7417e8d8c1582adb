/** Laws of worlds that are deleted or set back: what runs in them is closed. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { createRecording } from '../recording/recording.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'

const key = { 'api-key': 'acs-demo-primary' }

async function steppedWorld(options: Parameters<typeof createMock>[0] = {}) {
  const mock = await createMock({ ...options, clock: { mode: 'stepped' } })
  const world = mock.world()
  return { mock, world }
}

/** How each request ends; one that hangs is told as such. */
async function ends(answers: readonly Promise<Response>[]): Promise<readonly string[]> {
  const end = (answer: Promise<Response>) =>
    answer
      .then((response) => response.text())
      .then(
        () => 'answered',
        (cause: Error) => cause.message,
      )
  const late = new Promise<string>((resolve) => setTimeout(resolve, 500, 'hangs'))
  return Promise.all(answers.map((answer) => Promise.race([end(answer), late])))
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Requests that wait each in a way of its own: for the clock, for a fault, for the rest of a body. */
async function startAll(mock: Mock, world: WorldHandle, send = world.fetch): Promise<readonly Promise<Response>[]> {
  const assistant_id = mockClient(world, mock).assistant('Slow echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'one two three' }] })
  const ask = (path: string, fault: string | null = null) =>
    send(path, { method: 'POST', body, headers: { ...key, ...(fault === null ? null : { 'x-acs-fault': fault }) } })
  const list = (fault: string) => send('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })
  const answers = [
    ask('/v1/chat/completions/stream'),
    ask('/v1/chat/completions'),
    ask('/v1/chat/completions/stream', 'stall:after=1,ms=5000'),
    list('stall:5000'),
    list('stall:5000;stall:10'),
    list('late-headers:5000'),
    upload(world),
  ]
  for (const answer of answers) answer.catch(() => {})
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  return answers
}

/** An upload whose body has no end. */
async function upload(world: WorldHandle): Promise<Response> {
  const grant = await world.fetch('/v1/files/signed-url?filename=a.txt', { headers: { ...key, 'user-id': 'u' } })
  const { file_url } = (await grant.json()) as { readonly file_url: string }
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) })
  const init = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body, duplex: 'half' }
  return world.fetch(file_url, init as RequestInit)
}

test('deleting a world ends every request in it, and nobody has to move its clock', async () => {
  const { mock, world } = await steppedWorld()
  const answers = await startAll(mock, world)
  world.destroy()
  const broken = [
    'terminated',
    'fetch failed',
    'terminated',
    'fetch failed',
    'fetch failed',
    'fetch failed',
    'fetch failed',
  ]
  expect(await ends(answers)).toEqual(broken)
  expect(world.clock.advanceToNext()).toBe(false)
  const { value } = await mock.live.events(null).next()
  expect(JSON.parse(String(value))).toMatchObject({ running: [] })
})

test('over a socket the connection ends, and requests of other worlds go on', async () => {
  const { mock, world } = await steppedWorld()
  const other = mock.world()
  await using listener = await mock.listen()
  const send = (path: string | Request | URL, init?: RequestInit) => fetch(listener.url + world.path + path, init)
  const going = await startAll(mock, other)
  const answers = (await startAll(mock, world, send)).slice(0, -1)
  while (world.journal.total() < 3) await nextTurn()
  const response = await mock.fetch(`/_acs/worlds/${world.name}`, { method: 'DELETE' })
  expect(response.status).toBe(200)
  for (const end of await ends(answers)) expect(end).toMatch(/^(terminated|fetch failed)$/)
  expect(new Set(await ends(going))).toEqual(new Set(['hangs']))
  other.destroy()
})

test('a list that nobody reads, and a recorded stream that waits, end as well', async () => {
  const { world } = await steppedWorld()
  const content = 'x'.repeat(60_000)
  const { id } = world.seedThread({ messages: Array.from({ length: 60 }, () => ({ role: 'user', content }) as const) })
  const unread = await world.fetch(`/v1/threads/${id}/messages`, { headers: key })
  world.destroy()
  expect(await ends([Promise.resolve(unread)])).toEqual(['terminated'])

  const original = await createMock({ clock: { mode: 'frozen' } })
  const client = mockClient(original.main, original)
  const body = { assistant_id: client.assistant('Slow echo'), messages: [{ role: 'user', content: 'one two' }] }
  await client.stream('/v1/chat/completions/stream', body)
  const recording = await createRecording(original.journal.export('trace'))
  const played = await steppedWorld({ recording })
  const answer = played.world.fetch('/v1/chat/completions/stream', {
    method: 'POST',
    headers: key,
    body: JSON.stringify(body),
  })
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  played.world.destroy()
  expect((await ends([answer]))[0]).toMatch(/^(terminated|fetch failed)$/)
})

test.each<[string, number, (world: WorldHandle) => void]>([
  ['reset', 0, (world) => world.reset()],
  ['restore', 8, (world) => world.restore(world.fork().snapshot())],
  ['import', 8, (world) => world.import(world.export())],
])('by %s what was on its way ends before, and comes into no journal afterwards', async (_name, kept, setBack) => {
  const { mock, world } = await steppedWorld()
  world.clock.advance(200_000)
  const answers = await startAll(mock, world)
  // The grant of the upload, and the two documents that a fault holds back, were answered.
  expect(world.journal.total()).toBe(3)
  setBack(world)
  expect(world.journal.total()).toBe(kept)
  expect(new Set(await ends(answers))).toEqual(new Set(['terminated', 'fetch failed']))
  expect(world.clock.advanceToNext()).toBe(false)
  expect(world.journal.total()).toBe(kept)
  for (const { startedAtUs, endedAtUs } of world.journal.query()) expect(endedAtUs).toBe(startedAtUs)
  const { id } = world.seedThread({ messages: [{ role: 'user', content: 'x' }] })
  expect((await world.fetch(`/v1/threads/${id}/messages`, { headers: key })).status).toBe(200)
})

test('a restore that is refused closes nothing', async () => {
  const { mock, world } = await steppedWorld()
  const answers = await startAll(mock, world)
  const { state } = world.snapshot()
  expect(() => world.restore({ state, clock: { nowUs: 1e18 } })).toThrow(RangeError)
  expect(() => world.import({ ...world.export(), seed: 99 })).toThrow(/seed 99 is not that of the world/)
  while (world.clock.advanceToNext());
  expect((await ends(answers)).filter((end) => end === 'answered')).toHaveLength(6)
  world.destroy()
})
