/** Cases of the gaps about HTTP, keys, ids, tenants and errors. */
import { get } from 'node:http'
import { gzipSync } from 'node:zlib'
import { createMock, defaultScenario } from '../../../mock-server/index.ts'
import { errorTable, threadOperations } from '../../../spec/index.ts'
import { acceptance, agreed, type GapCases, type GapSetup, key, statusAndCode, unknownId } from './gap-case.ts'

const oneOfEachKind = ['/v1/threads/x/messages', '/v1/assistants', '/v1/files/signed-url', '/v1/tenants/my-api-keys']

async function keyAnswers({ send }: GapSetup, headers: Readonly<Record<string, string>>): Promise<string> {
  const answers = await Promise.all(oneOfEachKind.map((path) => send(path, { headers })))
  return agreed(answers.map(statusAndCode))
}

const malformedBodies = ['{', '[1', 'x', '{"a":1}}'] as const

export const httpCases: GapCases<'http'> = {
  'http.success-status': async ({ client, complete, asks, add, asked, run, list, grant }) => {
    const thread = await asked()
    const statuses = {
      'created messages': (await add(thread, { role: 'user', content: 'x' })).status,
      threads: (await client.post('/v1/threads', {})).status,
      completion: (await complete(asks('x'))).status,
      run: (await run(thread)).status,
      list: (await list(thread)).status,
      assistants: (await client.get('/v1/assistants')).status,
      assistant: (await client.get(`/v1/assistants/${client.assistant('Echo')}`)).status,
      grant: (await grant()).status,
      keys: (await client.get('/v1/tenants/my-api-keys')).status,
    }
    const created = Object.entries(statuses).filter(([, status]) => status === 201)
    const others = Object.values(statuses).filter((status) => status !== 201)
    return `${agreed(others)}, and 201 for ${created.map(([name]) => name).join(' and ')}`
  },
  'http.unknown-route': async ({ client }) => statusAndCode(await client.get('/v1/nowhere')),
  'http.wrong-method': async ({ send }) =>
    statusAndCode(await send('/v1/assistants', { method: 'DELETE', headers: key })),
  'http.malformed-json': async ({ complete, client }) => {
    const thread = await client.thread()
    const answers = await Promise.all(
      malformedBodies.flatMap((body) => [complete(body), client.post(`/v1/threads/${thread}/messages`, body)]),
    )
    return agreed(answers.map(({ json }) => json.error_code))
  },
  'http.request-content-type': async ({ client, add, send }) => {
    const thread = await client.thread()
    const message = { role: 'user', content: 'x' }
    const typed = ['text/plain', 'application/x-www-form-urlencoded', 'garbage']
    const answers = await Promise.all(typed.map((type) => add(thread, message, { 'content-type': type })))
    const bytes = new TextEncoder().encode(JSON.stringify(message))
    const untyped = await send(`/v1/threads/${thread}/messages`, { method: 'POST', headers: key, body: bytes })
    return agreed([...answers, untyped].map(acceptance))
  },
  'http.byte-order-mark': async (setup) => agreed((await rewritten(setup, 'mark')).map(acceptance)),
  'http.request-coding': async (setup) => agreed((await rewritten(setup, 'coding')).map(statusAndCode)),
  'http.head': async ({ send }) => {
    const answers = await Promise.all(['GET', 'HEAD'].map((method) => send('/v1/assistants', { method, headers: key })))
    const [whole, head] = answers.map(({ status, headers }) => `${status} ${headers.get('content-type')}`)
    return whole === head && answers[1]?.text === '' ? 'yes' : 'no'
  },
  'http.path-spelling': async ({ client }) => {
    const spelled = ['/v1/assistants/', '/v1//assistants', '//v1/assistants', '/V1/assistants', '/v1/Assistants']
    const answers = await Promise.all(spelled.map((path) => client.get(path)))
    return agreed(answers.map(({ status }) => (status === 200 ? 'yes' : 'no')))
  },
  'http.cross-origin': async ({ mock }) => {
    await using listener = await mock.listen()
    const page = { origin: 'http://app.test', 'access-control-request-method': 'GET' }
    const headers = { ...page, 'access-control-request-headers': 'api-key,user-id' }
    const asked = await fetch(`${listener.url}/v1/assistants`, { method: 'OPTIONS', headers })
    return asked.ok && asked.headers.get('access-control-allow-headers') === 'api-key,user-id' ? 'yes' : 'no'
  },
  'http.unknown-parameters': async ({ client, asked, grant, complete, asks }) => {
    const paths = ['/v1/assistants', '/v1/tenants/my-api-keys', `/v1/threads/${await asked()}/messages`]
    const answers = await Promise.all(paths.map((path) => client.get(`${path}?verbose=1&verbose=2`)))
    return agreed([...answers, await grant('filename=a.txt&x=1'), await complete(asks('x'), '?x=1')].map(acceptance))
  },
  'http.repeated-header': async ({ mock }) => {
    await using listener = await mock.listen()
    const sent = ['api-key', 'user-id'].map((name) => [...Object.entries({ ...key, 'user-id': 'ann' }), [name, 'ann']])
    const asked = (lines: readonly string[][]) => statusOf(`${listener.url}/v1/files/signed-url?filename=a.txt`, lines)
    return agreed((await Promise.all(sent.map(asked))).map((status) => (status === 200 ? 'accepted' : 'rejected')))
  },
  'http.repeated-member': async ({ client }) => {
    const body = '{"role":"user","content":"the first","content":"the last"}'
    return (await client.post(`/v1/threads/${await client.thread()}/messages`, body)).json.content
  },
  'http.accept': async ({ client, complete, asks }) => {
    const other = (accept: string) => client.post('/v1/chat/completions/stream', asks('x'), { accept })
    const answers = await Promise.all(['application/xml', 'text/event-stream', 'x'].map(other))
    const whole = await client.get('/v1/assistants', { accept: 'text/html' })
    return agreed([...answers, whole, await complete(asks('x'))].map(acceptance))
  },
  'http.charset': async ({ client }) => {
    const path = `/v1/threads/${await client.thread()}/messages`
    const named = ['iso-8859-1', 'utf-16', '"UTF-8"', 'klingon'].map((charset) =>
      client.post(path, { role: 'user', content: 'ä€' }, { 'content-type': `application/json; charset=${charset}` }),
    )
    return agreed((await Promise.all(named)).map(({ json }) => (json.content === 'ä€' ? 'as UTF-8' : 'otherwise')))
  },
  'http.request-size': async ({ client }) => {
    const thread = await client.thread()
    const ofSize = (bytes: number) => {
      const frame = JSON.stringify({ role: 'user', content: '' }).length
      return client.say(thread, { role: 'user', content: 'x'.repeat(bytes - frame) })
    }
    const mebibyte = 1024 * 1024
    const [most, more] = [await ofSize(mebibyte), await ofSize(mebibyte + 1)]
    return `${acceptance(most) === 'accepted' && acceptance(more) === 'rejected' ? '1 MiB' : 'another size'} per JSON body`
  },
}

/** The status of a GET whose header lines may repeat a name, which fetch would join. */
const statusOf = (url: string, lines: readonly string[][]): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = get(url, { headers: ['host', new URL(url).host, ...lines.flat()] }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
  })

const rawBodies: Readonly<Record<'mark' | 'coding', (text: string) => RequestInit>> = {
  mark: (text) => ({ body: `\ufeff${text}` }),
  coding: (text) => ({ body: gzipSync(text), headers: { ...key, 'content-encoding': 'gzip' } }),
}

/** A completion and a message whose bodies are written in another way. */
async function rewritten({ client, send, asks }: GapSetup, way: keyof typeof rawBodies) {
  const bodies = { [`/v1/threads/${await client.thread()}/messages`]: { role: 'user', content: 'x' } }
  const sent = Object.entries({ ...bodies, '/v1/chat/completions': asks('x') }).map(([path, body]) =>
    send(path, { method: 'POST', headers: key, ...rawBodies[way](JSON.stringify(body)) }),
  )
  return Promise.all(sent)
}

export const authCases: GapCases<'auth'> = {
  'auth.missing-key': (setup) => keyAnswers(setup, {}),
  'auth.unknown-key': (setup) => keyAnswers(setup, { 'api-key': 'nobody' }),
  'auth.other-places': async ({ send }) => {
    const secret = key['api-key']
    const elsewhere = [{ authorization: `Bearer ${secret}` }, { 'x-api-key': secret }, { cookie: `api-key=${secret}` }]
    const inQuery = await send(`/v1/assistants?api-key=${secret}`)
    const answers = [inQuery, ...(await Promise.all(elsewhere.map((headers) => send('/v1/assistants', { headers }))))]
    return agreed(answers.map(({ status }) => (status === 200 ? 'yes' : 'no')))
  },
}

export const resourcesCases: GapCases<'resources'> = {
  'resources.uuid-spelling': async ({ client, complete, asks }) => {
    const id = client.assistant('Echo')
    const spelled = async (form: string) => acceptance(await complete(asks('x', { assistant_id: form })))
    const others = [id.replaceAll('-', ''), `urn:uuid:${id}`, `{${id}}`]
    return `upper case ${await spelled(id.toUpperCase())}, the others ${agreed(await Promise.all(others.map(spelled)))}`
  },
  'resources.thread-record': async ({ client }) => Object.keys((await client.post('/v1/threads', {})).json).join(', '),
  'resources.stamps-and-date': async () => {
    await using mock = await createMock()
    const { url } = await mock.listen()
    const made = await fetch(`${url}/v1/threads`, { method: 'POST', headers: key })
    const { created_at: stamp } = (await made.json()) as { readonly created_at: string }
    const apartMs = Math.abs(Date.parse(stamp) - Date.parse(made.headers.get('date') ?? ''))
    return apartMs < 60_000 ? 'the same time' : 'another time'
  },
}

export const tenancyCases: GapCases<'tenancy'> = {
  'tenancy.key-shown': async ({ client }) =>
    (await client.get('/v1/tenants/my-api-keys')).json.api_keys[0].api_key === key['api-key'] ? 'whole' : 'masked',
  'tenancy.my-keys-bad-request': async ({ client, send }) => {
    const odd = ['?x=1', '?limit=0', `?tenant=${unknownId}`, '?%zz']
    const answers = await Promise.all(odd.map((query) => client.get(`/v1/tenants/my-api-keys${query}`)))
    answers.push(await send('/v1/tenants/my-api-keys', { headers: { ...key, accept: 'text/html', 'user-id': ' ' } }))
    return answers.every(({ status }) => status === 200) ? 'none' : 'a request'
  },
}

/** Where an error of the table is provoked. */
const addresses = {
  createChatCompletion: ['POST', '/v1/chat/completions'],
  runThread: ['POST', `/v1/threads/${unknownId}/run`],
  listMessages: ['GET', `/v1/threads/${unknownId}/messages`],
  listMyApiKeys: ['GET', '/v1/tenants/my-api-keys'],
} as const

export const errorsCases: GapCases<'errors'> = {
  'errors.status-of-code': async ({ send, asks }) => {
    const codes = new Map<number, string[]>()
    for (const [code, { operations }] of Object.entries(errorTable)) {
      const [method, path] = addresses[operations[0]]
      const body = method === 'POST' ? { body: JSON.stringify(asks('x')) } : {}
      const { status, json } = await send(path, { method, headers: { ...key, 'x-acs-fault': code }, ...body })
      codes.set(status, [...(codes.get(status) ?? []), json.error_code])
    }
    const sorted = [...codes].sort(([left], [right]) => left - right)
    return sorted.map(([status, names]) => `${status} ${names.join(', ')}`).join('; ')
  },
  'errors.unlisted-operations': async ({ client }) => {
    const refused = [
      client.get('/v1/files/signed-url'),
      client.get(`/v1/assistants/${unknownId}`),
      client.post('/v1/chat/completions/events/stream', {}),
    ]
    const bodies = (await Promise.all(refused)).map(({ json }) => Object.keys(json).join())
    return agreed(bodies) === 'error_code,detail' ? "the contract's" : 'another'
  },
  'errors.schema-fault-code': async ({ asked, add, list, grant }) => {
    const thread = await asked()
    const faulty = [add(thread, { role: 7 }), list(thread, '?limit=x'), grant('filename=a.txt&persist=maybe')]
    return agreed((await Promise.all(faulty)).map(({ json }) => json.error_code))
  },
  'errors.all-faults-at-once': async ({ complete }) =>
    (await complete({ user_id: 7 })).json.detail.length === 3 ? 'all' : 'first',
  'errors.type-vocabulary': async ({ complete, asks }) => {
    const bodies = [
      asks('x', { messages: undefined }),
      asks('x', { messages: [{ role: 'user', content: 7 }] }),
      asks('x', { assistant_id: 'Echo' }),
      asks('x', {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'robot', content: 'x' },
        ],
      }),
    ]
    const types = (await Promise.all(bodies.map((body) => complete(body)))).map(({ json }) => json.detail[0].type)
    return `the words of pydantic: ${types.join(', ')}, …`
  },
  'errors.malformed-thread-id': async ({ client }) => {
    const paths = {
      runThread: '/run',
      streamThreadRun: '/run/stream',
      createMessage: '/messages',
      listMessages: '/messages',
    }
    const answers = threadOperations.map((operation) =>
      operation === 'listMessages'
        ? client.get(`/v1/threads/x${paths[operation]}`)
        : client.post(
            `/v1/threads/x${paths[operation]}`,
            operation === 'createMessage' ? { role: 'user', content: 'x' } : {},
          ),
    )
    return agreed((await Promise.all(answers)).map(({ json }) => json.error_code))
  },
  'errors.rate-limit-window': async ({ mock, send }) => {
    const again = () => send('/v1/tenants/my-api-keys', { headers: { 'api-key': 'acs-demo-throttled' } })
    for (let sent = 0; sent < 5; sent += 1) await again()
    const spent = await again()
    mock.clock.advance(Number(spent.headers.get('retry-after')) * 1000)
    const isSo = spent.status === 429 && (await again()).status === 200
    return isSo ? 'set by scenario; Retry-After in seconds' : 'another way'
  },
  'errors.limited-operations': () => limitedOperations(),
  'errors.precedence': async ({ client, send }) => {
    const path = `/v1/threads/${unknownId}/messages`
    const wrong = { method: 'POST', body: '{"role":7}' }
    const throttled = { 'api-key': 'acs-demo-throttled' }
    const seen = [await send(path, { ...wrong, headers: {} })]
    for (let sent = 0; sent < 6; sent += 1) seen[1] = await send(path, { ...wrong, headers: throttled })
    seen.push(await client.post(path, { role: 7 }), await client.post(path, { role: 'user', content: 'x' }))
    const names = ['unauthorized', 'rate_limit_gateway', 'validation_error', 'thread_not_found']
    const isSo = names.join() === seen.map(({ json }) => json.error_code).join()
    return isSo ? 'key, rate limit, fields and body, then the thread and its rules' : 'another order'
  },
  'errors.which-key-is-limited': async () => limitedBy(),
}

/** Two keys of one tenant, one of them spent on one operation. */
async function limitedBy(): Promise<string> {
  const quota = { requests: 1, window_seconds: 60 }
  const keys = ['one', 'two'].map((name) => ({ key: name, quota }))
  const tenants = [{ name: 'primary', keys, assistants: ['Echo'] }]
  await using mock = await createMock({ clock: { mode: 'frozen' }, scenario: { ...defaultScenario, tenants } })
  const status = async (name: string, path: string) => (await mock.fetch(path, { headers: { 'api-key': name } })).status
  await status('one', '/v1/tenants/my-api-keys')
  if ((await status('one', `/v1/threads/${unknownId}/messages`)) !== 429) return 'per operation'
  return (await status('two', '/v1/tenants/my-api-keys')) === 429 ? 'per tenant' : 'per key'
}

/** Spends a quota of one on each operation, and asks which of them is refused then. */
async function limitedOperations(): Promise<string> {
  const keys = [{ key: 'one', quota: { requests: 1, window_seconds: 60 } }]
  const tenants = [{ name: 'primary', keys, assistants: ['Echo'] }]
  const thread = `/v1/threads/${unknownId}`
  const groups = {
    'completions (all three)': ['', '/stream', '/events/stream'].map((end) => ['POST', `/v1/chat/completions${end}`]),
    runs: ['/run', '/run/stream'].map((end) => ['POST', thread + end]),
    messages: ['GET', 'POST'].map((method) => [method, `${thread}/messages`]),
    'my-api-keys': [['GET', '/v1/tenants/my-api-keys']],
    assistants: [
      ['GET', '/v1/assistants'],
      ['GET', `/v1/assistants/${unknownId}`],
    ],
    files: [
      ['GET', '/v1/files/signed-url'],
      ['GET', `/v1/files/${unknownId}/status`],
    ],
    threads: [['POST', '/v1/threads']],
  }
  const limited: string[] = []
  for (const [name, requests] of Object.entries(groups)) {
    for (const [method = '', path = ''] of requests) {
      await using mock = await createMock({ clock: { mode: 'frozen' }, scenario: { ...defaultScenario, tenants } })
      const send = async () => (await mock.fetch(path, { method, headers: { 'api-key': 'one' } })).status
      await send()
      if ((await send()) === 429 && !limited.includes(name)) limited.push(name)
    }
  }
  return limited.join(', ')
}
