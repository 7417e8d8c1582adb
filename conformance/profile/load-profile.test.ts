/** A profile is read as written. Everything that is wrong with it has a line, a reason and a fix. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { loadProfile, parseProfile } from './load-profile.ts'
import { ProfileError } from './profile-error.ts'
import { profileDigest, redactProfile, secretsOf } from './redact-profile.ts'

const env = { ACS_API_KEY: 'key-from-env-0001', TOKEN: 'token-from-env-77' }
const parse = (text: string) => parseProfile(text, { file: 'acs.target.yaml', env })
const minimal = 'baseUrl: https://acs.example/base/\ntenants:\n  primary:\n    key: ${ACS_API_KEY}\n'

test('a minimal profile gets the defaults', async () => {
  expect(await parse(minimal)).toEqual({
    baseUrl: 'https://acs.example/base',
    tenants: { primary: { key: 'key-from-env-0001' } },
    claims: ['core'],
    threads: null,
    runBody: {},
    assistants: {},
    tools: null,
    throttle: null,
    provoke: {},
    declares: {},
    budget: { timeoutMs: 30_000, maxBodyBytes: 33_554_432 },
    secrets: ['key-from-env-0001'],
  })
})

test('a full profile is read as it is written', async () => {
  const profile = await parse(`${minimal}
claims: [core, threads, tools]
threads: { kind: http, method: POST, path: /v1/threads, pointer: /id, headers: { authorization: "Bearer \${TOKEN}" }, body: { assistant_id: "{{assistant_id}}" } }
tools: { callIds: /tool_calls/*/id, resultField: tool_call_id }
throttle: { requests: 20 }
provoke: { api_timeout_error: { headers: { x-fault: timeout } } }
declares: { errors.status-of-code: "400" }
budget: { maxModelCalls: 5 }
`)
  expect(profile.threads).toMatchObject({ kind: 'http', headers: { authorization: 'Bearer token-from-env-77' } })
  expect(profile.budget).toEqual({ timeoutMs: 30_000, maxBodyBytes: 33_554_432, maxModelCalls: 5 })
  expect(secretsOf(profile)).toEqual(['key-from-env-0001', 'token-from-env-77'])
})

test('a transport is read, and what the environment gives it is a secret', async () => {
  const profile = await parse(`${minimal}
transport:
  ca: ca.pem
  headers: { x-gateway: "\${TOKEN}", x-route: blue }
  proxy: http://proxy.example:3128
  userAgent: team/1
  http2: false
`)
  expect(profile.transport).toEqual({
    ca: 'ca.pem',
    headers: { 'x-gateway': 'token-from-env-77', 'x-route': 'blue' },
    proxy: 'http://proxy.example:3128',
    userAgent: 'team/1',
    http2: false,
  })
  const redacted = JSON.stringify(redactProfile(profile, createPseudonyms({ secrets: secretsOf(profile) })))
  expect(redacted).not.toContain('token-from-env-77')
  expect(redacted).toContain('blue')
})

test.each([
  ['{ headers: { Host: x } }', 'transport.headers.Host is a header that the suite writes itself; remove it'],
  ['{ headers: { x-token: abcdefgh } }', 'transport.headers.x-token is a literal secret'],
  ['{ headers: { "a b": c } }', 'transport.headers'],
  ['{ headers: { x-a: "${SHORT}" } }', 'transport.headers.x-a contains SHORT, whose value is too short'],
  ['{ proxy: "socks5://p:1" }', 'transport.proxy is not the URL of an http or https proxy'],
  ['{ proxy: "http://me:word@p:1" }', 'transport.proxy is a literal secret'],
  ['{ clientCert: a.pem }', 'transport'],
  ['{ clientKeyPassphrase: word }', 'transport.clientKeyPassphrase is a literal secret'],
])('the transport %s is refused', async (transport, message) => {
  const parsed = parseProfile(`${minimal}transport: ${transport}\n`, { file: 'f', env: { ...env, SHORT: 'abc' } })
  await expect(parsed).rejects.toThrow(message)
})

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e']
  .map((name, at) => `${name}: &${name} [${`*${'abcd'[at]},`.repeat(9)}]\n`)
  .join('')}`

const listedThread = '{ id: 36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001, tenant: primary, holds: empty }'

const silent = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0009'
const broken: readonly (readonly [text: string, message: string])[] = [
  ['a: [1\n', 'acs.target.yaml:2:1: not YAML'],
  ['tenants:\n  primary: { key: ${ACS_API_KEY} }\n', 'put quotes around the reference'],
  [bomb, 'acs.target.yaml:1:1: not usable (Excessive alias count'],
  ['', `acs.target.yaml:1:1: the profile lacks the field "baseUrl"; add "baseUrl": The target's http or https URL`],
  [
    minimal.replace('${ACS_API_KEY}', '${NOT_SET}'),
    'acs.target.yaml:4:10: tenants.primary.key needs the environment variable NOT_SET, which is not set; export NOT_SET=… and run again',
  ],
  [
    minimal.replace('${ACS_API_KEY}', 'sk-live-1234'),
    'acs.target.yaml:4:10: tenants.primary.key is a literal secret; put it in an environment variable and refer to it: ${ACS_API_KEY}',
  ],
  [`${minimal}bugdet: {}\n`, 'acs.target.yaml:5:1: the profile has no field "bugdet"; did you mean "budget"?'],
  [`${minimal}base_url: x\n`, 'acs.target.yaml:5:1: the profile has no field "base_url"; did you mean "baseUrl"?'],
  [
    `${minimal}nonsense: x\n`,
    'acs.target.yaml:5:1: the profile has no field "nonsense"; remove it; known there: $schema, baseUrl',
  ],
  [
    `${minimal}claims:\n  - core\n  - streams\n`,
    'acs.target.yaml:7:5: claims[1] must be one of core, streaming, events, threads, tools, files, tenancy',
  ],
  [
    `${minimal}budget:\n  timeoutMs: soon\n`,
    'acs.target.yaml:6:14: budget.timeoutMs must be an integer, not a string; Longest wait',
  ],
  [
    `${minimal}threads:\n  kind: http\n  path: /v1/threads\n  pointer: /id\n`,
    'acs.target.yaml:5:1: threads lacks the field "method"; add "method": HTTP method',
  ],
  [`${minimal}threads: { kind: magic }\n`, 'acs.target.yaml:5:18: threads.kind must be one of static, http, command'],
  [
    `${minimal}declares: { pagination.end-signall: absent }\n`,
    'acs.target.yaml:5:13: declares names the question "pagination.end-signall", which does not exist; did you mean "pagination.end-signal"?',
  ],
  [
    `${minimal}threads: { kind: static, threads: [{ id: 36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001, tenant: secondary, holds: empty }] }\n`,
    'threads.threads[0].tenant is secondary, but tenants has no such key; add tenants.secondary, or remove the thread',
  ],
  [`${minimal}threads: 7\n`, 'acs.target.yaml:5:10: threads must be an object'],
  [minimal.replace('https:', 'ftp:'), 'acs.target.yaml:1:10: baseUrl is neither http nor https'],
  [minimal.replace('https://acs.example/base/', 'nowhere'), 'acs.target.yaml:1:10: baseUrl is not a URL'],
  [minimal.replace('acs.example', 'user:secret@acs.example'), 'baseUrl contains a user name or a password'],
  [
    `${minimal}provoke: { x: { headers: { Authorization: abc } } }\n`,
    'provoke.x.headers.Authorization is a literal secret',
  ],
  [
    `${minimal}provoke: { internal_servise_error: { headers: { x-fail: "1" } } }\n`,
    'provoke names the error "internal_servise_error", which the contract does not have; did you mean "internal_service_error"?',
  ],
  [
    `${minimal}declares: { pagination.end-signal: absent; an empty sting }\n`,
    'acs.target.yaml:5:36: declares.pagination.end-signal has the answer "an empty sting", which is not one of its answers; use "null", "absent", "an empty string", "a cursor to an empty page"',
  ],
  [
    `${minimal}declares: { errors.status-of-code: "404 thread_not_found, resource_not_foud" }\n`,
    'declares.errors.status-of-code names "resource_not_foud", which does not exist; did you mean "resource_not_found"?',
  ],
  [
    `${minimal}declares: { http.success-status: "200 listAssistants; 201 createMesage" }\n`,
    'declares.http.success-status names "createMesage", which does not exist; did you mean "createMessage"?',
  ],
  [
    `${minimal}provoke: { bad_request: { headers: { X-Fail: "1" } }, api_timeout_error: { headers: { x-fail: "1" } } }\n`,
    'acs.target.yaml:5:55: provoke.api_timeout_error provokes api_timeout_error with the same request as provoke.bad_request provokes bad_request; give each its own request, or remove one',
  ],
  [
    `${minimal}provoke: { bad_request: { key: "\${TOKEN}" }, tenant_not_found: { headers: { api-key: "\${TOKEN}" } } }\n`,
    'provoke.tenant_not_found provokes tenant_not_found with the same request as provoke.bad_request',
  ],
  [
    `${minimal}assistants: { "${silent}": { unavailable: true } }\nprovoke: { api_timeout_error: { assistant: ${silent.toUpperCase()} } }\n`,
    `assistants.${silent}.unavailable provokes internal_service_error with the same request as provoke.api_timeout_error`,
  ],
  [
    `${minimal}runBody: { assistant_id: "{{assistent_id}}" }\n`,
    'acs.target.yaml:5:26: runBody.assistant_id has the placeholder {{assistent_id}}, which nothing fills in; did you mean {{assistant_id}}?',
  ],
  [
    `${minimal}threads: { kind: command, command: [make-thread, "{{ tenant }}"] }\n`,
    'threads.command[1] has the placeholder {{ tenant }}, which nothing fills in; did you mean {{tenant}}?',
  ],
  [
    `${minimal}threads: { kind: static, threads: [${listedThread}, ${listedThread.replace('ede3ed', 'EDE3ED')}] }\n`,
    'threads.threads[1].id is already listed, as threads.threads[0].id; list each thread once',
  ],
  [`${minimal}uploadHosts: ["http://minio.internal/"]\n`, 'uploadHosts[0] does not have the right form; A host name'],
  [`${minimal}uploadHosts: ["minio.internal:9000"]\n`, 'uploadHosts[0] does not have the right form'],
  [
    `${minimal}files: { status: { path: /v1/files/status, pointer: /status, complete: [ready] } }\n`,
    'files.status.path does not have the right form; Path of the GET request, relative to the base URL',
  ],
  [
    `${minimal}files: { status: { path: "/v1/files/{file_id}", pointer: status, complete: [ready] } }\n`,
    'files.status.pointer does not have the right form',
  ],
  [
    `${minimal}files: { status: { path: "/v1/assistants/{file_id}", pointer: /status, complete: [ready] } }\n`,
    'files.status.path is an operation of the contract, and none of these returns a status; name another',
  ],
  [
    `${minimal}files: { status: { path: "/f/{file_id}", pointer: /s, complete: [ready], failed: [bad, ready] } }\n`,
    'files.status.failed has "ready", which is also in complete; list each value once',
  ],
  [
    `${minimal}files: { attachment: { file_ids: [] } }\n`,
    "files.attachment does not name a file; write '{{file_id}}' where its id goes",
  ],
  [
    `${minimal}files: { attachment: { content: "{{file_id}}" } }\n`,
    'files.attachment.content is a field that every message has; name the fields that carry the file',
  ],
]

for (const [text, message] of broken)
  test(`a broken profile says where and what to do: ${message.slice(0, 70)}`, async () => {
    await expect(parse(text)).rejects.toThrow(message)
    await expect(parse(text)).rejects.toThrow(ProfileError)
  })

test('a misspelt required field is one problem, which names the field that was meant', async () => {
  const text = 'baseURL: http://127.0.0.1:1\ntenants: { primary: { key: "${ACS_API_KEY}" } }\n'
  await expect(parseProfile(text, { file: 'a.yaml', env: { ACS_API_KEY: 'key-of-a-test' } })).rejects.toMatchObject({
    lines: ['a.yaml:1:1: the profile has no field "baseURL"; did you mean "baseUrl"?'],
  })
})

test('all problems are told, the first of the file in the message', async () => {
  const problem = await parse(`${minimal}throttle: 3\nclaims: 4\n`).catch((cause: unknown) => cause)
  expect(problem).toMatchObject({
    message: expect.stringMatching(
      /^acs\.target\.yaml:5:11: throttle must be an object, not a number; .* \(and 1 more\)$/,
    ),
    problems: [{ line: 5 }, { line: 6 }],
  })
})

test.each(['http://localhost:4010', 'http://127.0.0.1:1', 'http://[::1]:1'])(
  'a literal key is accepted for a target on this machine: %s',
  async (baseUrl) => {
    const { tenants } = await parse(`baseUrl: ${baseUrl}\ntenants: { primary: { key: acs-demo-primary } }\n`)
    expect(tenants.primary.key).toBe('acs-demo-primary')
  },
)

test('a profile file is read from the disk, and a missing one is told by the system', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'acs-profile-'))
  const file = join(folder, 'acs.target.yaml')
  await writeFile(file, minimal)
  expect((await loadProfile(file, { env })).tenants.primary.key).toBe('key-from-env-0001')
  await rm(folder, { recursive: true })
  await expect(loadProfile(file, { env })).rejects.toThrow('ENOENT')
})

test('the redacted profile holds pseudonyms where secrets were, equal to those in the exchanges', async () => {
  const profile = await parse(`${minimal}runBody: { token: "x-\${TOKEN}" }\n`)
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile) })
  const redacted = redactProfile(profile, pseudonyms)
  expect(redacted).toMatchObject({
    baseUrl: 'https://acs.example/base',
    tenants: { primary: { key: pseudonyms.of('key-from-env-0001') } },
    runBody: { token: `x-${pseudonyms.of('token-from-env-77')}` },
  })
  expect(JSON.stringify(redacted)).not.toMatch(/from-env/)
})

test('the digest of a profile does not depend on its secrets, and on nothing else less', async () => {
  const other = { ACS_API_KEY: 'another-key-2222', TOKEN: 't' }
  const digest = profileDigest(await parse(minimal))
  expect(profileDigest(await parseProfile(minimal, { file: 'x', env: other }))).toBe(digest)
  expect(profileDigest(await parse(`${minimal}throttle: { requests: 2 }\n`))).not.toBe(digest)
})

test('every field of the schema explains itself to an editor', () => {
  const schema: unknown = JSON.parse(readFileSync(new URL('./target.schema.json', import.meta.url), 'utf8'))
  const silent: string[] = []
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, inner] of Object.entries(node)) {
      const isField = path.endsWith('/properties')
      if (isField && typeof inner.description !== 'string') silent.push(`${path}/${name}`)
      walk(inner, `${path}/${name}`)
    }
  }
  walk(schema, '')
  expect(silent).toEqual([])
})

test.each([
  'declares: { pagination.end-signal: "NULL ; absent", errors.status-of-code: whatever }',
  'provoke: { bad_request: { headers: { x-fail: "1" } }, api_timeout_error: { headers: { x-fail: "2" } } }',
  `assistants: { "${silent}": { timesOut: true } }\nprovoke: { api_timeout_error: { assistant: ${silent} } }`,
])('what the suite can tell apart is taken as it is: %s', async (more) => {
  await expect(parse(`${minimal}${more}\n`)).resolves.toBeDefined()
})

test('placeholders that are filled in, or that belong to the target, are taken as they are', async () => {
  const body = '{ id: "{{assistant_id}}", text: "Dear {{customer}}" }'
  const profile = await parse(`${minimal}runBody: ${body}\nuploadHosts: [minio.internal, "::1", 10.0.0.1]\n`)
  expect(profile.runBody).toEqual({ id: '{{assistant_id}}', text: 'Dear {{customer}}' })
})
