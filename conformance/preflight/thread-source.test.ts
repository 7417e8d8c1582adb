/** Threads come from where the profile says, each is given once, and the lack of one has a reason. */
import { expect, test } from 'vitest'
import { rawServer, respond } from '../../test/hostile-target/raw-server.ts'
import { profileFor, recordingClient } from '../../test/hostile-target/recording-client.ts'
import type { ThreadSource } from '../profile/target-profile.ts'
import { threadSource } from './thread-source.ts'

const first = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const second = '2b4e28ba-2fa1-41d2-883f-0016d3cca427'
const wish = { tenant: 'primary', assistantId: 'a-1', for: 'p' } as const
const http = { kind: 'http', method: 'POST', path: '/v1/threads', pointer: '/data/0/id' } as const

const sourceOf = (threads: ThreadSource | null, url = 'http://127.0.0.1:1') => {
  const { client, seen } = recordingClient(url)
  return { seen, client, source: threadSource({ ...profileFor(url), threads }, client) }
}
const json = (body: unknown, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${JSON.stringify(body).length}\r\n\r\n${JSON.stringify(body)}`

test('without a source there is none, and the reason says so', async () => {
  expect(await sourceOf(null).source.next(wish)).toEqual({ none: 'The profile names no source of threads.' })
})

test('listed threads are given once each, to their tenant and assistant only', async () => {
  const { source } = sourceOf({
    kind: 'static',
    threads: [
      { id: first, tenant: 'primary', assistant_id: 'a-1', holds: 'empty' },
      { id: second, tenant: 'primary', holds: 'unknown' },
    ],
  })
  expect(await source.next({ ...wish, assistantId: 'a-2' })).toEqual({ id: second, holds: 'unknown' })
  expect(await source.next(wish)).toEqual({ id: first, holds: 'empty' })
  expect(await source.next(wish)).toEqual({ none: 'The profile lists 2 such threads, and all of them are in use.' })
  expect(await source.next({ ...wish, tenant: 'secondary' })).toEqual({
    none: 'The profile lists no thread of the tenant secondary.',
  })
})

test('a request creates a thread, its template filled, its exchange recorded', async () => {
  await using server = await rawServer(respond(json({ data: [{ id: first }] }, '201 Created')))
  const { source, client, seen } = sourceOf({ ...http, body: { assistant_id: '{{assistant_id}}' } }, server.url)
  await using _ = client
  expect(await source.next(wish)).toEqual({ id: first, holds: 'empty' })
  expect(seen[0]).toMatchObject({
    credential: 'primary',
    request: { method: 'POST', body: { utf8: '{"assistant_id":"a-1"}' } },
    intent: { operation: 'createThread' },
  })
})

test.each([
  [json({ error_code: 'bad_request', detail: 'x' }), 'The target did not create a thread (status 200, bad_request).'],
  [json({}, '404 Not Found'), 'The target did not create a thread (status 404).'],
  [json({ data: [] }), 'The response that creates a thread has no string at /data/0/id (E1).'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{', 'The response that creates a thread is not JSON (E1).'],
])('a request that gives no thread says why (%#)', async (answer, none) => {
  await using server = await rawServer(respond(answer))
  const { source, client } = sourceOf(http, server.url)
  await using _ = client
  expect(await source.next(wish)).toEqual({ none })
})

const node = (script: string, ...rest: string[]): ThreadSource => ({
  kind: 'command',
  command: [process.execPath, '-e', script, ...rest],
})

test('a command prints the id of a thread; it has the key and no shell', async () => {
  const script = 'console.log(process.env.ACS_API_KEY + process.argv[1])'
  expect(await sourceOf(node(script, '{{tenant}};$HOME')).source.next(wish)).toEqual({
    id: 'key-of-primary-1primary;$HOME',
    holds: 'empty',
  })
})

test('a command that gives no thread says why, and never with the key', async () => {
  const failing: readonly ThreadSource[] = [
    node('console.error("no key " + process.env.ACS_API_KEY); process.exit(3)'),
    node(''),
    node('console.log("a b")'),
    { kind: 'command', command: ['/does/not/exist'] },
  ]
  expect(await Promise.all(failing.map((threads) => sourceOf(threads).source.next(wish)))).toEqual([
    { none: expect.stringMatching(/^The thread command exited with 3: no key (?!key-of-primary)[-a-z]+\d\.$/) },
    { none: 'The thread command printed nothing.' },
    { none: 'The thread command printed more than one id.' },
    { none: expect.stringContaining('The thread command could not be started') },
  ])
})

const empty = (id: string) => ({ id, tenant: 'primary', holds: 'empty' }) as const
const page = (...items: readonly unknown[]): string => json({ items, cursor: null })

test('a listed thread is looked at first, and one that holds messages is given last and called unknown', async () => {
  await using server = await rawServer((socket, request) =>
    respond(request.includes(first) ? page({ id: second }) : page())(socket, request, 1),
  )
  const { source, client, seen } = sourceOf({ kind: 'static', threads: [empty(first), empty(second)] }, server.url)
  await using _ = client
  expect(await source.next(wish)).toEqual({ id: second, holds: 'empty' })
  expect(await source.next(wish)).toEqual({ id: first, holds: 'unknown' })
  expect(await source.next(wish)).toMatchObject({ none: expect.stringContaining('all of them are in use') })
  expect(seen.map(({ intent }) => intent?.operation)).toEqual(['listMessages', 'listMessages'])
})

test('a listed thread that the target refuses to list is passed over, and the reason counts it', async () => {
  await using server = await rawServer((socket, request) =>
    respond(request.includes(first) ? json({ error_code: 'thread_not_found' }, '404 Not Found') : page())(
      socket,
      request,
      1,
    ),
  )
  const { source, client } = sourceOf({ kind: 'static', threads: [empty(first), empty(second)] }, server.url)
  await using _ = client
  expect(await source.next(wish)).toEqual({ id: second, holds: 'empty' })
  expect(await source.next(wish)).toEqual({
    none: 'The profile lists 2 such threads, and all of them are in use, or unknown to the target (1).',
  })
})

test('parts of a run are dealt different threads, and one without a share says so', async () => {
  await using server = await rawServer(respond(page()))
  const threads = { kind: 'static', threads: [empty(first), empty(second)] } as const
  const { client } = recordingClient(server.url)
  await using _ = client
  const [one, two, three] = [1, 2, 3].map((index) =>
    threadSource({ ...profileFor(server.url), threads }, client, { index, of: 3 }),
  )
  expect([await one?.next(wish), await two?.next(wish)]).toEqual([
    { id: first, holds: 'empty' },
    { id: second, holds: 'empty' },
  ])
  expect(await three?.next(wish)).toEqual({
    none: 'The profile lists 2 such threads, and all of them are in use; part 3 of 3 gets a share of them.',
  })
})
