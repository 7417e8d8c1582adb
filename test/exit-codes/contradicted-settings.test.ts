/** Tests that settings which the target contradicts end a command before the run, with the field in the first line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { acs } from '../acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-contradicted-'))
const primary = 'acs-demo-primary'
const secondary = 'acs-demo-secondary'

let mock: Mock
let url = ''
/** What only the secondary tenant has. */
let otherAssistant = ''
let otherThread = ''

beforeAll(async () => {
  mock = await createMock({ seed: 1 })
  url = (await mock.listen({ port: 0, host: '127.0.0.1' })).url
  const own = new Set((await answered('GET', 'assistants', primary)).map(({ id }) => id))
  otherAssistant = (await answered('GET', 'assistants', secondary)).find(({ id }) => !own.has(id))?.id ?? ''
  otherThread = (await answered('POST', 'threads', secondary))[0]?.id ?? ''
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

const answered = async (method: string, path: string, key: string): Promise<readonly { readonly id: string }[]> => {
  const headers = { 'api-key': key, 'content-type': 'application/json' }
  const init = method === 'POST' ? { method, headers, body: '{}' } : { headers }
  const body: unknown = await (await fetch(`${url}/v1/${path}`, init)).json()
  return [body].flat() as readonly { readonly id: string }[]
}

const run = (more: string, ...options: readonly string[]): readonly string[] => {
  const file = join(folder, 'target.yaml')
  writeFileSync(file, `baseUrl: ${url}\ntenants: { primary: { key: "\${ACS_API_KEY}" } }\n${more}`)
  return ['test', '--target', file, '--tier', 'smoke', '--out', join(folder, 'out'), ...options]
}

const staticThreads = (thread: string): string => `threads: { kind: static, threads: [${thread}] }\n`
const httpThreads = (path: string, pointer: string): string =>
  `threads: { kind: http, method: POST, path: ${path}, pointer: ${pointer} }\n`
const toolsOf = (assistant: string): string =>
  `{ assistant_id: ${assistant}, prompt: weather, callIds: /tool_calls/*/id, resultField: tool_call_id }`

const unknownId = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001'
const makesThreads = 'claims: [core, threads]\n'
const asksForTools = `claims: [core, threads, tools]\n${httpThreads('/v1/threads', '/id')}`
const unmatched = 'assistantMessage: { tool_calls: [{ id: "{{tool_call_id}}" }] }'
const printsHello = `threads: { kind: command, command: [${process.execPath}, -e, console.log("hello")] }\n`
const listing = (id: string): string =>
  `${makesThreads}${staticThreads(`{ id: ${id}, tenant: primary, holds: empty }`)}`

test.each<readonly [string, RegExp, () => readonly string[]]>([
  [
    'threads that are claimed without a source',
    /claims: threads is claimed, but the profile names no source/,
    () => run(makesThreads),
  ],
  ['the same, though only a plan is asked for', /claims: threads is claimed/, () => run(makesThreads, '--plan')],
  ['claims that are an empty list', /claims: nothing is claimed/, () => run('claims: []\n')],
  [
    'tools that are claimed without a mapping',
    /claims: tools is claimed, but the profile does not describe/,
    () => run(asksForTools),
  ],
  [
    'two tenants that are claimed with one key',
    /claims: tenancy is claimed, but the profile has no key/,
    () => run('claims: [core, tenancy]\n'),
  ],
  [
    'a listed thread that does not exist',
    /threads\.threads: the target knows none of the threads listed for the tenant primary \(404 thread_not_found\)/,
    () => run(listing(unknownId)),
  ],
  [
    'a listed thread of another tenant',
    /threads\.threads: the target knows none of the threads listed for the tenant primary/,
    () => run(listing(otherThread)),
  ],
  [
    'a path that creates no thread',
    /threads: The target did not create a thread \(status 404/,
    () => run(makesThreads + httpThreads('/v1/threadz', '/id')),
  ],
  [
    'a pointer that finds no id',
    /threads: The response that creates a thread has no string at \/thread_id,/,
    () => run(makesThreads + httpThreads('/v1/threads', '/thread_id')),
  ],
  [
    'a command for threads that is not there',
    /threads\.command: .*could not be started/,
    () => run(`${makesThreads}threads: { kind: command, command: [/no/such/command] }\n`),
  ],
  [
    'a command for threads without a name',
    /threads\.command: .*could not be started: it names no program/,
    () => run(`${makesThreads}threads: { kind: command, command: [""] }\n`),
  ],
  [
    'a command for threads that prints without end',
    /threads\.command: .*printed far more than one id/,
    // What it starts outlives it.
    () => run(`${makesThreads}threads: { kind: command, command: [sh, -c, "yes; true"] }\n`),
  ],
  [
    'a command for threads that prints no id',
    /threads\.command: it printed hello, but the target does not know this thread/,
    () => run(makesThreads + printsHello),
  ],
  [
    'an assistant for tools that does not exist',
    /tools\.assistant_id: it names 36ede3ed.* no such assistant/,
    () => run(`${asksForTools}tools: ${toolsOf(unknownId)}\n`),
  ],
  [
    'an assistant for tools of another tenant',
    /tools\.assistant_id: it names .* no such assistant/,
    () => run(`${asksForTools}tools: ${toolsOf(otherAssistant)}\n`),
  ],
  [
    'a tool mapping that contradicts itself',
    /tools\.callIds: \/calls\/\*\/id finds no id/,
    () => run(`${asksForTools}tools: { callIds: /calls/*/id, resultField: tool_call_id, ${unmatched} }\n`),
  ],
  [
    'an assistant to use whose name is mistyped',
    /assistants\.use: it names Ecko/,
    () => run('assistants: { use: [Ecko] }\n'),
  ],
  [
    'an assistant to avoid that does not exist',
    /assistants\.avoid: it names 36ede3ed/,
    () => run(`assistants: { avoid: [${unknownId}] }\n`),
  ],
  [
    'fields for an assistant that does not exist',
    /assistants: it names 36ede3ed/,
    () => run(`assistants: { ${unknownId}: { body: { user_data: {} } } }\n`),
  ],
])('%s: the command ends before the run', async (_, says, argv) => {
  const { code, out, err } = await acs(argv(), { ACS_API_KEY: primary })
  expect([3, 78]).toContain(code)
  expect([err.split('\n')[0], out]).toEqual([expect.stringMatching(says), ''])
  expect(err).toMatch(/^acs: [^\n]+\n$/)
})

/** A profile with everything that tools need, and this mapping. */
const mapped = (callIds: string, resultField: string): string => {
  const body = 'body: { assistant_id: "{{assistant_id}}" }'
  const threads = `threads: { kind: http, method: POST, path: /v1/threads, pointer: /id, ${body} }\n`
  const claims = 'claims: [core, threads, tools]\nrunBody: { assistant_id: "{{assistant_id}}" }\n'
  const prompt = 'prompt: "What is the weather in Turku?"'
  return `${claims}${threads}tools: { ${prompt}, callIds: ${callIds}, resultField: ${resultField} }\n`
}

test.each([
  [
    '/tool_calls/*/id',
    'call_ref',
    /tools\.resultField: .* in call_ref \(E\d+: tool_message_has_no_matching_tool_call\)/,
  ],
  ['/tool_calls/*/type', 'tool_call_id', /tools\.resultField: .* the call at \/tool_calls\/\*\/type in tool_call_id/],
  ['/calls/*/id', 'tool_call_id', /tools\.callIds: \/calls\/\*\/id finds no call .* has the field "tool_calls"/],
  ['/tool_calls/*/name', 'tool_call_id', /tools\.callIds: \/tool_calls\/\*\/name finds no call/],
])('a mapping to %s and %s that answers contradict accuses nobody, and ends with 3', async (callIds, field, says) => {
  const argv = run(mapped(callIds, field), '--tier', 'gate', '--only', 'tools.*', '--seed', '1')
  const { code, out, err } = await acs(argv, { ACS_API_KEY: primary })
  expect(code, out).toBe(3)
  expect(err).toMatch(/^acs: the run is invalid: /m)
  expect(err.split('\n').find((line) => line.startsWith('acs: '))).toMatch(says)
  expect(out).not.toMatch(/^×/m)
})

test('a right mapping leaves nothing of tools open', async () => {
  const argv = run(mapped('/tool_calls/*/id', 'tool_call_id'), '--tier', 'gate', '--only', 'tools.*', '--seed', '1')
  expect(await acs(argv, { ACS_API_KEY: primary })).toMatchObject({ code: 0 })
})

const statusAt = (pointer: string): string =>
  `claims: [core, files]\nfiles: { status: { path: "/v1/files/{file_id}/status", pointer: ${pointer}, complete: [ready], waitMs: 300 } }\n`

test('a pointer that finds no status accuses nobody, and ends with 3; a right one leaves nothing of files open', async () => {
  const files = (pointer: string) => run(statusAt(pointer), '--tier', 'gate', '--only', 'files.*', '--seed', '1')
  const wrong = await acs(files('/state'), { ACS_API_KEY: primary })
  expect([wrong.code, wrong.err]).toEqual([
    3,
    expect.stringMatching(/^acs: the run is invalid: files\.status\.pointer: \/state finds nothing in any status/m),
  ])
  expect(wrong.out).not.toMatch(/^×/m)
  expect(await acs(files('/status'), { ACS_API_KEY: primary })).toMatchObject({ code: 0 })
})

test.each([
  [
    'a field that the target refuses',
    'assistants: { "*": { body: { user_data: "x" } } }\n',
    /^acs: the run is invalid: assistants: the target refuses createChatCompletion for the field "user_data"/,
  ],
  [
    'what provokes nothing',
    'provoke: { internal_service_error: { headers: { x-fail: "1" } } }\n',
    /^acs: the run is invalid: provoke\.internal_service_error: no request that should provoke it got an error/,
  ],
  [
    'an answer to an open question that the target never gives',
    'declares: { auth.unknown-key: 403 forbidden }\n',
    /^acs: the run is invalid: declares\.auth\.unknown-key: it says "403 forbidden", and the target does "401 unauthorized" each time \(E\d+\); correct it/,
  ],
])('%s accuses nobody, strictly judged too, and ends with 3', async (_, more, says) => {
  const argv = run(more, '--tier', 'gate', '--seed', '1', '--strict')
  const { code, out, err } = await acs(argv, { ACS_API_KEY: primary })
  expect(code, out).toBe(3)
  expect(err.split('\n').find((line) => line.startsWith('acs: '))).toMatch(says)
  expect(out).not.toMatch(/^× [a-z]+\./m)
})

test.each([
  ['a folder without a name', ['--out', ''], /--out is empty/],
  ['an authority that is none', ['--ca', import.meta.filename], /it holds no certificate/],
])('%s is wrong usage', async (_, options, says) => {
  const { code, err } = await acs(run('', ...options), { ACS_API_KEY: primary })
  expect([code >= 64, err]).toEqual([true, expect.stringMatching(says)])
})
