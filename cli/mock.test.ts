/** `acs mock` as a person meets it: what it prints, logs and refuses. */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMock, defaultScenario, loadScenario } from '../mock-server/index.ts'
import { acs } from '../test/acs-in-process.ts'
import { main } from './app.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-mock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('the scenario that is printed is the one that is played', async () => {
  const { code, out } = await acs(['mock', '--print-scenario'])
  expect(code).toBe(0)
  expect(await loadScenario(out, { file: 'printed' })).toEqual(defaultScenario)
  const own = await acs(['mock', '--print-scenario', '--scenario', file('own.yaml', out)])
  expect(own.out).toBe(out)
})

test('a scenario in UTF-16 is read if its byte order mark says so, and is refused as such without one', async () => {
  const { out } = await acs(['mock', '--print-scenario'])
  const little = Buffer.from(`\ufeff${out}`, 'utf16le')
  for (const [name, bytes] of [
    ['little.yaml', little],
    ['big.yaml', Buffer.from(little).swap16()],
  ] as const) {
    writeFileSync(join(folder, name), bytes)
    expect(await acs(['mock', '--print-scenario', '--scenario', join(folder, name)])).toMatchObject({ code: 0, out })
  }
  writeFileSync(join(folder, 'unmarked.yaml'), little.subarray(2))
  const { code, err } = await acs(['mock', '--scenario', join(folder, 'unmarked.yaml')])
  expect(code).toBe(65)
  expect(err).toMatch(/^acs: .*unmarked\.yaml:1:1: not UTF-8 .*; save it as UTF-8\n$/)
})

test.each([
  ['a scenario that is no YAML', ['--scenario', file('bad.yaml', 'name: [x\n')], 65, /bad\.yaml:/],
  ['a scenario that is not there', ['--scenario', '/nowhere.yaml'], 66, /the file does not exist/],
  ['a clock that is none', ['--clock', 'slow'], 64, /Use real, frozen, stepped, or x10/],
  ['a fault that is none', ['--fault', 'stal', '--port', '0'], 64, /--fault: no fault .* did you mean "stall"\?/],
  ['a fault like none', ['--fault', 'error_in_stream', '--port', '0'], 64, /`acs list faults` shows them$/m],
  ['a fault without a name', ['--fault', '', '--port', '0'], 64, /a fault needs a name; `acs list faults`/],
  [
    'a fault of no operation',
    ['--fault', 'stall:operation=runTread'],
    64,
    /--fault: no operation .* did you mean "runThread"\?/,
  ],
  ['a deviation like none', ['--deviate', 'foo', '--port', '0'], 64, /unknown id; see acs list deviations/],
  ['a state directory that cannot be', ['--state', '/dev/null/x'], 73, /choose another directory with --state/],
  [
    'a state directory that is a file',
    ['--state', file('st.json', '{}')],
    73,
    /st\.json is a file, and --state takes a directory; for the state in a file, use --import .*st\.json$/m,
  ],
  ['a state directory without a name', ['--state', ''], 73, /choose another directory with --state/],
  ['a state directory in a place that takes none', ['--state', '/proc/nope/x'], 73, /cannot be made: ENOENT/],
  ['a clock that no timer can keep', ['--clock', 'x0.0000001'], 64, /from x0\.001 to x1000000/],
  ['a state file that is not there', ['--import', '/nowhere.json'], 66, /the file does not exist/],
  ['a state file that is no JSON', ['--import', file('no.json', '{')], 65, /no\.json: .*JSON/],
  [
    'a state file without worlds',
    ['--import', file('w.json', '{"format":"acs-mock-state/1"}')],
    65,
    /worlds must be a list/,
  ],
  ['an export that cannot be', ['--export', '/nowhere/x.json'], 73, /cannot be written/],
  [
    'a target that the mock cannot be',
    [
      '--target',
      file(
        't.yaml',
        'baseUrl: https://${HOST}/x\ntenants: { primary: { key: "${KEY}" } }\ndeclares: { pagination.end-signal: none }\n',
      ),
    ],
    78,
    /t\.yaml:3:36: declares\.pagination\.end-signal has the answer "none", which is not one of its answers; use "null", "absent"/,
  ],
  [
    'a target that is none',
    ['--target', file('none.target.yaml', 'tenants: { primary: { key: k } }\n')],
    78,
    /lacks the field "baseUrl"/,
  ],
  [
    'a recording that is none',
    ['--from', file('no.ndjson', '{}\n')],
    65,
    /no\.ndjson: not a readable trace .*: line 1: /,
  ],
  ['a recording that is not there', ['--from', '/nowhere.ndjson'], 66, /the file does not exist/],
  ['a certificate without its key', ['--tls-cert', '/x.pem'], 64, /--tls-cert and --tls-key must be given together/],
  [
    'a certificate that is none',
    ['--tls-cert', file('c.pem', 'x'), '--tls-key', file('k.pem', 'x')],
    65,
    /c\.pem and .*k\.pem are not a certificate and its key/,
  ],
  ['admin pages without an origin', ['--admin-cors'], 64, /--admin-cors needs --cors-origin/],
  ['a token of a variable that is not set', ['--admin-token', ''], 64, /Use visible ASCII characters/],
  ['an origin with a path', ['--cors-origin', 'http://a.example/app'], 64, /Use an origin such as/],
])('%s is refused in one line', async (_name, options, exitCode, line) => {
  const { code, err } = await acs(['mock', ...options])
  expect([code, err.trimEnd().split('\n').length]).toEqual([exitCode, 1])
  expect(err).toMatch(line)
})

test('a state directory that is in use is refused in one line', async () => {
  const stateDir = join(folder, 'state')
  await using _holder = await createMock({ stateDir })
  const { code, err } = await acs(['mock', '--state', stateDir])
  expect([code, err]).toEqual([
    69,
    `acs: state: ${stateDir} is in use by another mock; choose another directory with --state\n`,
  ])
})

/** Runs `acs mock` while `use` uses it, then ends it; gives what it printed. */
async function running(
  options: readonly string[],
  use: (url: string, printed: (text: string) => Promise<string>) => Promise<void>,
) {
  const stop = new AbortController()
  const banner = new EventTarget()
  const up = new Promise((resolve) => banner.addEventListener('printed', resolve))
  const printed = { out: '', err: '' }
  const ended = main(['mock', '--port', '0', ...options], {
    out: (text) => {
      printed.out += text
      banner.dispatchEvent(new Event('printed'))
    },
    err: (text) => {
      printed.err += text
      banner.dispatchEvent(new Event('complained'))
    },
    errIsTty: false,
    endsAtOnce: (work) => work(),
    outColor: false,
    errColor: false,
    environment: {},
    interrupted: stop.signal,
  })
  const complaint = async (text: string): Promise<string> => {
    while (!printed.err.includes(text)) await new Promise((then) => banner.addEventListener('complained', then))
    return printed.err
  }
  const first = await Promise.race([up, ended])
  if (typeof first === 'number') return { ...printed, code: first }
  await use(/https?:\S+/.exec(printed.out)?.[0] ?? '', complaint)
  stop.abort()
  const code = await ended
  return { ...printed, code }
}

test('what --export wrote is there again with --import, the seed included, and the file stays the same', async () => {
  const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')]
  const headers = { 'api-key': 'acs-demo-primary' }
  let page = ''
  const options = ['--seed', '9', '--clock', 'frozen']
  const written = await running([...options, '--export', first], async (url) => {
    const made = await fetch(`${url}/v1/threads`, { method: 'POST', headers })
    const thread = (await made.json()) as { readonly id: string }
    const body = '{"role":"user","content":"Hello"}'
    await fetch(`${url}/v1/threads/${thread.id}/messages`, { method: 'POST', headers, body })
    await fetch(`${url}/w/other/v1/threads`, { method: 'POST', headers })
    page = `/v1/threads/${thread.id}/messages`
  })
  expect([written.code, written.err]).toEqual([0, ''])
  const read = await running(['--import', first, '--export', second], async (url) => {
    expect(await (await fetch(url + page, { headers })).json()).toMatchObject({ items: [{ content: 'Hello' }] })
  })
  expect([read.code, read.err]).toEqual([0, ''])
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'))
  const clash = await running(['--import', first, '--seed', '1'], async () => {})
  expect([clash.code, clash.err]).toEqual([65, expect.stringContaining('start with the seed 9')])
})

test('what a state directory keeps, and what an import takes from it, is told', async () => {
  const [stateDir, first] = [join(folder, 'kept'), join(folder, 'kept.json')]
  const headers = { 'api-key': 'acs-demo-primary' }
  const add = async (url: string) => void (await fetch(`${url}/v1/threads`, { method: 'POST', headers }))
  const options = ['--state', stateDir, '--clock', 'frozen']
  expect((await running([...options, '--export', first], add)).err).toBe('')
  expect((await running([...options, '--import', first], async () => {})).err).toBe('')
  expect((await running([...options, '--seed', '9'], add)).err).toBe(
    `acs: the default world in ${stateDir} keeps its seed 1; --seed 9 applies to new worlds only\n`,
  )
  expect((await running([...options, '--import', first], async () => {})).err).toBe(
    `acs: --import replaces these worlds in ${stateDir}: default; leave it out to keep what is stored\n`,
  )
  expect((await running(['--state', join(folder, 'new'), '--import', first], async () => {})).err).toBe('')
})

test('with --log every exchange is one line on stderr, without a key in it', async () => {
  const { code, err } = await running(['--log', '--clock', 'frozen', '--fault', 'stall:ms=5'], async (url) => {
    await fetch(`${url}/v1/assistants?key=acs-demo-primary`, { headers: { 'api-key': 'acs-demo-primary' } })
    await fetch(`${url}/v1/nowhere`, { headers: { 'api-key': 'acs-demo-primary' } })
  })
  expect(code).toBe(0)
  const lines = err.trimEnd().split('\n')
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}default {2}primary {2}GET {2}\/v1\/assistants\?key=\w{16} {2}200 {2}0\.0ms {2}fault stall:ms=5 applied$/,
  )
  expect(lines[1]).toContain('404  0.0ms  unknown-route  fault stall:ms=5 applied')
  expect(err).not.toContain('acs-demo')
})

test('with --log an upload tells its tenant and no signature, and broken HTTP has a line as well', async () => {
  const { err } = await running(['--log'], async (url) => {
    const headers = { 'api-key': 'acs-demo-primary', 'user-id': 'ann' }
    const grant = await fetch(`${url}/v1/files/signed-url?filename=a.txt`, { headers })
    const { file_url } = (await grant.json()) as { readonly file_url: string }
    await fetch(file_url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1').resume()
    socket.write('HELLO\r\n\r\n')
    await once(socket, 'close')
  })
  expect(err).toMatch(/ {2}primary {2}PUT {2}\/v1\/uploads\/\S+&signature=\(redacted\) {2}200 /)
  expect(err).toMatch(/Z {2}- {2}- {2}HPE_INVALID_METHOD {2}400 {2}malformed-http\n/)
})

test('with --log a key that a scenario of the admin API brought does not show either', async () => {
  const key = 'brought-by-the-admin-api'
  const { err } = await running(['--log'], async (url) => {
    const { yaml } = (await (await fetch(`${url}/_acs/scenario`)).json()) as { readonly yaml: string }
    const body = JSON.stringify({ yaml: yaml.replaceAll('acs-demo-primary', key), apply: true })
    expect(await (await fetch(`${url}/_acs/scenario`, { method: 'POST', body })).json()).toMatchObject({
      applied: true,
    })
    await fetch(`${url}/v1/assistants?note=${key}`, { headers: { 'api-key': key } })
  })
  expect(err).toMatch(/primary {2}GET {2}\/v1\/assistants\?note=\w+ {2}200/)
  expect(err).not.toContain(key)
})

test('an end that waits for an open stream says for what, and how long', async () => {
  const streams: Promise<unknown>[] = []
  const { code, err } = await running(['--clock', 'stepped'], async (url) => {
    const headers = { 'api-key': 'acs-demo-primary' }
    const found = (await (await fetch(`${url}/v1/assistants`, { headers })).json()) as { id: string; name: string }[]
    const assistant_id = found.find(({ name }) => name === 'Slow echo')?.id
    const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'x' }] })
    const stream = await fetch(`${url}/v1/chat/completions/stream`, { method: 'POST', headers, body })
    streams.push(stream.text().catch(() => null))
  })
  await Promise.all(streams)
  expect([code, err]).toEqual([0, 'acs: waiting up to 1 s for 1 open connection; Ctrl-C again ends now\n'])
})

test('each --cors-origin that is given may call', async () => {
  const named = ['http://localhost:5173', 'http://localhost:6006']
  await running(
    named.flatMap((origin) => ['--cors-origin', origin]),
    async (url) => {
      for (const origin of named) {
        const { headers } = await fetch(`${url}/healthz`, { headers: { origin } })
        expect(headers.get('access-control-allow-origin')).toBe(origin)
      }
    },
  )
})

test('every problem of a scenario is told, a line each', async () => {
  const { code, err } = await acs(['mock', '--scenario', file('none.yaml', 'name: x\n')])
  expect(code).toBe(65)
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/none\.yaml:1:1: the scenario lacks the field "tenants"/),
    expect.stringMatching(/none\.yaml:1:1: the scenario lacks the field "assistants"/),
  ])
})

const shop = (answer: string): string => `name: shop
tenants: [{ name: primary, keys: [{ key: shop-key }], assistants: [Clerk] }]
assistants:
  - name: Clerk
    streaming: true
    meta_data_response_schema: { title: Clerk, type: object, properties: {} }
    turns: [{ answer: ${answer} }]
`

test('an expression of the scenario that takes too long is told on stderr, once', async () => {
  const slow = shop('x').replace('{ answer:', '{ when: { user_matches: "(a+)+$" }, answer:')
  const { err } = await running(['--scenario', file('slow.yaml', slow)], async (url) => {
    const headers = { 'api-key': 'shop-key' }
    const [assistant] = (await (await fetch(`${url}/v1/assistants`, { headers })).json()) as readonly { id: string }[]
    const messages = [{ role: 'user', content: `${'a'.repeat(50)}!` }]
    const body = JSON.stringify({ assistant_id: assistant?.id, messages })
    const ask = () => fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect([(await ask()).status, (await ask()).headers.get('x-acs-reason')]).toEqual([503, 'scenario-failure'])
  })
  expect(err).toBe(
    'acs: the scenario failed: assistant "Clerk", turn 1: the expression (a+)+$ took more than 250 ms; make it simpler\n',
  )
})

test('a scenario file is played anew when it changes, and a broken one leaves the old one in place', async () => {
  const path = file('live.yaml', shop('one'))
  const headers = { 'api-key': 'shop-key' }
  const told: string[] = []
  await running(['--scenario', path, '--clock', 'frozen'], async (url, printed) => {
    const [assistant] = (await (await fetch(`${url}/v1/assistants`, { headers })).json()) as readonly { id: string }[]
    const body = JSON.stringify({ assistant_id: assistant?.id, messages: [{ role: 'user', content: 'x' }] })
    const said = async () => {
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
      return ((await answer.json()) as { content: string }).content
    }
    expect(await said()).toBe('one')
    writeFileSync(path, shop('two'))
    await printed('is now active')
    expect(await said()).toBe('two')
    writeFileSync(path, shop('three').replace('streaming: true', 'streming: true'))
    told.push(await printed('the previous scenario stays active\n'))
    expect(await said()).toBe('two')
  })
  expect(told[0]).toMatch(/live\.yaml:5:5: assistants\[0\]\.streming is unknown/)
})

test('with --target the mock speaks as the servers of a vendor do', async () => {
  const target = join(import.meta.dirname, '..', 'test', 'servers', 'juniper', 'acs.target.yaml')
  const { code } = await running(['--target', target, '--clock', 'frozen'], async (url) => {
    const headers = { 'api-key': 'acs-demo-primary' }
    const thread = (await (await fetch(`${url}/v1/threads`, { method: 'POST', headers })).json()) as { id: string }
    const calls = [{ tool_call_id: 'c', tool_name: 'read_case_file', arguments: { case: 7 } }]
    const body = JSON.stringify({ role: 'assistant', content: 'x', tool_calls: calls })
    const said = await fetch(`${url}/v1/threads/${thread.id}/messages`, { method: 'POST', headers, body })
    expect(await said.json()).toMatchObject({ tool_calls: calls })
  })
  expect(code).toBe(0)
})

test('with --from a recorded session is played, what it breaks is told, and a new question is answered', async () => {
  await using recorded = await createMock({ deviations: ['resources.created-stamp-null'] })
  const headers = { 'api-key': 'acs-demo-primary' }
  const send = async (fetch: (path: string, init: RequestInit) => Promise<Response>, path: string, body?: string) =>
    (
      await fetch(path, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body === undefined ? {} : { body }),
      })
    ).text()
  const thread = JSON.parse(await send(recorded.fetch, '/v1/threads', '{}')).id
  const page = `/v1/threads/${thread}/messages`
  const steps = [[page, '{"role":"user","content":"Hello"}'], [`/v1/threads/${thread}/run`, '{}'], [page]] as const
  const answers: string[] = []
  for (const [path, body] of steps) answers.push(await send(recorded.fetch, path, body))
  const trace = file('session.ndjson', recorded.journal.export('trace'))
  const { code, err } = await running(['--from', trace, '--clock', 'frozen'], async (url) => {
    const here = (path: string, init: RequestInit) => fetch(url + path, init)
    for (const [index, [path, body]] of steps.entries()) expect(await send(here, path, body)).toBe(answers[index])
    await send(here, page, '{"role":"user","content":"Hello, again"}')
    const answer = JSON.parse(await send(here, `/v1/threads/${thread}/run`, '{"x":1}'))
    expect(answer.content).toBe('There is no recorded answer to: Hello, again')
  })
  expect(code).toBe(0)
  expect(err).toMatch(/the recorded service violates resources\./)
})
