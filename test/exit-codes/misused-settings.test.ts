/** Tests settings that are well formed and misused: none looks like a verdict about a sound service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { acs } from '../acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-misused-'))
const unknownId = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001'
let mock: Mock
let url = ''
/** Gives what the first segment of every path says. */
const site = createServer(({ url: asked = '' }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(decodeURIComponent(asked.split('/')[1] ?? ''))
})
let siteUrl = ''

beforeAll(async () => {
  mock = await createMock({ seed: 1 })
  url = (await mock.listen({ port: 0, host: '127.0.0.1' })).url
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.close()
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

const environment = { ACS_API_KEY: 'acs-demo-primary' }

const run = (more: string, tenants = '', base = url): readonly string[] => {
  const file = join(folder, 'target.yaml')
  writeFileSync(file, `baseUrl: ${base}\ntenants:\n  primary: { key: "\${ACS_API_KEY}" }\n${tenants}${more}`)
  return ['test', '--target', file, '--tier', 'smoke', '--out', join(folder, 'out')]
}
const httpThreads = (path: string, pointer: string): string =>
  `claims: [core, threads]\nthreads: { kind: http, method: POST, path: ${path}, pointer: ${pointer}, body: { assistant_id: "{{assistant_id}}" } }\n`

test.each<readonly [string, number, RegExp, () => readonly string[]]>([
  [
    'the messages of every completion',
    78,
    /assistants\.\*\.body\.messages is a field that the suite writes itself/,
    () => run('assistants: { "*": { body: { messages: [{ role: user, content: hi }] } } }\n'),
  ],
  [
    'another assistant in every completion',
    78,
    /assistants\.\*\.body\.assistant_id is a field that the suite/,
    () => run(`assistants: { "*": { body: { assistant_id: ${unknownId} } } }\n`),
  ],
  ['every assistant fails', 78, /leaves no assistant/, () => run('assistants: { "*": { unavailable: true } }\n')],
  ['a silence of 1 ms', 78, /budget\.timeoutMs must be >= 100/, () => run('budget: { timeoutMs: 1 }\n')],
  ['a silence of a model of 1 ms', 78, /timeouts\.modelMs must be >= 100/, () => run('timeouts: { modelMs: 1 }\n')],
  ['a run of 1 ms', 78, /budget\.totalMs must be >= 1000/, () => run('budget: { totalMs: 1 }\n')],
  ['the same beside it', 78, /timeouts\.totalMs must be >= 1000/, () => run('timeouts: { totalMs: 1 }\n')],
  [
    'a provoking key that is a good one',
    78,
    /provoke\.tenant_not_found\.key is the key of a tenant/,
    () => run('provoke: { tenant_not_found: { key: "${ACS_API_KEY}" } }\n'),
  ],
  [
    'a provoking assistant that does not exist',
    3,
    /provoke\.api_timeout_error: it names 36ede3ed/,
    () => run(`provoke: { api_timeout_error: { assistant: ${unknownId} } }\n`),
  ],
  [
    'a run body with an assistant that does not exist',
    3,
    /runBody: it names 36ede3ed/,
    () => run(`${httpThreads('/v1/threads', '/id')}runBody: { assistant_id: ${unknownId} }\n`),
  ],
  [
    'results in the content of messages',
    78,
    /tools\.resultField is a field that every message has/,
    () => run('tools: { callIds: /tool_calls/*/id, resultField: content }\n'),
  ],
  [
    'the list of assistants as a source of threads',
    78,
    /threads\.path is an operation of the contract/,
    () => run(httpThreads('/v1/assistants', '/0/id')),
  ],
  [
    'a pointer to the id of the assistant',
    3,
    /threads\.pointer: \/assistant_id finds .*, which is the id of an assistant/,
    () => run(httpThreads('/v1/threads', '/assistant_id')),
  ],
  [
    'assistants to use that are to be avoided',
    3,
    /assistants\.avoid: it names every assistant of assistants\.use/,
    () => run('assistants: { use: [Echo], avoid: [Echo] }\n'),
  ],
  ['any host for uploads', 78, /uploadHosts\[0\] does not have the right form/, () => run('uploadHosts: ["*"]\n')],
  ['a run body that is a text', 78, /runBody must be an object/, () => run('runBody: hello\n')],
  ['a run body that is a list', 78, /runBody must be an object/, () => run('runBody: []\n')],
  [
    'a pointer in the place of a field',
    78,
    /tools\.resultField does not have the right form; Name of the field of a tool message/,
    () => run('tools: { callIds: /tool_calls/*/id, resultField: /tool_call_id }\n'),
  ],
  ...['', '[]', '{"ok":true}'].map((content): readonly [string, number, RegExp, () => readonly string[]] => [
    `a site that answers every path with "${content}"`,
    3,
    /no ACS service at .* both return 200 and the same content/,
    () => run('', '', `${siteUrl}/${encodeURIComponent(content)}`),
  ]),
  [
    'a quota without a key',
    78,
    /throttle: it gives the quota of a key that the profile does not have, .*add tenants\.throttled/,
    () => run('throttle: { requests: 10 }\n'),
  ],
  [
    'a key with a quota that is not told',
    78,
    /tenants\.throttled: the quota of the key is not given, .*add throttle\.requests/,
    () => run('', '  throttled: { key: acs-demo-throttled }\n'),
  ],
  [
    'a folder for keys that does not exist',
    73,
    /none\/signing\.key: cannot be written/,
    () => ['keygen', '--out', join(folder, 'none', 'signing')],
  ],
  [
    'a port that is taken',
    69,
    /cannot listen on .*: the port is in use/,
    () => ['watch', '--upstream', url, '--port', new URL(url).port, '--out', join(folder, 'watched')],
  ],
  [
    'a folder for a recording that is a file',
    73,
    /taken: cannot be written/,
    () => {
      writeFileSync(join(folder, 'taken'), '')
      return ['watch', '--upstream', url, '--out', join(folder, 'taken')]
    },
  ],
])('%s ends with %i, and the cause is the first line', async (_, exitCode, says, argv) => {
  const { code, err } = await acs(argv(), environment)
  expect([code, err.split('\n')[0]], err).toEqual([exitCode, expect.stringMatching(says)])
  expect(err).not.toMatch(/\n\s+at |a fault of acs itself/)
})

test('a limit of bodies that cuts the answers is named, and the run is no verdict', async () => {
  const { code, out, err } = await acs(run('budget: { maxBodyBytes: 1024 }\n'), environment)
  expect([code, err.split('\n').find((line) => line.startsWith('acs: '))], out).toEqual([
    3,
    expect.stringMatching(/^acs: .*budget\.maxBodyBytes: .* larger than 1024 bytes/),
  ])
})

test.each([1, 2])('a quota that is larger than the profile says accuses nobody: %i', async (requests) => {
  const more = `throttle: { requests: ${requests} }\n`
  const argv = run(more, '  throttled: { key: acs-demo-throttled }\n')
  const { code, out } = await acs([...argv, '--tier', 'gate', '--only', 'errors.rate-limit'], environment)
  expect([code, out]).toEqual([expect.toBeOneOf([0, 3]), expect.not.stringMatching(/^×/m)])
})

test('a budget that the check of the keys uses up is named', async () => {
  const { code, err } = await acs(run('budget: { maxExchanges: 1 }\n'), environment)
  const first = err.split('\n').find((line) => line.startsWith('acs: '))
  expect([code, first]).toEqual([3, 'acs: the run is invalid: nothing was sent: the budget leaves no request'])
})
