/** Tests that a setting which the target contradicts is named, and that a faulty service is left to the judge. */
import { expect, test } from 'vitest'
import { profileFor } from '../../test/hostile-target/recording-client.ts'
import { fetchClient } from '../client/fetch-client.ts'
import type { TargetProfile, ThreadSource } from '../profile/target-profile.ts'
import { contradictionsIn } from './setting-problem.ts'
import { askSettings, mostSettingsRequests } from './settings-check.ts'

const known = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001'
const unknown = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0002'
const made = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0003'
const profile = { ...profileFor('http://acs.test'), claims: ['core'] } satisfies TargetProfile
const notFound = (): Response => Response.json({ error_code: 'resource_not_found', detail: 'x' }, { status: 404 })
const page = (): Response => Response.json({ items: [], cursor: null })

/** A service with one assistant and one thread. */
const sound = (method: string, path: string): Response => {
  if (path === '/v1/assistants') return Response.json([{ id: known, name: 'Echo', streaming: false }])
  if (method === 'POST') return path === '/v1/threads' ? Response.json({ id: made, assistant_id: known }) : notFound()
  if (!path.includes(known)) return notFound()
  return path.endsWith('/messages') ? page() : Response.json({ id: known })
}
const ask = (over: Partial<TargetProfile>, answer = sound) =>
  askSettings(
    { ...profile, ...over },
    { client: fetchClient((request) => answer(request.method, new URL(request.url).pathname)) },
  )

const http = { kind: 'http', method: 'POST', path: '/v1/threads', pointer: '/id' } as const
const listed = (...ids: readonly string[]): ThreadSource => ({
  kind: 'static',
  threads: ids.map((id) => ({ id, tenant: 'primary', holds: 'empty' })),
})
const printing = (text: string): ThreadSource => ({
  kind: 'command',
  command: [process.execPath, '-e', `console.log(${JSON.stringify(text)})`],
})
const tools = { callIds: '/tool_calls/*/id', resultField: 'tool_call_id' } as const

test.each<[string, Partial<TargetProfile>, number]>([
  ['nothing but a URL', {}, 0],
  ['threads that a request creates', { threads: http }, 2],
  ['threads that a command creates', { threads: printing(known) }, 2],
  ['one thread of the list that exists', { threads: listed(unknown, known) }, 3],
  ['an assistant by its name', { tools: { ...tools, assistant_id: 'Echo' } }, 1],
  ['an assistant by its id, in capitals', { assistants: { [known.toUpperCase()]: {} } }, 1],
])('%s is no wrong setting', async (_, over, exchanges) => {
  expect(await ask(over)).toEqual({ problem: null, exchanges })
  expect(mostSettingsRequests({ ...profile, ...over })).toBeGreaterThanOrEqual(exchanges)
})

test.each<[string, Partial<TargetProfile>, string, RegExp]>([
  ['a path that creates nothing', { threads: { ...http, path: '/threads' } }, 'threads', /did not create .*404/],
  ['a pointer to nothing', { threads: { ...http, pointer: '/thread' } }, 'threads', /no string at \/thread\.$/],
  [
    'a pointer to the assistant',
    { threads: { ...http, pointer: '/assistant_id' } },
    'threads.pointer',
    /of an assistant$/,
  ],
  ['a command that prints no thread', { threads: printing('hello') }, 'threads.command', /printed hello/],
  ['a command that prints nothing', { threads: printing('') }, 'threads.command', /printed nothing/],
  ['a list of unknown threads', { threads: listed(unknown) }, 'threads.threads', /none of .*primary \(404 resource/],
  ['an unknown tool assistant', { tools: { ...tools, assistant_id: unknown } }, 'tools.assistant_id', /names 36ede/],
  ['an unknown assistant to use', { assistants: { use: ['Ecko'] } }, 'assistants.use', /names Ecko/],
  ['an assistant that no path can name', { assistants: { use: ['..'] } }, 'assistants.use', /names \.\./],
  ['an unknown assistant to avoid', { assistants: { avoid: [unknown] } }, 'assistants.avoid', /no such assistant/],
  ['avoiding all assistants', { assistants: { avoid: ['Echo'] } }, 'assistants.avoid', /names every assistant/],
  [
    'threads of an unknown assistant',
    { threads: { kind: 'static', threads: [{ id: known, tenant: 'primary', holds: 'empty', assistant_id: unknown }] } },
    'threads.threads',
    /names 36ede/,
  ],
  ['fields for an unknown assistant', { assistants: { '*': {}, [unknown]: {} } }, 'assistants', /no such assistant/],
])('%s is named', async (_, over, field, seen) => {
  expect((await ask(over)).problem).toMatchObject({ field, seen: expect.stringMatching(seen) })
})

const byTenant = (over: Partial<TargetProfile>) =>
  askSettings(
    { ...profile, tenants: { primary: { key: 'key-of-one' }, secondary: { key: 'key-of-other' } }, ...over },
    {
      client: fetchClient(({ method, url, headers }) => {
        const { pathname } = new URL(url)
        const isOther = headers.get('api-key') === 'key-of-other'
        if (pathname !== '/v1/assistants' || !isOther) return sound(method, pathname)
        return Response.json([{ id: made, name: 'Pier', streaming: true }])
      }),
    },
  )

test.each([{ [made]: { body: {} } }, { avoid: ['Pier'] }, { use: ['Echo', made.toUpperCase()] }])(
  'an assistant of the second tenant may have settings: %j',
  async (assistants) => {
    expect((await byTenant({ assistants })).problem).toBeNull()
  },
)

test('an assistant that the throttled tenant alone has may have settings, also when its quota is used up', async () => {
  const throttled = (answer: Response) =>
    askSettings(
      {
        ...profile,
        tenants: { primary: { key: 'key-of-one' }, throttled: { key: 'key-of-third' } },
        assistants: { [made]: { body: {} } },
      },
      {
        client: fetchClient(({ method, url, headers }) =>
          headers.get('api-key') === 'key-of-third' ? answer : sound(method, new URL(url).pathname),
        ),
      },
    )
  expect((await throttled(Response.json([{ id: made, name: 'Pier', streaming: true }]))).problem).toBeNull()
  expect((await throttled(Response.json({ error_code: 'throttling_error' }, { status: 429 }))).problem).toBeNull()
  expect((await throttled(Response.json([{ id: known, name: 'Echo' }]))).problem).toMatchObject({ field: 'assistants' })
})

test('an assistant that neither tenant has is named, and one of the second tenant is none of the first', async () => {
  const nobodys = await byTenant({ assistants: { [unknown]: {} } })
  expect(nobodys.problem).toMatchObject({ field: 'assistants', seen: expect.stringContaining('no tenant has such an') })
  const foreign = await byTenant({ tools: { ...tools, assistant_id: made } })
  expect(foreign.problem).toMatchObject({ field: 'tools.assistant_id', seen: expect.stringContaining('the primary') })
})

test.each<[string, Partial<TargetProfile>, typeof sound]>([
  ['fails at everything', { threads: http }, () => new Response('down', { status: 500 })],
  ['lists no assistants', { threads: http }, () => Response.json([])],
  [
    'hides an assistant',
    { tools: { ...tools, assistant_id: unknown } },
    (method, path) => (path.endsWith(unknown) ? Response.json({ id: unknown }) : sound(method, path)),
  ],
  [
    'lists the assistant of another tenant first',
    { threads: { ...http, path: '/v1/threads/{{assistant_id}}' } },
    (method, path) => {
      if (path === '/v1/assistants') return Response.json([{ id: unknown }, { id: known }])
      return method === 'POST' && path.endsWith(known) ? Response.json({ id: made }) : notFound()
    },
  ],
  [
    'lists assistants without their names',
    { assistants: { Echo: {} } },
    (method, path) => (path === '/v1/assistants' ? Response.json([{ id: known }]) : sound(method, path)),
  ],
  [
    'does not list a thread that takes messages',
    { threads: listed(known) },
    (method, path) => {
      if (path === '/v1/assistants') return sound(method, path)
      return method === 'POST'
        ? Response.json({ error_code: 'message_content_empty', detail: 'x' }, { status: 422 })
        : notFound()
    },
  ],
  [
    'fails to create threads',
    { threads: http },
    (method, path) => (method === 'POST' ? new Response('', { status: 500 }) : sound(method, path)),
  ],
])('a service that %s is left to the judge', { timeout: 60_000 }, async (_, over, answer) => {
  expect((await ask(over, answer)).problem).toBeNull()
})

/** A service that knows one key without a tenant, and answers other keys as `other` says. */
const keyed = (other: () => Response, own: () => Response = noTenant) =>
  askSettings(
    { ...profile, provoke: { tenant_not_found: { key: 'key-of-nobody-7' } } },
    { client: fetchClient((request) => (request.headers.get('api-key') === 'key-of-nobody-7' ? own() : other())) },
  )
const refusal = (detail: string, code?: string): Response =>
  Response.json({ error_code: code, detail }, { status: 403 })
const noTenant = (): Response => refusal('Tenant not found', 'tenant_not_found')

test('a key that should provoke an error, and is answered like any unknown one, is named', async () => {
  const unknown = () => refusal('Invalid API key')
  expect((await keyed(unknown, unknown)).problem).toMatchObject({
    field: 'provoke.tenant_not_found',
    seen: 'the target treats its key like one that does not exist (403)',
  })
})

test.each<[string, () => Response, () => Response]>([
  ['brings the error', () => refusal('Invalid API key'), noTenant],
  ['brings the error as every unknown key does', noTenant, noTenant],
  ['is refused in other words', () => refusal('Invalid API key'), () => refusal('Tenant not found')],
  ['is refused with another code', () => refusal('x', 'unauthorized'), () => refusal('x', 'forbidden')],
  ['is taken', () => Response.json({}), () => Response.json({})],
  ['meets a service that is down', () => new Response('', { status: 503 }), () => new Response('', { status: 503 })],
])('a provoking key that %s is left to the judge', async (_, other, own) => {
  expect((await keyed(other, own)).problem).toBeNull()
})

test('what contradicts itself is seen without a request', () => {
  const full = { ...profile, threads: http, tenants: { ...profile.tenants, secondary: { key: 'second-key-1' } } }
  const claiming = (over: Partial<TargetProfile>) => contradictionsIn({ ...full, ...over })[0]?.seen ?? null
  expect(claiming({ claims: ['core', 'threads', 'tenancy', 'tools'], tools })).toBeNull()
  expect(claiming({ claims: [] })).toBe('nothing is claimed')
  expect(claiming({ claims: ['threads'], threads: null })).toContain('names no source of threads')
  expect(claiming({ claims: ['tools'] })).toContain('does not describe tool calls')
  expect(claiming({ claims: ['tenancy'], tenants: profile.tenants })).toContain('no key for a second tenant')
  const assistantMessage = { tool_calls: [{ id: '{{tool_call_id}}' }] }
  expect(claiming({ tools: { ...tools, assistantMessage } })).toBeNull()
  expect(claiming({ tools: { ...tools, callIds: '/calls/*/id', assistantMessage } })).toContain('finds no id')
})
