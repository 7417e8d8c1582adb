/** What `acs init` writes is a profile that loads, holds no key, and says what each guess rests on. */
import { expect, test } from 'vitest'
import { type Behaviour, rawServer } from '../../../test/hostile-target/raw-server.ts'
import { parseProfile } from '../../profile/load-profile.ts'
import { InitError, initProfile } from './init-profile.ts'

const env = { ACS_API_KEY: 'key-number-one-1', ACS_SECONDARY_API_KEY: 'key-number-two-2' }
const assistants = [
  {
    id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
    name: 'Law\n- x: "y" # \u2028 tricky',
    streaming: true,
    request_required_fields: { __root__: ['assistant_id', 'user_data'], user_data: ['licence'] },
  },
  { id: '2b4e28ba-2fa1-41d2-883f-0016d3cca427', name: 'Plain', streaming: false, request_required_fields: {} },
]

const answer = (body: unknown, status = '200 OK'): string => {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
const notFound = answer({ error_code: 'resource_not_found', detail: 'Resource not found' }, '404 Not Found')

const target =
  (answers: Readonly<Record<string, unknown>>): Behaviour =>
  (socket, request) => {
    const path = /^\w+ ([^ ?]+)/.exec(request)?.[1] ?? ''
    const tenant = request.includes('key-number-two-2') ? 'two' : 'one'
    const body = path.endsWith('my-api-keys') ? { id: tenant, api_keys: [] } : answers[path]
    socket.write(body === undefined ? notFound : answer(body))
  }
const full = target({ '/v1/assistants': assistants, '/v1/files/signed-url': {}, '/v1/threads': { id: 't' } })

test('the profile of a full target claims what was seen, and loads', async () => {
  await using server = await rawServer(full)
  const { yaml, notes } = await initProfile(`${server.url}/`, { env, createThread: true })
  expect(yaml).not.toContain('key-number')
  const profile = await parseProfile(yaml, { file: 'x', env })
  expect(profile).toMatchObject({
    baseUrl: server.url,
    tenants: { primary: { key: env.ACS_API_KEY }, secondary: { key: env.ACS_SECONDARY_API_KEY } },
    claims: ['core', 'streaming', 'events', 'threads', 'files', 'tenancy'],
    threads: { kind: 'http', path: '/v1/threads', pointer: '/id' },
    assistants: { [assistants[0]?.id ?? '']: { body: { user_data: { licence: 'fill in' } } } },
  })
  expect(notes).toEqual([
    '2 assistants found; 1 can stream.',
    '1 of them needs fields that you have to fill in under "assistants".',
    'Unknown whether a run can name its assistant: without runBody, runs with a foreign assistant are not tested.',
    'Not claimed: tools (needs the mapping of tool calls; the file says how).',
  ])
})

/** A target that refuses the run of a new thread, by what its body says. */
const refusing = (refuse: (body: object) => string): Behaviour => {
  const others = target({ '/v1/assistants': assistants, '/v1/threads': { id: 't' } })
  return (socket, request, count) => {
    if (!request.startsWith('POST /v1/threads/t/run ')) return others(socket, request, count)
    const error_code = refuse(JSON.parse(request.slice(request.lastIndexOf('{'))))
    socket.write(answer({ error_code, detail: 'no' }, '400 Bad Request'))
  }
}

test.each<readonly [string, (body: object) => string, boolean]>([
  ['is told so', (body) => ('assistant_id' in body ? 'assistant_not_available' : 'bad_request'), true],
  ['gets another code', (body) => ('assistant_id' in body ? 'no_such_assistant' : 'thread_empty'), true],
  ['is taken for a field too many', (body) => ('assistant_id' in body ? 'validation_error' : 'bad_request'), false],
  ['is ignored', () => 'bad_request', false],
])('a run that names an unknown assistant %s: runBody is written accordingly', async (_, refuse, isLive) => {
  await using server = await rawServer(refusing(refuse))
  const { yaml, notes } = await initProfile(server.url, { env, createThread: true })
  const { runBody } = await parseProfile(yaml, { file: 'x', env })
  expect(runBody).toEqual(isLive ? { assistant_id: '{{assistant_id}}' } : {})
  expect(notes.some((note) => note.includes('without runBody'))).toBe(!isLive)
})

test('nothing that creates a thread or calls a model is sent unasked', async () => {
  await using server = await rawServer(full)
  await initProfile(server.url, { env })
  const lines = [...server.received().matchAll(/^(\w+) (\S+) HTTP/gm)].map((match) => `${match[1]} ${match[2]}`)
  expect(lines).toEqual([
    'GET /v1/assistants',
    'GET /v1/files/signed-url?filename=notes.txt',
    'GET /v1/tenants/my-api-keys',
    'GET /v1/tenants/my-api-keys',
  ])
})

test('the profile of a bare target claims the core alone and says why', async () => {
  await using server = await rawServer(target({ '/v1/assistants': [] }))
  const { yaml, notes } = await initProfile(server.url, {
    env: { ACS_API_KEY: 'key-number-one-1' },
    createThread: true,
  })
  expect((await parseProfile(yaml, { file: 'x', env })).claims).toEqual(['core'])
  expect(notes).toContain('POST /v1/threads created no thread.')
  expect(yaml.replace(server.url, 'http://target')).toMatchSnapshot()
})

test('the recipes in the comments are profiles too', async () => {
  await using server = await rawServer(target({ '/v1/assistants': [] }))
  const { yaml } = await initProfile(server.url, { env })
  const recipes = yaml.split(/\n#\n|\n\n/).filter((block) => /^# threads:|\n# threads:/.test(block))
  expect(recipes).toHaveLength(3)
  for (const recipe of recipes) {
    const lines = recipe.slice(recipe.indexOf('# threads:')).replace(/^# /gm, '')
    const profile = await parseProfile(`baseUrl: http://localhost\ntenants: { primary: { key: k } }\n${lines}\n`, {
      file: 'x',
    })
    expect(profile.threads).not.toBeNull()
  }
})

test('the other sources of threads are left out once one works', async () => {
  await using server = await rawServer(full)
  const { yaml } = await initProfile(server.url, { env, createThread: true })
  expect(yaml.match(/threads:/g)).toHaveLength(1)
  expect(yaml).not.toMatch(/Choose one|kind: (?:static|command)/)
})

test('the transport of the command stands in the profile, its secrets as references', async () => {
  await using server = await rawServer(target({ '/v1/assistants': assistants }))
  const transport = { headers: { 'x-gateway': '${GATEWAY}' }, userAgent: 'team/1' }
  const known = { ...env, GATEWAY: 'gate-way-77' }
  const { yaml } = await initProfile(server.url, { env: known, transport })
  expect(yaml).not.toContain('gate-way-77')
  const profile = await parseProfile(yaml, { file: 'x', env: known })
  expect(profile.transport).toEqual({ headers: { 'x-gateway': 'gate-way-77' }, userAgent: 'team/1' })
})

test('a target that cannot be asked is told in one line', async () => {
  await using server = await rawServer((socket) => void socket.write(answer({ error_code: 'unauthorized' }, '401 x')))
  await expect(initProfile('http://127.0.0.1:1', { env })).rejects.toThrow('cannot be probed: nothing listens there')
  await expect(initProfile(server.url, { env })).rejects.toThrow(
    'did not return a list of assistants: status 401, unauthorized',
  )
  await expect(initProfile(server.url, { env: {} })).rejects.toThrow(InitError)
})

test.each(['thread_id', 'conversation'])('a thread whose id stands under %s is found', async (name) => {
  const made = { assistant_id: assistants[0]?.id, [name]: '3b4e28ba-2fa1-41d2-883f-0016d3cca427' }
  await using server = await rawServer(target({ '/v1/assistants': assistants, '/v1/threads': made }))
  const { yaml } = await initProfile(server.url, { env, createThread: true })
  expect((await parseProfile(yaml, { file: 'x', env })).threads).toMatchObject({ kind: 'http', pointer: `/${name}` })
})

test.each(['', '..', '\ud800'])('a thread whose id is %j, which no path can name, ends no init', async (id) => {
  await using server = await rawServer(target({ '/v1/assistants': assistants, '/v1/threads': { id } }))
  const { notes } = await initProfile(server.url, { env, createThread: true })
  expect(notes[0]).toBe('2 assistants found; 1 can stream.')
})
