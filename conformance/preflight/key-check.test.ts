/** A key that is no use is named as one. A service that is faulty is still left to the judge. */
import { expect, test } from 'vitest'
import { profileFor } from '../../test/hostile-target/recording-client.ts'
import { fetchClient } from '../client/fetch-client.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { askKeys, keyTextProblem } from './key-check.ts'

const primary = 'key-of-primary-1'
const secondary = 'key-of-secondary-2'
const profile: TargetProfile = {
  ...profileFor('http://acs.test'),
  tenants: { primary: { key: primary }, secondary: { key: secondary } },
}
const unauthorized = (status = 401): Response =>
  Response.json({ error_code: 'unauthorized', detail: 'Missing or unknown API key' }, { status })
const ids = { [primary]: 'a-1', [secondary]: 'b-1' }
const list = (key: string): Response => Response.json([{ id: Reflect.get(ids, key) ?? 'none' }])

const htmlOf = (answer: Response): Response => {
  answer.headers.set('content-type', 'text/html; charset=utf-8')
  return answer
}

const check = (answer: (key: string, path: string) => Response, over: Partial<TargetProfile> = {}) =>
  askKeys(
    { ...profile, ...over },
    { client: fetchClient((request) => answer(request.headers.get('api-key') ?? '', new URL(request.url).pathname)) },
  )

test('a place that does not know the paths of the contract is no service to judge', async () => {
  const missing = await check(() => Response.json({ detail: 'Not Found' }, { status: 404 }))
  expect(missing).toMatchObject({ problem: { kind: 'elsewhere' }, exchanges: 2 })
  expect(missing.problem?.seen).toContain('both return 404')
  const html = { headers: { 'content-type': 'text/html; charset=utf-8' } }
  const page = await check(() => new Response('<html>', html))
  expect(page.problem?.seen).toContain('200 and a web page')
  const login = await check(() => new Response('', { status: 302, headers: { location: 'https://login.test/?t=1' } }))
  expect(login.problem).toMatchObject({
    kind: 'elsewhere',
    seen: expect.stringMatching(/302, a redirect to https:\/\/login\.test$/),
  })
  const partly = await check((key, path) =>
    path.includes('assistants') ? new Response('', { status: 404 }) : list(key),
  )
  expect(partly.problem).toBeNull()
})

test.each<[string, string, string | undefined, number]>([
  ['/v1', '', 'http://acs.test', 3],
  ['/base/v1/', '/base', 'http://acs.test/base', 3],
  ['/v1', '/base', undefined, 4],
  ['/v2', '', undefined, 2],
])('a base URL that ends in %s is asked above its end, service below "%s"', async (end, root, meant, exchanges) => {
  const at = `${root}/v1/`
  const answer = (key: string, path: string): Response =>
    path.startsWith(at) && !path.startsWith(`${at}v1/`) ? list(key) : new Response('', { status: 404 })
  const found = await check(answer, { baseUrl: `http://acs.test${end}` })
  expect(found.exchanges).toBe(exchanges)
  expect(found.problem?.meant).toBe(meant)
  expect(found.problem?.kind).toBe('elsewhere')
})

test('right keys cost one request each', async () => {
  expect(await check(list)).toEqual({ problem: null, exchanges: 2 })
})

test('keys that are refused are named, all or one', async () => {
  const all = await check(() => unauthorized())
  expect(all.problem).toEqual({ kind: 'refused', tenants: ['primary', 'secondary'], seen: '401 unauthorized' })
  const one = await check((key) => (key === secondary ? unauthorized(403) : list(key)))
  expect(one.problem).toMatchObject({ kind: 'refused', tenants: ['secondary'] })
})

test.each([
  ['one of the same tenant', { [primary]: 'T-1', [secondary]: 't-1' }, null],
  ['one of another tenant', { [primary]: 'T-1', [secondary]: 't-2' }, 'other-tenant'],
  ['one whose record has no id', { [primary]: 'T-1' }, null],
])('a spare key is %s', async (_name, records, kind) => {
  const answer = (key: string, path: string): Response =>
    path.includes('assistants') ? list(key) : Response.json({ id: Reflect.get(records, key) })
  const tenants = { primary: { key: primary }, spare: { key: secondary } }
  const { problem, exchanges } = await check(answer, { tenants })
  expect([problem?.kind ?? null, exchanges]).toEqual([kind, 4])
})

test('keys are called swapped only when the profile names an assistant that tells', async () => {
  const swapped = (key: string): Response => list(key === primary ? secondary : primary)
  expect((await check(swapped)).problem).toBeNull()
  expect((await check(swapped, { assistants: { 'A-1': {} } })).problem).toMatchObject({ kind: 'swapped' })
})

test.each<[string, (key: string, path: string) => Response]>([
  ['fails at the list of assistants', () => new Response('down', { status: 500 })],
  ['shows the primary data to the second tenant', () => list(primary)],
  [
    'refuses a key at one operation only',
    (_, path) => (path.includes('assistants') ? unauthorized() : Response.json({})),
  ],
  ['limits the rate', () => new Response('', { status: 429 })],
  ['calls its JSON a web page', (key) => htmlOf(list(key))],
  ['answers no JSON', (_, path) => new Response(`<html>${path}`)],
])('a service that %s is not called a wrong key', async (_, answer) => {
  expect((await check(answer, { assistants: { 'a-1': {} } })).problem).toBeNull()
})

test.each([
  [() => Response.json([])],
  [() => Response.json({ ok: true })],
  [() => new Response(null, { status: 204 })],
])('what answers every path alike is no such service, case %#', async (answer) => {
  expect((await check(answer)).problem).toMatchObject({ kind: 'elsewhere' })
})

test('what the keys themselves tell needs no request', () => {
  const withKeys = (first: string, second: string) =>
    keyTextProblem({ ...profile, tenants: { primary: { key: first }, secondary: { key: second } } })
  expect(withKeys(primary, secondary)).toBeNull()
  expect(withKeys(primary, primary)).toMatchObject({ kind: 'equal', tenants: ['primary', 'secondary'] })
  expect(withKeys('short', secondary)).toMatchObject({ kind: 'unusable', tenants: ['primary'] })
  expect(withKeys(primary, '--------')).toMatchObject({ kind: 'unusable', tenants: ['secondary'] })
  expect(withKeys('1234-567-890', secondary)).toMatchObject({ kind: 'unusable', seen: 'it has no letter' })
  expect(withKeys('k'.repeat(10_000), secondary)).toMatchObject({ seen: 'it has more than 8192 characters' })
  for (const word of ['messages', 'ASSISTANT', 'tool_calls', 'transfer-encoding', 'x-ndjson', 'thread_id'])
    expect(withKeys(word, secondary), word).toMatchObject({ kind: 'unusable', seen: expect.stringContaining('a word') })
  expect(withKeys('messages-4f9Q', secondary)).toBeNull()
  expect(withKeys(primary, 'two words of a key')).toMatchObject({ kind: 'unusable', tenants: ['secondary'] })
})

test.each(['${ACS_API_KEY}', '${ACS_API_KEY', '$ACS_API_KEY'])(
  'a variable that was not filled in is no key: %s',
  (key) => {
    const problem = keyTextProblem({ ...profile, tenants: { primary: { key } } })
    expect(problem?.seen).toContain('looks like a variable that was not expanded')
  },
)
