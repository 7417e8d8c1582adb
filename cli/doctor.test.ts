/** Tests what acs doctor says of a target: which lines, which exit code, and that it pays for nothing unasked. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { acs } from '../test/acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const environment = { ACS_API_KEY: 'key-of-the-doctor' }

const assistant = (id: string) => ({ id, name: 'Clerk', streaming: false, request_required_fields: {} })
const ids = ['36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001', '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0002'] as const

interface Service {
  readonly assistants?: unknown
  readonly created?: { readonly status: number; readonly body: unknown }
  /** Messages in every thread. */
  readonly messages?: readonly unknown[]
  /** The assistant that fails. */
  readonly broken?: string
  readonly dateMs?: number
}

/** A small service, and the requests that it got. */
const serve = async ({ assistants = ids.map(assistant), created, messages = [], broken, dateMs }: Service = {}) => {
  const seen: string[] = []
  const answer: RequestListener = async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    seen.push(`${request.method} ${request.url}`)
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (dateMs !== undefined) response.setHeader('date', new Date(dateMs).toUTCString())
    if (request.url?.startsWith('/v1/v1/')) send(404, { detail: 'Not Found' })
    else if (request.url === '/v1/assistants') send(200, assistants)
    else if (request.url?.startsWith('/v1/assistants/')) send(404, { error_code: 'resource_not_found', detail: 'no' })
    else if (request.url === '/v1/threads') send(created?.status ?? 200, created?.body ?? { id: 't-1' })
    else if (request.url?.endsWith('/messages')) send(200, { items: messages, cursor: null })
    else if (broken !== undefined && body.includes(broken)) send(503, { error_code: 'api_unavailable', detail: 'down' })
    else send(200, { message: { role: 'assistant', content: 'hello' } })
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, seen, [Symbol.asyncDispose]: async () => void server.close() }
}

const threads = 'threads: { kind: http, method: POST, path: /v1/threads, pointer: /id }\n'
const examine = (url: string, more: string, ...options: readonly string[]) => {
  const file = join(folder, 'target.yaml')
  writeFileSync(file, `baseUrl: ${url}\ntenants: { primary: { key: "\${ACS_API_KEY}" } }\n${more}`)
  return acs(['doctor', '--target', file, ...options], environment)
}

test('a sound target gets a tick for everything that was examined, and no model call is paid for', async () => {
  await using service = await serve()
  const { code, out } = await examine(service.url, `claims: [core, threads]\n${threads}`)
  expect(code).toBe(0)
  expect(out.split('\n').slice(0, 6)).toEqual([
    '✓ keys        primary: works',
    "✓ clock       the target's clock agrees with this machine's",
    '✓ assistants  the tenant primary has 2, of which 0 stream',
    '✓ threads     one was created, and it is empty',
    '! threads     runBody has no {{assistant_id}}, so that runs for an unknown, a foreign or another assistant are not tested',
    '- assistants  not asked; --model-calls asks each of them once',
  ])
  expect(service.seen.filter((line) => line.includes('completions'))).toEqual([])
})

test('it ends with the run that was examined, as the command line named it', async () => {
  await using service = await serve()
  const { out } = await examine(service.url, 'claims: [core]\n')
  expect(out).toMatch(/\nready: acs test --target \S+target\.yaml\n$/)
  const file = join(folder, 'two words.yaml')
  writeFileSync(file, readFileSync(join(folder, 'target.yaml')))
  const named = await acs(['doctor', service.url, '--target', file], environment)
  expect(named.out).toContain(`\nready: acs test ${service.url} --target '${file}'\n`)
  const builtIn = await acs(['doctor'], environment)
  expect(builtIn.out).toMatch(/\nready: acs test\n$/)
})

test('what a run would leave out is counted, with the reason', async () => {
  await using service = await serve()
  const { out } = await examine(service.url, 'claims: [core, tenancy]\n')
  expect(out).toMatch(
    /skips [1-9]\d* of \d+ required obligations\n(?:.*\n)* +\d+ {2}The profile has no tenant secondary\.\n/,
  )
})

test('an assistant that fails is named, and only when all fail a run is pointless', async () => {
  await using service = await serve({ broken: ids[1] })
  const some = await examine(service.url, '', '--model-calls')
  expect(some.code).toBe(0)
  expect(some.out).toContain(
    `✓ assistants  ${ids[0]} answers\n! assistants  ${ids[1]} does not answer (status 503, api_unavailable)`,
  )
  await using down = await serve({ broken: '36ede3ed' })
  const none = await examine(down.url, '', '--model-calls')
  expect(none.code).toBe(3)
  expect(none.out).toContain('× assistants  no assistant answers\n')
})

test('no more assistants are asked than the budget pays for', async () => {
  await using service = await serve()
  const { out } = await examine(service.url, 'budget: { maxModelCalls: 1 }\n', '--model-calls')
  expect(out).toContain('! assistants  not all were checked, because the budget is spent\n')
  expect(service.seen.filter((line) => line.includes('completions'))).toHaveLength(1)
})

test.each([
  ['a list without assistants', { assistants: [] }, 'claims: [core]\n', '× assistants  the tenant primary has none'],
  [
    'a source that creates no thread',
    { created: { status: 500, body: {} } },
    threads,
    '× threads     The target did not create a thread (status 500).',
  ],
  ['a source without an id', { created: { status: 200, body: {} } }, threads, 'has no string at /id'],
  [
    'no source of threads',
    {},
    'claims: [core, threads]\n',
    '× profile     claims: threads is claimed, but the profile names no source of threads',
  ],
  [
    'no mapping of tools',
    {},
    'claims: [core, tools]\n',
    '× profile     claims: tools is claimed, but the profile does not describe tool calls',
  ],
])('%s ends with exit code 3', async (_, service, more, line) => {
  await using target = await serve(service)
  const { code, out } = await examine(target.url, more)
  expect(code).toBe(3)
  expect(out).toContain(line)
})

test('an assistant that the profile names and the target does not have ends with exit code 3', async () => {
  await using service = await serve()
  const { code, out } = await examine(service.url, 'assistants: { avoid: [Nobody] }\n')
  expect(code).toBe(3)
  expect(out).toContain('× profile     assistants.avoid: it names Nobody, but the primary tenant has no such assistant')
})

test('static threads that hold messages are counted', async () => {
  await using service = await serve({ messages: [{}] })
  const list = ids.map((id) => `{ id: ${id}, tenant: primary, holds: empty }`).join(', ')
  const { code, out } = await examine(service.url, `threads: { kind: static, threads: [${list}] }\n`)
  expect(code).toBe(0)
  expect(out).toContain(
    '! threads     of 2 threads in the profile, 0 are empty, 2 contain messages although the profile says empty',
  )
})

test('a clock that is wrong is a warning and no more', async () => {
  await using service = await serve({ dateMs: Date.now() - 3_600_000 })
  const { code, out } = await examine(service.url, '')
  expect(code).toBe(0)
  expect(out).toMatch(/! clock {7}the target's clock is 3(?:59\d|60\d) s behind this machine's/)
})

test('a target that cannot be reached ends with exit code 3', async () => {
  const { code, out } = await examine('http://127.0.0.1:1', '')
  expect(code).toBe(3)
  expect(out).toContain('× assistants  http://127.0.0.1:1 cannot be reached')
})

test.each(['doctor', 'init'])('%s names the base URL that was meant when /v1 is one too many', async (command) => {
  await using service = await serve()
  const file = join(folder, 'target.yaml')
  writeFileSync(file, `baseUrl: ${service.url}/v1\ntenants: { primary: { key: "\${ACS_API_KEY}" } }\n`)
  const named = command === 'init' ? [`${service.url}/v1`, '--out', join(folder, 'meant.yaml')] : ['--target', file]
  const { code, err } = await acs([command, ...named], environment)
  expect(code).toBe(3)
  expect(err).toContain(`no ACS service at ${service.url}/v1 (`)
  expect(err).toContain(`so nothing was judged; did you mean ${service.url}?\n`)
})

const mapping = { callIds: '/tool_calls/*/id', resultField: 'tool_call_id' }
const status = { path: '/v1/file/{file_id}/status', pointer: '/status', complete: ['done'] }

test('what nothing was sent for gets no tick', async () => {
  await using service = await serve()
  const files = { status, attachment: { file_ids: ['{{file_id}}'] } }
  const more = `claims: [core, files]\ntools: ${JSON.stringify(mapping)}\nfiles: ${JSON.stringify(files)}\n`
  const { code, out } = await examine(service.url, more)
  expect(code).toBe(0)
  expect(out.split('\n').filter((line) => /^. (?:tools|files) /.test(line))).toEqual([
    '- tools       not checked: call ids at /tool_calls/*/id, results refer to them in tool_call_id',
    '- files       not checked: status at /v1/file/{file_id}/status, /status',
    '- files       not checked: messages carry them in file_ids',
  ])
})

test('the last line counts the warnings', async () => {
  await using service = await serve()
  const unfilled = `assistants: { ${ids[0]}: { body: { licence: fill in } } }\n`
  const { out } = await examine(service.url, `claims: [core]\n${unfilled}`)
  expect(out).toMatch(/\nready, with 1 warning: acs test --target /)
  const two = await examine(service.url, `claims: [core, threads]\n${threads}${unfilled}`)
  expect(two.out).toMatch(/\nready, with 2 warnings: acs test --target /)
})

test('a profile that contradicts itself: acs doctor asks and exits with 3, acs test asks nothing and exits with 78', async () => {
  await using service = await serve()
  const tools = { ...mapping, callIds: '/calls/*/id', assistantMessage: { tool_calls: [{ id: '{{tool_call_id}}' }] } }
  const { code, out } = await examine(service.url, `claims: [core]\ntools: ${JSON.stringify(tools)}\n`)
  expect(code).toBe(3)
  expect(out).toContain('× profile     tools.callIds: /calls/*/id finds no id')
  const asked = service.seen.length
  const argv = ['test', '--target', join(folder, 'target.yaml'), '--out', join(folder, 'report')]
  expect((await acs(argv, environment)).code).toBe(78)
  expect(service.seen).toHaveLength(asked)
})

test('a value that acs init left to fill in is a warning', async () => {
  await using service = await serve()
  const { code, out } = await examine(service.url, `assistants: { ${ids[0]}: { body: { licence: fill in } } }\n`)
  expect(code).toBe(0)
  expect(out).toContain(`! profile     assistants: ${ids[0]}: a value is still "fill in"`)
})

test('without a target the built-in mock is examined', async () => {
  const { code, out, err } = await acs(['doctor'])
  expect(code).toBe(0)
  expect(err).toMatch(/^Checking the built-in mock on http/)
  expect(out).toContain('skips 0 of')
})
