/** A strange value of a target costs at most one probe. It is never reported as a fault of the suite. */
import { expect, test } from 'vitest'
import { trialClient, trialProfile } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import type { Trace } from '../conformance/index.ts'
import { fetchClient, judge, run } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

type Change = (text: string) => string

/** The suite on a mock whose answers to some operations are changed. */
const runWith = async (change: Change, operations: readonly string[], only: string): Promise<Trace> => {
  await using mock = await createMock({ seed: 3, clock: virtualClock })
  const client = trialClient(mock, (answer) => async (request) => {
    const response = await answer(request)
    const key = `${request.method} ${new URL(request.url).pathname}`
    if (!operations.some((operation) => key.includes(operation))) return response
    const { status, headers } = response
    return new Response(change(await response.text()), { status, headers })
  })
  for await (const event of run(trialProfile({}), { tier: 'smoke', seed: 3, only, client })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

const isSound = (trace: Trace): void => {
  expect(trace.footer?.reason ?? '').not.toContain('suite-fault')
  expect(judge(trace).verdicts.filter(({ outcome }) => outcome === 'suite-fault')).toEqual([])
}

test.concurrent.each([
  'http://acs.mock/files/Mängel und Fristen.txt',
  'http://acs.mock/a b',
  'http://acs.mock/a\r\nx: y',
  'http://acs.mock/\ud800',
  'http://a b/',
  'http://[::1/x',
  'http://acs.mock:99999/x',
  'ftp://acs.mock/x',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://acs.mock/\0',
  '/relative',
  '',
])('the file_url %j is a finding about the service, and the run goes on', async (url) => {
  const change: Change = (text) => text.replace(/"file_url":\s*"[^"]*"/, `"file_url":${JSON.stringify(url)}`)
  const trace = await runWith(change, ['/v1/files/signed-url'], 'files.*')
  isSound(trace)
  expect(trace.footer?.complete).toBe(true)
  const violated = judge(trace).verdicts.filter(({ outcome }) => outcome === 'violated')
  expect(violated.map(({ requirement }) => requirement)).toContain('files.url-is-absolute')
})

test('a storage host that cannot be reached leaves open what needs an upload, and nothing else', async () => {
  const judgedWith = async (isReachable: boolean) => {
    await using mock = await createMock({ seed: 3 })
    const answering = fetchClient((request) => {
      if (request.method === 'PUT' && !isReachable) throw new TypeError('no route to host')
      return mock.fetch(request)
    })
    const client = (options: Parameters<typeof answering>[0]) =>
      answering({ ...options, retryPolicy: { firstWaitMs: 1 } })
    for await (const event of run(trialProfile({}), { tier: 'gate', seed: 3, only: 'files.*', client }))
      if (event.type === 'finished') return judge(event.trace, { only: 'files.*' })
    throw new Error('the run ended without a trace')
  }
  const [reached, unreached] = [await judgedWith(true), await judgedWith(false)]
  const key = (one: (typeof reached.verdicts)[number]) =>
    `${one.requirement} ${one.operation} ${one.facet ?? ''}`.trim()
  const upheld = new Set(unreached.verdicts.filter(({ outcome }) => outcome === 'upheld').map(key))
  const lost = reached.verdicts.filter((one) => one.outcome === 'upheld' && !upheld.has(key(one))).map(key)
  expect(lost).toEqual([
    'files.upload-accepted uploadFile',
    'files.upload-needs-no-key uploadFile',
    'files.kept-for-reuse createMessage',
    'files.kept-for-a-day getFileStatus',
    'files.status-polled getFileStatus',
    'files.attached-to-message createMessage',
  ])
  expect(unreached.outcome).toBe('incomplete')
})

const assistantId = /("id":\s*")[0-9a-f-]{36}"/g
const threadId = /("thread_id":\s*")[0-9a-f-]{36}"/g
const cursor = /("cursor":\s*")[^"]+"/g
const broken = '\\ud800'

test.concurrent.each([
  ['a lone surrogate in every assistant id', assistantId, `$1${broken}-id"`, 'GET /v1/assistants'],
  ['an assistant id that is no UUID', assistantId, '$1assistant-7"', 'GET /v1/assistants'],
  ['an empty assistant id', assistantId, '$1"', 'GET /v1/assistants'],
  ['an assistant id of two dots', assistantId, '$1.."', 'GET /v1/assistants'],
  ['a lone surrogate in every thread id', threadId, `$1${broken}-thread"`, '/v1/chat/completions'],
  ['a lone surrogate in the id of a new thread', assistantId, `$1${broken}-thread"`, 'POST /v1/threads'],
  ['a lone surrogate in every cursor', cursor, `$1${broken}-cursor"`, '/messages'],
] as const)('%s ends no run', async (_, pattern, replacement, operation) => {
  const trace = await runWith((text) => text.replace(pattern, replacement), [operation], '*')
  isSound(trace)
  expect(trace.exchanges.length).toBeGreaterThan(20)
})
