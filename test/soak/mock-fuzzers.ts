/**
 * Fuzzes the mock: raw HTTP, chains of faults, and hostile requests among faults, clocks and resets.
 * Whatever comes, it answers by the contract or ends that one connection, and goes on.
 */
import { connect } from 'node:net'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { hostileRequest } from '../mock/hostile-requests.ts'
import { type Fuzzer, pick, type SeededRandom } from './fuzzer.ts'
import { mutatedJson, mutatedText } from './mutations.ts'

const key = { 'api-key': 'acs-demo-primary' }

const isAlive = async (mock: Mock): Promise<string | null> => {
  const { status } = await mock.fetch('/w/alive/v1/assistants', { headers: key })
  return status === 200 ? null : `the mock answers ${status} afterwards`
}

const rawParts = {
  line: [
    'GET /v1/assistants HTTP/1.1',
    'POST /v1/threads HTTP/1.1',
    'GET  / HTTP/1.1',
    'PUT /v1/uploads/x HTTP/1.0',
    'PRI * HTTP/2.0',
    'get / http/1.1',
    '\0',
    `GET /${'a'.repeat(70_000)} HTTP/1.1`,
    'GET http://x/ HTTP/1.1',
    'CONNECT x:1 HTTP/1.1',
    'OPTIONS * HTTP/1.1',
  ],
  header: [
    'host: x',
    'host:',
    'content-length: 5',
    'content-length: -1',
    'content-length: 5, 6',
    'content-length: 99999999999999999999',
    'transfer-encoding: chunked',
    'transfer-encoding: gzip, chunked',
    'transfer-encoding : chunked',
    'api-key: acs-demo-primary',
    'api-key:\tx',
    'expect: 100-continue',
    'expect: x',
    'connection: close',
    'connection: upgrade',
    'upgrade: h2c',
    'trailer: x',
    'x-acs-fault: stall:0',
    `x: ${'y'.repeat(70_000)}`,
    ' folded',
    'no colon',
    'x\0y: z',
    'content-encoding: gzip',
  ],
  body: [
    '',
    '{}',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    'ffffffffffffffffff\r\nx',
    '0\r\nx: y\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  ],
} as const

const rawRequest = (random: SeededRandom): string => {
  const headers = Array.from({ length: Math.floor(random() * 6) }, () => pick(random, rawParts.header))
  const lineEnd = random() < 0.9 ? '\r\n' : pick(random, ['\n', '\r', '\r\n\r\n'])
  const text = [pick(random, rawParts.line), ...headers, '', pick(random, rawParts.body)].join(lineEnd)
  return random() < 0.5 ? text : mutatedText(random, text)
}

/** Everything that comes back within a short time or until the end. */
const exchanged = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let back = ''
    const over = () => {
      socket.destroy()
      resolve(back)
    }
    socket.setTimeout(300, over)
    socket.on('data', (bytes) => {
      back += bytes.toString('latin1')
    })
    socket.on('error', over)
    socket.on('close', over)
    socket.end(text, 'latin1')
  })

const rawHttp: Fuzzer = {
  name: 'raw HTTP on a socket of the mock',
  goal: 810,
  sample: 60,
  async prepare() {
    const mock = await createMock()
    const { port } = await mock.listen({ requestTimeoutMs: 5_000 })
    return {
      close: () => mock.close(),
      async attempt(random) {
        const back = await exchanged(port, rawRequest(random))
        if (back !== '' && !back.startsWith('HTTP/1.1 ')) return `the answer is no HTTP: ${back.slice(0, 80)}`
        return /x-acs-reason: mock-failure/.test(back) ? `the mock itself failed: ${back}` : isAlive(mock)
      },
    }
  },
}

const chains: Fuzzer = {
  name: 'chains of faults in a header',
  goal: 7_000,
  sample: 150,
  async prepare() {
    const mock = await createMock({ clock: { mode: 'frozen' } })
    const names = mock.faults.faultCatalogue().map(({ name }) => name)
    return {
      close: () => mock.close(),
      async attempt(random) {
        const links = Array.from({ length: 1 + Math.floor(random() ** 3 * 2_000) }, () => {
          const setting =
            random() < 0.5 ? '' : `:${pick(random, ['0', '1', '3', '-1', '1e9', '99999999999', 'x', '', '0.5'])}`
          return pick(random, names) + setting
        })
        const aborted = new AbortController()
        const body = JSON.stringify({
          assistant_id: mock.scenario.tenants[0]?.assistants[0]?.id,
          messages: [{ role: 'user', content: 'x' }],
        })
        const answer = mock.fetch(pick(random, ['/v1/chat/completions/stream', '/v1/chat/completions']), {
          method: 'POST',
          headers: { ...key, 'x-acs-fault': links.join(';') },
          body,
          signal: aborted.signal,
        })
        const read = answer.then((response) => response.text()).catch(() => '')
        for (let step = 0; step < 50 && mock.clock.advanceToNext(); step += 1) await new Promise(setImmediate)
        aborted.abort()
        await read
        return isAlive(mock)
      },
    }
  },
}

const adminPaths = [
  '/worlds',
  '/worlds/a',
  '/worlds/a/clock',
  '/worlds/a/fork',
  '/worlds/a/snapshot',
  '/worlds/a/restore',
  '/worlds/a/reset',
  '/worlds/a/threads',
  '/faults/rules',
  '/worlds/a/journal',
  '/nothing',
  '/worlds/%00/clock',
]
const adminBodies: readonly object[] = [
  { mode: 'stepped', advance_ms: 5 },
  { name: 'b', seed: 5, clock: { mode: 'frozen' } },
  { fault: 'error:api_timeout_error', match: { world: 'a' }, times: 1 },
  { messages: [{ role: 'user', content: 'x', meta_data: {}, sources: [] }], tenant: 'primary' },
  { factor: 2, mode: 'scaled', start_at: '2030-01-01T00:00:00Z' },
]

const chaos: Fuzzer = {
  name: 'hostile requests and admin bodies among faults, clocks, forks and resets',
  goal: 430_000,
  sample: 600,
  async prepare() {
    const mock = await createMock({
      maxWorlds: 50,
      clock: { mode: 'stepped' },
      journal: { entries: 50, bytes: 100_000 },
    })
    const assistants = mock.scenario.tenants.flatMap((tenant) => tenant.assistants.map(({ id }) => id))
    const threads = ['a', 'b'].map((name) => mock.world({ name }).seedThread({}).id)
    let sent = 0
    const admin = async (random: SeededRandom): Promise<string | null> => {
      const method = pick(random, ['POST', 'POST', 'POST', 'DELETE', 'GET', 'PUT'])
      const body = method === 'GET' ? undefined : JSON.stringify(mutatedJson(random, pick(random, adminBodies)))
      const { status } = await mock.fetch(
        `/_acs${pick(random, adminPaths)}`,
        body === undefined ? { method } : { method, body },
      )
      return status >= 200 && status < 504 ? null : `the admin API answers ${status}`
    }
    const data = async (random: SeededRandom): Promise<string | null> => {
      sent += 1
      const { method, target, headers, body } = hostileRequest(Math.floor(random() * 1e9), sent, {
        threads,
        assistants,
        cursors: ['c'],
      })
      if (!URL.canParse(target, 'http://x') || !/^[A-Z]+$/.test(method)) return null
      const aborted = new AbortController()
      const request = {
        method,
        signal: aborted.signal,
        ...(body === null || method === 'GET' || method === 'HEAD' ? null : { body: Buffer.from(body) }),
      }
      const prefix = pick(random, ['', '/w/a', '/w/b', '/w/c'])
      const sendable = Object.entries(headers).filter(
        ([, value]) => /^[\t\x20-\x7e]*$/.test(value) && value.length < 20_000,
      )
      const fault =
        random() < 0.2
          ? {
              'x-acs-fault': pick(random, [
                'reset',
                'stall:50',
                'duplicate-chunk',
                'end-after-chunk:1',
                'truncate',
                'error:api_timeout_error',
              ]),
            }
          : null
      const answer = mock.fetch(prefix + target, { ...request, headers: { ...Object.fromEntries(sendable), ...fault } })
      const reason = answer
        .then(async (response) => [response.headers.get('x-acs-reason'), await response.text()])
        .catch(() => [])
      for (const { clock } of mock.worlds())
        if (clock.mode === 'stepped' || clock.mode === 'frozen') clock.advanceToNext()
      await new Promise(setImmediate)
      aborted.abort()
      const [why] = await reason
      return why === 'mock-failure' ? `the mock itself failed: ${method} ${target.slice(0, 200)}` : null
    }
    return {
      close: () => mock.close(),
      async attempt(random) {
        // State grows with what is stored, on purpose.
        if (random() < 0.002)
          for (const { name } of mock.worlds()) await mock.fetch(`/_acs/worlds/${name}/reset`, { method: 'POST' })
        if (random() < 0.002) mock.faults.clear()
        return (random() < 0.15 ? await admin(random) : await data(random)) ?? (random() < 0.02 ? isAlive(mock) : null)
      },
    }
  },
}

export const mockFuzzers: readonly Fuzzer[] = [rawHttp, chains, chaos]
