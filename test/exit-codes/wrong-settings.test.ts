/** Tests that no wrong setting looks like a verdict, and that its cause comes first. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { generateSigningKeys } from '../../reports/index.ts'
import { acs } from '../acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-settings-'))
const place = (name: string): string => join(folder, name)
const out = place('out')
const primary = 'acs-demo-primary'
const secondary = 'acs-demo-secondary'
const keys = { ACS_API_KEY: primary, ACS_SECONDARY_API_KEY: secondary }

let mock: Mock
let url = ''
/** A site that is no such service: every path gives the same page. */
const website = createServer((_, response) => void response.writeHead(404).end('<html>no such page</html>'))
let siteUrl = ''

beforeAll(async () => {
  mock = await createMock({ seed: 1 })
  url = (await mock.listen({ port: 0, host: '127.0.0.1' })).url
  await new Promise<void>((resolve) => void website.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(website.address() as AddressInfo).port}`
  const [own = [], other = []] = await Promise.all([primary, secondary].map(assistantsOf))
  ownAssistant = own.find((id) => !other.includes(id)) ?? ''
  writeFileSync(place('a-file'), '')
  mkdirSync(place('a-folder'))
  const made = await acs(['test', '--tier', 'smoke', '--only', 'auth.*', '--seed', '1', '--out', place('good')])
  if (made.code >= 3) throw new Error(made.err)
})
afterAll(async () => {
  website.close()
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

const assistantsOf = async (tenantKey: string): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/v1/assistants`, { headers: { 'api-key': tenantKey } })
  return ((await answer.json()) as readonly { readonly id: string }[]).map(({ id }) => id)
}

/** Writes a file below the folder and gives its path. */
const file = (name: string, text: string): string => {
  writeFileSync(place(name), text)
  return place(name)
}

interface ProfileParts {
  readonly baseUrl?: string
  readonly first?: string
  readonly second?: string
  readonly more?: string
}

const key = '"${ACS_API_KEY}"'
const profile = ({ baseUrl = url, first = key, second, more = '' }: ProfileParts): string => {
  const other = second === undefined ? '' : `  secondary: { key: ${second} }\n`
  return file('target.yaml', `baseUrl: ${baseUrl}\ntenants:\n  primary: { key: ${first} }\n${other}${more}`)
}

const run = (parts: ProfileParts, ...more: readonly string[]): readonly string[] => [
  'test',
  '--target',
  profile(parts),
  '--tier',
  'smoke',
  '--out',
  out,
  ...more,
]

const good = (name: string): string => readFileSync(place(`good/${name}`), 'utf8')
const second = '"${ACS_SECONDARY_API_KEY}"'

interface Case {
  readonly says: RegExp
  readonly argv: () => readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const keyCases: Readonly<Record<string, Case>> = {
  'no key for a URL': {
    says: /no key for .*; export ACS_API_KEY/,
    argv: () => ['test', siteUrl, '--out', out],
    environment: {},
  },
  'an empty key for a mock': {
    says: /no key for .*; export ACS_API_KEY/,
    argv: () => ['test', url, '--out', out],
    environment: { ACS_API_KEY: '' },
  },
  'a key variable that is not set': {
    says: /target\.yaml:3:19: tenants\.primary\.key needs the environment variable ACS_API_KEY/,
    argv: () => run({}),
    environment: {},
  },
  'a key variable that is empty': {
    says: /needs the environment variable ACS_API_KEY/,
    argv: () => run({}),
    environment: { ACS_API_KEY: '' },
  },
  'a mistyped key': {
    says: /rejects tenants\.primary\.key \(ACS_API_KEY\) \(401 unauthorized\)/,
    argv: () => run({}),
    environment: { ACS_API_KEY: 'acs-demo-primray' },
  },
  'a mistyped second key': {
    says: /rejects tenants\.secondary\.key/,
    argv: () => run({ second }),
    environment: { ...keys, ACS_SECONDARY_API_KEY: 'acs-demo-secundary' },
  },
  'the keys of three tenants of which two are equal': {
    says: /tenants\.primary\.key \(ACS_API_KEY\) and tenants\.throttled\.key.* contain the same key; give the tenant throttled/,
    argv: () => run({ second, more: '  throttled: { key: "${ACS_API_KEY}" }\n' }),
  },
  'the same key twice': {
    says: /contain the same key/,
    argv: () => run({ second }),
    environment: { ...keys, ACS_SECONDARY_API_KEY: primary },
  },
  'keys that are swapped': {
    says: /are swapped/,
    argv: () => run({ second, more: `tools: ${toolsOf(ownAssistant)}\n` }),
    environment: { ACS_API_KEY: secondary, ACS_SECONDARY_API_KEY: primary },
  },
  'a key that is a variable as a shell writes it': {
    says: /tenants\.primary\.key cannot be used: it looks like a variable that was not expanded/,
    argv: () => run({ first: '$KEY' }),
  },
  'a base URL with a blank before it': { says: /baseUrl is not a URL/, argv: () => run({ baseUrl: `" ${url}"` }) },
  'a key that is too short': { says: /cannot be used/, argv: () => run({}), environment: { ACS_API_KEY: 'short' } },
  'a key with a line break': {
    says: /cannot be used/,
    argv: () => run({}),
    environment: { ACS_API_KEY: `${primary}\n` },
  },
  'a mistyped key of a URL': {
    says: /rejects tenants\.primary\.key/,
    argv: () => ['test', url, '--out', out],
    environment: { ACS_API_KEY: 'acs-demo-primray' },
  },
}

/** An assistant that only the primary tenant of the mock has. */
let ownAssistant = ''
const toolsOf = (assistant: string): string =>
  `{ assistant_id: ${assistant}, prompt: weather, callIds: /tool_calls/*/id, resultField: tool_call_id }`

const urlCases: Readonly<Record<string, Case>> = {
  'a URL without a scheme': { says: /Use a URL such as/, argv: () => ['test', 'acs.example/v1', '--out', out] },
  'a URL with a password': {
    says: /contains a user name or a password/,
    argv: () => ['test', url.replace('//', '//me:secret-word@'), '--out', out],
  },
  'an empty URL': { says: /Use a URL such as/, argv: () => ['test', '', '--out', out] },
  'a port where nobody listens': { says: /cannot be reached/, argv: () => run({ baseUrl: 'http://127.0.0.1:1' }) },
  'a host that does not exist': { says: /cannot be reached/, argv: () => run({ baseUrl: 'http://acs.invalid' }) },
  'a base URL that is none': { says: /baseUrl is not a URL/, argv: () => run({ baseUrl: 'nowhere' }) },
  'a base URL with one slash': { says: /baseUrl is not a URL/, argv: () => run({ baseUrl: url.replace('//', '/') }) },
  'a URL with one slash': { says: /Use a URL such as/, argv: () => ['test', url.replace('//', '/'), '--out', out] },
  'a base URL of another kind': { says: /neither http nor https/, argv: () => run({ baseUrl: 'ftp://acs.example' }) },
  'a base URL with a password': {
    says: /baseUrl contains a user name or a password/,
    argv: () => run({ baseUrl: 'http://me:secret-word@127.0.0.1' }),
  },
  'a base path that is wrong': { says: /no ACS service at .*\/wrong/, argv: () => run({ baseUrl: `${url}/wrong` }) },
  'the address of a web site': {
    says: /no ACS service at .* both return 404/,
    argv: () => run({ baseUrl: siteUrl }),
  },
  'https where http is spoken': {
    says: /cannot be reached/,
    argv: () => run({ baseUrl: url.replace('http:', 'https:') }),
  },
  'an upstream that is no URL': {
    says: /Use a URL such as/,
    argv: () => ['watch', '--upstream', 'here', '--out', out],
  },
}

const profileCases: Readonly<Record<string, Case>> = {
  'a field that is mistyped': {
    says: /has no field "claim"; did you mean "claims"/,
    argv: () => run({ more: 'claim: [core]\n' }),
  },
  'a claim that is unknown': { says: /claims\[0\] must be one of/, argv: () => run({ more: 'claims: [streams]\n' }) },
  'a value of the wrong type': {
    says: /budget\.timeoutMs must be an integer/,
    argv: () => run({ more: 'budget: { timeoutMs: soon }\n' }),
  },
  'a cap below zero': { says: /budget\.maxModelCalls/, argv: () => run({ more: 'budget: { maxModelCalls: -1 }\n' }) },
  'a tenant that is unknown': {
    says: /threads\.threads\[0\]\.tenant must be one of/,
    argv: () =>
      run({ more: staticThreads('{ id: 36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001, tenant: third, holds: empty }') }),
  },
  'a thread of a tenant without a key': {
    says: /threads\.threads\[0\]\.tenant is secondary, but tenants has no such key/,
    argv: () =>
      run({ more: staticThreads('{ id: 36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001, tenant: secondary, holds: empty }') }),
  },
  'a static list of threads that is empty': {
    says: /threads\.threads must NOT have fewer than 1 items/,
    argv: () => run({ more: staticThreads('') }),
  },
  'an undefined variable in a header': {
    says: /needs the environment variable THREAD_TOKEN/,
    argv: () => run({ more: httpThreads('/v1/threads', '/id', 'headers: { authorization: "${THREAD_TOKEN}" }') }),
  },
  'a pointer that is none': { says: /threads\.pointer/, argv: () => run({ more: httpThreads('/v1/threads', 'id') }) },
  'a tool mapping without the ids of calls': {
    says: /tools lacks the field "callIds"/,
    argv: () => run({ more: 'tools: { resultField: tool_call_id }\n' }),
  },
  'a tool mapping whose pointer is none': {
    says: /tools\.callIds/,
    argv: () => run({ more: 'tools: { callIds: tool_calls, resultField: tool_call_id }\n' }),
  },
  'an answer to a gap that does not exist': {
    says: /declares names the question "pagination\.end-signall", which does not exist; did you mean/,
    argv: () => run({ more: 'declares: { pagination.end-signall: absent }\n' }),
  },
  'a profile that is no YAML': { says: /not YAML/, argv: () => run({ more: 'claims: [core\n' }) },
  'a profile that is not there': {
    says: /no-target\.yaml: cannot be read, the file does not exist/,
    argv: () => ['test', '--target', place('no-target.yaml'), '--out', out],
  },
  'a profile that is a folder': {
    says: /a-folder: cannot be read, it is a folder/,
    argv: () => ['test', '--target', place('a-folder'), '--out', out],
  },
  'a profile without a name': { says: /--target is empty/, argv: () => ['test', '--target', '', '--out', out] },
}

const staticThreads = (threads: string): string => `threads: { kind: static, threads: [${threads}] }\n`
const httpThreads = (path: string, pointer: string, more = ''): string =>
  `threads: { kind: http, method: POST, path: ${path}, pointer: ${pointer}, ${more} }\n`

const optionCases: Readonly<Record<string, Case>> = {
  'a seed that is no number': { says: /whole number/, argv: () => run({}, '--seed', 'random') },
  'a shard beyond the last': { says: /i\/n with i from 1 to n/, argv: () => run({}, '--shard', '3/2') },
  'a shard that is a number': { says: /i\/n with i from 1 to n/, argv: () => run({}, '--shard', '2') },
  'a tier that is unknown': { says: /Use smoke, gate/, argv: () => run({}, '--tier', 'quick') },
  'a rule that does not exist': { says: /did you mean pagination/, argv: () => run({}, '--only', 'pagnation.*') },
  'an empty rule': { says: /--only/, argv: () => run({}, '--only', '') },
  'a cap that is not a number': { says: /whole number/, argv: () => run({}, '--max-model-calls', '-1') },
  'a time that is zero': { says: /whole number/, argv: () => run({}, '--max-minutes', '0') },
  'an option that is mistyped': { says: /Did you mean --strict/, argv: () => run({}, '--strickt') },
  'one argument too many': { says: /too many arguments/, argv: () => ['test', url, url, '--out', out] },
  'a command that does not exist': { says: /Did you mean test/, argv: () => ['tests'] },
}

const fileCases: Readonly<Record<string, Case>> = {
  'a folder below a file': { says: /a-file/, argv: () => run({}, '--out', place('a-file/below')) },
  'a report folder that is a file': { says: /a-file/, argv: () => run({}, '--out', place('a-file')) },
  'a report folder where none can be made': { says: /\/proc\/acs/, argv: () => run({}, '--out', '/proc/acs') },
  'a baseline that is not there': {
    says: /no-baseline\.yaml: cannot be read/,
    argv: () => run({}, '--baseline', place('no-baseline.yaml')),
  },
  'a baseline with a date that is none': {
    says: /baseline\.yaml: \/entries\/0\/expires/,
    argv: () => run({}, '--baseline', file('baseline.yaml', entry('31.12.2027'))),
  },
  'a baseline with a day that does not exist': {
    says: /baseline\.yaml: \/entries\/0\/expires/,
    argv: () => run({}, '--baseline', file('baseline.yaml', entry('2027-02-31'))),
  },
  'a trace that is not there': { says: /cannot be read/, argv: () => judge(place('none.ndjson')) },
  'a trace that is a folder': { says: /it is a folder/, argv: () => judge(place('a-folder')) },
  'a trace that is no JSON': {
    says: /x\.ndjson: not a readable trace .*: line 1: not JSON/,
    argv: () => judge(file('x.ndjson', 'hello\n')),
  },
  'a trace that is empty': { says: /x\.ndjson: /, argv: () => judge(file('x.ndjson', '')) },
  'a trace that was cut in a line': {
    says: /x\.ndjson: line \d+: not JSON/,
    argv: () => judge(file('x.ndjson', good('trace.ndjson').slice(0, -20))),
  },
  'a trace without its end': {
    says: /the trace has no footer/,
    argv: () => judge(file('x.ndjson', good('trace.ndjson').replace(/[^\n]*\n$/, ''))),
  },
  'a trace of a newer version': {
    says: /x\.ndjson: not a readable trace .*: line 1: .*format/,
    argv: () =>
      judge(file('x.ndjson', good('trace.ndjson').replace(/"format":"acs-trace\/\d+"/, '"format":"acs-trace/99"'))),
  },
  'a HAR that is none': { says: /x\.har: /, argv: () => judge(file('x.har', '{}')) },
  'a report of another version': {
    says: /schemaVersion/,
    argv: () => [
      'compare',
      file('r.json', good('report.json').replace('"schemaVersion": 1', '"schemaVersion": 99')),
      place('good/report.json'),
    ],
  },
  'a report that was cut': {
    says: /r\.json: not JSON/,
    argv: () => ['merge', file('r.json', good('report.json').slice(0, 900)), '--out', out],
  },
  'a merged report below a file': {
    says: /a-file/,
    argv: () => ['merge', place('good/report.json'), '--out', place('a-file/below')],
  },
  'a replay file that is no JSON': { says: /r\.json: /, argv: () => ['replay', file('r.json', '{'), url] },
  'a replay file with a wrong step': {
    says: /steps\[0\]/,
    argv: () => ['replay', file('r.json', replayFile), url],
  },
  'a replay without its trace': {
    says: /the file does not exist|contains no violation/,
    argv: () => ['replay', file('r.json', good('report.json')), url],
  },
  'a signing key that is a public one': {
    says: /private key/,
    argv: () => ['certify', '--target', profile({}), '--key', file('key', generateSigningKeys().publicKey)],
  },
  'a certificate below a file': {
    says: /a-file/,
    argv: () => [
      'certify',
      '--target',
      profile({}),
      '--key',
      file('key', generateSigningKeys().privateKey),
      '--out',
      place('a-file/below'),
    ],
  },
  'a policy with a field that is unknown': {
    says: /policy\.yaml: .*colour/,
    argv: () => ['accept', place('a-file'), '--policy', file('policy.yaml', policy)],
  },
  'a certificate that is not there': { says: /cannot be read/, argv: () => ['verify', place('none.acsbundle')] },
  'a demand that is unknown': {
    says: /--require/,
    argv: () => ['verify', place('a-file'), '--require', 'conformnt'],
  },
  'a scenario that is not there': { says: /cannot be read/, argv: () => ['mock', '--scenario', place('none.yaml')] },
  'a profile to write that is there': {
    says: /already exists/,
    argv: () => ['init', url, '--out', place('a-file')],
  },
  'a profile to write below a file': {
    says: /a-file/,
    argv: () => ['init', url, '--out', place('a-file/target.yaml')],
  },
}

const policy = `format: acs-policy/1
outcome: conformant
trusted: [{ keyId: ${'0'.repeat(64)} }]
levels: [core]
maxAgeDays: 30
colour: green
`
const judge = (trace: string): readonly string[] => ['judge', trace, '--out', out]
const entry = (expires: string): string =>
  `baseline: 1\nentries:\n  - { obligation: auth.key-required listAssistants, reason: known, expires: ${expires} }\n`
const replayFile = JSON.stringify({
  format: 'acs-replay/1',
  requirement: 'auth.key-required',
  operation: 'listAssistants',
  facet: null,
  seed: 1,
  steps: [{ method: 'get' }],
})

const cases: readonly (readonly [string, Case])[] = Object.entries({
  ...keyCases,
  ...urlCases,
  ...profileCases,
  ...optionCases,
  ...fileCases,
})

/** What is printed before anything can have gone wrong, and the progress of a run. */
const announcement =
  /^(?:Testing |Without a profile, |planned: |[a-z]+: \d|\d+ exchanges, |\S*report\.html has the details)/

test.each(cases)('%s is no verdict, and the cause is the first line', async (_, { argv, says, environment = keys }) => {
  const { code, err } = await acs(argv(), environment)
  const first = err.split('\n').find((line) => !announcement.test(line))
  expect({ isVerdict: code < 3 || (code > 3 && code < 64), first }).toEqual({
    isVerdict: false,
    first: expect.stringMatching(says),
  })
  expect(err).not.toMatch(/\n\s+at |a fault of acs itself|secret-word/)
})
