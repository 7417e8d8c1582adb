/** Laws of the fault catalogue: what each fault does to an answer, and that none is dropped in silence. */
import { expect, test } from 'vitest'
import { errorTable } from '../../spec/index.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { faultNames } from '../fault-catalogue/fault-catalogue.ts'
import { createMock, type Mock } from '../mock.ts'
import type { MockOptions } from '../worlds/mock-options.ts'

const key = { 'api-key': 'acs-demo-primary' }

interface Streamed {
  readonly text: string
  readonly pieces: readonly string[]
  /** Whether the stream ended in good order. */
  readonly ended: boolean
}

/** Streams an answer of several chunks under a fault. */
async function stream(mock: Mock, fault: string, content = 'ä'.repeat(60)): Promise<Streamed> {
  const body = JSON.stringify({
    assistant_id: mockClient(mock.main, mock).assistant('Echo'),
    messages: [{ role: 'user', content }],
  })
  const headers = { ...key, 'x-acs-fault': fault }
  const response = await mock.fetch('/v1/chat/completions/stream', { method: 'POST', body, headers })
  const pieces: Uint8Array[] = []
  let ended = true
  try {
    for await (const piece of response.body ?? []) pieces.push(piece)
  } catch {
    ended = false
  }
  const latin = pieces.map((piece) => Buffer.from(piece).toString('latin1'))
  return { text: Buffer.concat(pieces).toString(), pieces: latin, ended }
}

const frozen = (options: MockOptions = {}) => createMock({ clock: { mode: 'frozen' }, ...options })
const skippedFaults = (mock: Mock) =>
  mock.journal
    .query()
    .at(-1)
    ?.injected.map(({ state, why }) => why ?? state)
const lines = ({ text }: Streamed) => text.split('\n').length - 1

test('spaces around the colon of a fault do not count', async () => {
  await using mock = await createMock()
  const headers = { ...key, 'x-acs-fault': ' rate_limit_gateway : 5 ' }
  expect((await mock.fetch('/v1/assistants', { headers })).headers.get('retry-after')).toBe('5')
})

test('every error code that the contract lists for an operation can be had there, and nowhere else', async () => {
  const mock = await frozen()
  const paths = {
    createChatCompletion: ['POST', '/v1/chat/completions'],
    streamChatCompletion: ['POST', '/v1/chat/completions/stream'],
    runThread: ['POST', '/v1/threads/x/run'],
    streamThreadRun: ['POST', '/v1/threads/x/run/stream'],
    listMessages: ['GET', '/v1/threads/x/messages'],
    createMessage: ['POST', '/v1/threads/x/messages'],
    listMyApiKeys: ['GET', '/v1/tenants/my-api-keys'],
  } as const
  for (const [code, { operations }] of Object.entries(errorTable)) {
    for (const [operation, [method, path]] of Object.entries(paths)) {
      const response = await mock.fetch(path, { method, headers: { ...key, 'x-acs-fault': code } })
      const listed = (operations as readonly string[]).includes(operation)
      const { error_code } = (await response.json()) as { error_code?: string }
      expect(response.headers.get('x-acs-reason') === 'injected-fault', `${code} ${operation}`).toBe(listed)
      if (listed) expect(error_code).toBe(code)
      else expect(skippedFaults(mock)).toEqual([`the contract does not list ${code} for ${operation}`])
    }
  }
})

test('a rate limit tells when to try again', async () => {
  const mock = await frozen()
  const headers = { ...key, 'x-acs-fault': 'rate_limit_gateway:7' }
  const response = await mock.fetch('/v1/tenants/my-api-keys', { headers })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
})

test('a stream breaks off where it is told to', async () => {
  const mock = await frozen()
  const whole = await stream(mock, 'stall:ms=5')
  expect(whole.ended).toBe(true)
  expect(lines(whole)).toBeGreaterThan(3)
  const cut = await stream(mock, 'cut-after-chunk:2')
  expect([cut.ended, lines(cut), cut.text.endsWith('\n')]).toEqual([false, 2, true])
  expect(await stream(mock, 'reset-after-chunk:0')).toMatchObject({ ended: false, text: '' })
  const inside = await stream(mock, 'cut-in-line:chunk=2,at=5')
  expect([inside.ended, inside.text.split('\n')[1]?.length]).toEqual([false, 5])
  const character = await stream(mock, 'cut-in-character')
  expect([character.ended, character.text.endsWith('\ufffd')]).toEqual([false, true])
  const early = await stream(mock, 'end-after-chunk:1')
  expect([early.ended, lines(early)]).toEqual([true, 1])
  expect(mock.journal.query().map(({ outcome }) => outcome)).toEqual([
    'read-all',
    'broken-off',
    'broken-off',
    'broken-off',
    'broken-off',
    'broken-off',
  ])
})

test('the last line comes without its end, half, or not at all', async () => {
  const mock = await frozen()
  const bare = await stream(mock, 'no-final-newline')
  expect([bare.ended, bare.text.endsWith('}')]).toEqual([true, true])
  expect(JSON.parse(bare.text.split('\n').at(-1) ?? '')).toHaveProperty('delta')
  const half = await stream(mock, 'truncated-last-line')
  expect(half.ended).toBe(true)
  expect(() => JSON.parse(half.text.split('\n').at(-1) ?? '')).toThrow()
})

test('a line comes twice, or in two pieces', async () => {
  const mock = await frozen()
  const doubled = await stream(mock, 'duplicate-chunk:2')
  expect(doubled.pieces[1]).toBe(doubled.pieces[2])
  const split = await stream(mock, 'split-in-character:chunk=2')
  expect(split.pieces[1]?.endsWith('\xc3')).toBe(true)
  expect(
    split.ended &&
      split.text
        .split('\n')
        .slice(0, -1)
        .every((line) => JSON.parse(line)),
  ).toBe(true)
  const entry = mock.journal.query().at(-1)
  expect(entry?.chunkTimesUs).toHaveLength(entry?.responsePieces.length ?? 0)
})

test('a document breaks off before its headers, inside its body, or lies about its length', async () => {
  const mock = await frozen()
  const get = (fault: string) => mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })
  await expect(get('reset-before-headers')).rejects.toThrow('fetch failed')
  expect(mock.journal.query().at(-1)).toMatchObject({ status: 0, response: null, outcome: 'broken-off' })
  await expect((await get('cut-in-body:at=10')).text()).rejects.toThrow('terminated')
  expect(Buffer.concat(mock.journal.query().at(-1)?.responsePieces ?? [])).toHaveLength(10)
  const honest = Number((await get('stall:0')).headers.get('content-length'))
  const lying = await get('wrong-content-length:-3')
  expect(Number(lying.headers.get('content-length'))).toBe(honest - 3)
  await expect(lying.arrayBuffer()).rejects.toThrow('terminated')
})

test('a stall and late headers take their time on the clock of the world', async () => {
  const mock = await createMock({ clock: { mode: 'stepped' } })
  const started = mock.clock.nowUs()
  const answer = mock.fetch('/v1/assistants', {
    headers: { ...key, 'x-acs-fault': 'late-headers:ms=400; stall:ms=300' },
  })
  for (let steps = 0; steps < 2; ) {
    await new Promise((resolve) => setImmediate(resolve))
    if (mock.clock.advanceToNext()) steps += 1
  }
  expect((await answer).status).toBe(200)
  expect(mock.clock.nowUs() - started).toBe(700_000)
})

test('a fault that finds no place is counted and told, and the answer is as if it were not there', async () => {
  const mock = await frozen()
  const missed = async (path: string, fault: string) => {
    await mock.fetch(path, { headers: { ...key, 'x-acs-fault': fault } })
    return skippedFaults(mock)?.[0]
  }
  expect(await missed('/v1/assistants', 'cut-after-chunk:3')).toBe('the answer is no stream')
  expect(await missed('/v1/assistants', 'cut-in-body:at=99999')).toMatch(/^the body has \d+ bytes$/)
  const far = await mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': 'cut-in-body:at=99999' } })
  expect(far.headers.get('x-acs-fault-missed')).toMatch(/^cut-in-body: the body has \d+ bytes$/)
  expect(await missed('/v1/nowhere', 'api_timeout_error')).toBe('the request names no operation')
  const plain = await stream(mock, 'cut-in-character', 'plain')
  expect([plain.ended, skippedFaults(mock)]).toEqual([true, ['the answer ended before that place']])
  await stream(mock, 'duplicate-chunk:999')
  expect(skippedFaults(mock)?.[0]).toMatch(/^the stream has \d+ chunks$/)
  await stream(mock, 'cut-in-body')
  expect(skippedFaults(mock)).toEqual(['the answer is no document'])
  const counts = mock.faults.faultCatalogue().map(({ counts: { applied, missed } }) => ({ applied, missed }))
  expect(counts.reduce((sum, one) => sum + one.missed, 0)).toBe(7)
  expect(counts.reduce((sum, one) => sum + one.applied, 0)).toBe(0)
})

test('a fault that does not exist is refused with the closest name, a wrong setting with the right ones', async () => {
  const mock = await frozen()
  const refused = async (fault: string) => {
    const response = await mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })
    const { error_code, detail } = (await response.json()) as { error_code: string; detail: { message: string }[] }
    return `${response.headers.get('x-acs-reason')} ${error_code} ${detail[0]?.message}`
  }
  expect(await refused('cut-after-chnk')).toBe(
    'unknown-fault validation_error no fault is called "cut-after-chnk"; did you mean "cut-after-chunk"?',
  )
  expect(await refused('stall:mss=3')).toContain('"stall" has no setting "mss"; it takes ms, after')
  expect(await refused('stall:ms=soon')).toContain('takes a whole number from 0')
  expect(await refused('no-final-newline:1')).toContain('takes no settings')
  expect(await refused('RATE_LIMIT_GATEWAY')).toContain('did you mean "rate_limit_gateway"?')
  expect(await refused('__proto__')).toContain('no fault is called')
})

test('the catalogue lists every fault with the operations on which it can apply', async () => {
  const mock = await frozen()
  const catalogue = mock.faults.faultCatalogue()
  expect(catalogue.map(({ name }) => name)).toEqual(faultNames)
  expect(catalogue).toHaveLength(Object.keys(errorTable).length + 16)
  const streams = ['streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun']
  expect(catalogue.find(({ name }) => name === 'cut-in-line')?.operations).toEqual(streams)
  expect(catalogue.every(({ operations }) => operations.length > 0)).toBe(true)
})

test('more faults than an exchange takes are refused with the reason, and the mock goes on', async () => {
  const mock = await frozen()
  const chain = `stall:1${';duplicate-chunk'.repeat(1300)}`
  for (const path of ['/v1/assistants', '/v1/nowhere']) {
    const response = await mock.fetch(path, { headers: { ...key, 'x-acs-fault': chain } })
    expect(response.headers.get('x-acs-reason')).toBe('unknown-fault')
    expect(await response.text()).toContain('an exchange takes at most 16 faults')
  }
  expect((await stream(mock, Array.from({ length: 16 }, () => 'duplicate-chunk').join(';'))).ended).toBe(true)
  expect(() => mock.faults.add({ fault: chain })).toThrow(/at most 16 faults/)
})

test('faults of rules beyond the limit of an exchange are missed, and told so', async () => {
  const mock = await frozen()
  for (let rule = 0; rule < 3; rule += 1) mock.faults.add({ fault: Array(8).fill('duplicate-chunk').join(';') })
  expect((await stream(mock, 'stall:ms=0')).ended).toBe(true)
  const skipped = skippedFaults(mock) ?? []
  expect(skipped).toHaveLength(25)
  expect(skipped.filter((why) => why === 'an exchange takes at most 16 faults')).toHaveLength(9)
})

test('there is a limit of rules, since every exchange asks all of them', async () => {
  const mock = await frozen()
  for (let rule = 0; rule < 1000; rule += 1) mock.faults.add({ fault: 'stall', match: { world: 'elsewhere' } })
  expect(() => mock.faults.add({ fault: 'stall' })).toThrow(/1000 rules already/)
})

test('a fault of streams leaves a document whole', async () => {
  const mock = await frozen()
  const plain = await (await mock.fetch('/v1/assistants', { headers: key })).text()
  for (const fault of ['end-after-chunk:0', 'cut-in-line', 'truncated-last-line']) {
    const response = await mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })
    expect([fault, await response.text()]).toEqual([fault, plain])
    expect(skippedFaults(mock)).toEqual(['the answer is no stream'])
  }
})

test('what throws behind a pause ends its own exchange only', async () => {
  const mock = await frozen({
    interfere: () => ({
      wrapSink: (sink) => ({
        ...sink,
        write() {
          throw new Error('deliberate')
        },
        end() {
          throw new Error('deliberate')
        },
      }),
    }),
  })
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve))
  const get = (fault: string) => mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })
  await expect(get('stall:ms=5')).rejects.toThrow('fetch failed')
  expect((await warning).message).toContain('a fault could not go on: Error: deliberate')
  await expect(stream(mock, 'stall:ms=5')).resolves.toMatchObject({ ended: false })
})

test('a client that leaves ends a pause, with all that it holds back', async () => {
  const mock = await createMock({ clock: { mode: 'stepped' } })
  const leave = async (path: string, fault: string) => {
    const abort = new AbortController()
    const init = { headers: { ...key, 'x-acs-fault': fault }, signal: abort.signal }
    const answer = mock.fetch(path, init)
    answer.catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
    abort.abort()
    await expect(answer).rejects.toThrow()
  }
  await leave('/v1/assistants', 'stall:3600000')
  await leave('/v1/assistants', 'stall:3600000;stall:10')
  await leave('/v1/assistants', 'late-headers:3600000')
  await leave('/v1/nowhere', 'stall:3600000')
  expect(mock.clock.advanceToNext()).toBe(false)
})

test('closing the mock ends an answer in the same process that a fault holds back', async () => {
  const mock = await createMock()
  const { assistant } = mockClient(mock.main, mock)
  const body = JSON.stringify({ assistant_id: assistant('Echo'), messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { ...key, 'x-acs-fault': 'stall:after=1,ms=600000' }
  const response = await mock.fetch('/v1/chat/completions/stream', { method: 'POST', headers, body })
  const read = response.text()
  await mock.close()
  await expect(read).rejects.toThrow('the mock was closed')
})

test('a rule that can never act is refused, with what it would apply to', async () => {
  const mock = await createMock()
  const add = (draft: Parameters<typeof mock.faults.add>[0]) => () => mock.faults.add(draft)
  expect(add({ fault: 'api_timeout_error', match: { operation: 'listAssistants' } })).toThrow(
    'api_timeout_error never applies to listAssistants; it applies to createChatCompletion',
  )
  for (const fault of ['cut-after-chunk', 'reset-after-chunk:2', 'stall:after=1'])
    expect(add({ fault, match: { operation: 'runThread' } })).toThrow(`${fault} never applies to runThread`)
  expect(add({ fault: 'cut-after-chunk:0; stall', match: { operation: 'runThread' } })).not.toThrow()
  expect(add({ fault: 'stall', match: { assistant: 'Ecko' } })).toThrow('did you mean "Echo"?')
  expect(add({ fault: 'stall', match: { tenant: 'primry' } })).toThrow('did you mean "primary"?')
  expect(add({ fault: 'stall', match: { assistant: mock.scenario.tenants[0]?.assistants[0]?.id ?? '' } })).not.toThrow()
})

test('a fault of a body is missed by the answer to HEAD, which has none', async () => {
  const mock = await createMock()
  for (const fault of ['wrong-content-length', 'cut-in-body', 'cut-in-body:3']) {
    const headers = { ...key, 'x-acs-fault': fault }
    const answer = await mock.fetch('/v1/assistants', { method: 'HEAD', headers })
    const missed = `${fault.split(':')[0]}: the answer to HEAD has no body`
    expect([answer.status, answer.headers.get('x-acs-fault-missed')]).toEqual([200, missed])
  }
})

test('a rate limit can be injected into every operation', async () => {
  const mock = await createMock()
  const answer = await mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': 'rate_limit_gateway' } })
  expect(answer.status).toBe(429)
})

test('an answer names the faults that had no place in it', async () => {
  const mock = await createMock()
  const missed = async (fault: string) =>
    (await mock.fetch('/v1/assistants', { headers: { ...key, 'x-acs-fault': fault } })).headers.get(
      'x-acs-fault-missed',
    )
  expect(await missed('cut-after-chunk:3; tenant_not_found')).toBe(
    'cut-after-chunk: the answer is no stream; tenant_not_found: the contract does not list tenant_not_found for listAssistants',
  )
  expect(await missed('stall:0')).toBeNull()
})

test('the events stream can fail as the stream of text can, by header and by rule', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const { assistant } = mockClient(mock.main, mock)
  const body = JSON.stringify({ assistant_id: assistant('Echo'), messages: [{ role: 'user', content: 'x' }] })
  const asked = (fault?: string) =>
    mock.fetch('/v1/chat/completions/events/stream', {
      method: 'POST',
      headers: { 'api-key': 'acs-demo-primary', ...(fault === undefined ? null : { 'x-acs-fault': fault }) },
      body,
    })
  for (const [fault, status] of [
    ['api_timeout_error', 504],
    ['internal_service_error', 503],
    ['validation_error', 422],
    ['assistant_not_available', 403],
  ] as const) {
    const answer = await asked(fault)
    expect([answer.status, answer.headers.get('x-acs-fault-missed')]).toEqual([status, null])
    mock.faults.add({ fault, match: { operation: 'streamChatCompletionEvents' }, times: 1 })
    expect((await asked()).status).toBe(status)
  }
})

test.each([
  ['/v1/tenants/my-api-keys', { loc: ['header', 'api-key'], type: 'string_pattern_mismatch' }],
  ['/v1/chat/completions', { loc: ['body', 'assistant_id'], message: 'is required', type: 'missing' }],
])('an injected validation_error of %s names a field that the request can have wrong', async (path, fault) => {
  const mock = await createMock()
  const headers = { 'api-key': 'acs-demo-primary', 'x-acs-fault': 'validation_error' }
  const init = path.includes('chat') ? { method: 'POST', body: '{}', headers } : { headers }
  expect(await (await mock.fetch(path, init)).json()).toMatchObject({ detail: [fault] })
})
