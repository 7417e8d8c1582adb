/** Tests that options which name nothing are refused, in process as over HTTP. */
import { expect, test } from 'vitest'
import { createMock } from './mock.ts'

test.for([
  [{ sed: 7 }, 'sed is unknown in the options of a mock; did you mean "seed"?'],
  [{ clock: 'frozen' }, 'clock must be an object, with mode, startAt'],
  [{ clock: { mode: 'frozen', factor: 2 } }, 'factor has no effect on a frozen clock'],
  [{ seed: 'a' }, 'seed must be a whole number from 0 on'],
  [{ seed: 1.5 }, 'seed must be'],
  [{ seed: -1 }, 'seed must be'],
  [{ seed: 1e99 }, 'seed must be'],
  [{ journal: { entries: -1 } }, 'journal.entries must be a whole number from 0 on, got -1'],
  [{ journal: { entris: 5 } }, 'entris is unknown in journal; did you mean "entries"?'],
  [{ maxWorlds: 0.5 }, 'maxWorlds must be a whole number'],
  [
    { scenario: './shop.yaml' },
    'scenario must be an object, not a text; load a file with scenario: await loadScenario(',
  ],
  [{ scenario: Promise.resolve({}) }, 'scenario must be an object, not a promise; write scenario: await loadScenario('],
] as const)('a mock with %j is refused', async ([options, message]) => {
  await expect(createMock(options as never)).rejects.toThrow(message)
})

test('a world, a fault rule and a filter refuse what they do not know', async () => {
  const mock = await createMock()
  const refused = (act: () => unknown, message: RegExp) => expect(act).toThrow(message)
  refused(() => mock.world('a b' as never), /the options of a world must be an object/)
  refused(() => mock.world({ nam: 'a' } as never), /did you mean "name"/)
  refused(() => mock.world({ seed: 0.5 }), /seed must be/)
  refused(() => mock.world({ journal: { bytes: Number.NaN } }), /journal.bytes must be a whole number/)
  refused(() => mock.main.restore({} as never), /snapshot must be one that snapshot\(\) gave/)
  const fault = 'rate_limit_gateway'
  refused(() => mock.faults.add({ fault, tims: 1 } as never), /did you mean "times"/)
  refused(() => mock.main.faults.add({ fault, match: { thred: 'x' } } as never), /did you mean "thread"/)
  refused(() => mock.journal.query({ operaton: 'runThread' } as never), /did you mean "operation"/)
  refused(() => mock.journal.export('har', { outcome: 'brokenoff' as never }), /did you mean "broken-off"/)
  await expect(mock.journal.wait({ status: 'x' as never })).rejects.toThrow(/status must be a whole number/)
  expect(mock.journal.isAwaited()).toBe(false)
})

test('a listener refuses what it does not know, and a token that nobody can send', async () => {
  const mock = await createMock()
  await expect(mock.listen({ prot: 4010 } as never)).rejects.toThrow(
    'prot is unknown in the options of a listener; did you mean "port"?',
  )
  await expect(mock.listen({ adminToken: '' })).rejects.toThrow(/adminToken must not be empty/)
})

async function problem(line: string, body?: unknown) {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const [method = '', path = ''] = line.split(' ')
  const init = { method, ...(body === undefined ? null : { body: JSON.stringify(body) }) }
  const answer = await mock.fetch(`/_acs${path}`, init)
  const { detail } = (await answer.json()) as { detail: readonly { loc: readonly string[]; message: string }[] }
  return [answer.status, detail[0]?.loc.join('.'), detail[0]?.message]
}

const start = '2030-01-01T00:00:00Z'

test.for([
  [{ seed: 1.5 }, 'body.seed', /whole number from 0 on/],
  [{ seed: -1 }, 'body.seed', /whole number/],
  [{ start_at: start }, 'body.start_at', /no effect on a real clock/],
  [{ mode: 'scaled', start_at: start }, 'body.start_at', /no effect on a scaled clock/],
  [{ mode: 'stepped', start_at: '2030-02-30T00:00:00Z' }, 'body.start_at', /not an ISO 8601 time/],
  [{ mode: 'stepped', start_at: '2251-01-01T00:00:00Z' }, 'body.start_at', /from 1700/],
  [{ factor: 5 }, 'body.factor', /choose scaled/],
  [{ mode: 'x' }, 'body.mode', /must be one of/],
  [{ name: '..' }, 'body.name', /use 1 to 64/],
] as const)('POST /worlds with %j is refused at its field', async ([body, loc, message]) => {
  expect(await problem('POST /worlds', body)).toEqual([422, loc, expect.stringMatching(message)])
})

test.for([
  ['operation=createChatCompletions', 'query.operation', /did you mean "createChatCompletion"/],
  ['outcome=brokenoff', 'query.outcome', /did you mean "broken-off"/],
  ['tenant=primari', 'query.tenant', /did you mean "primary"/],
  ['fault=cut_after', 'query.fault', /is unknown/],
  ['fault=cut-aftr', 'query.fault', /did you mean "cut-after-chunk"/],
  ['count=1', 'query.count', /unknown; use one of operation, method, /],
  ['method=get', 'query.method', /in capitals/],
  ['method=GTE', 'query.method', /did you mean "GET"/],
  ['status=999', 'query.status', /from 100 to 599: 999/],
  ['thread=zzz', 'query.thread', /must be the id of a thread, a UUID: "zzz"/],
  ['status=', 'query.status', /must be a number/],
  ['status=200&status=404', 'query.status', /given once/],
] as const)('a journal filter %s is refused', async ([query, loc, message]) => {
  const refusal = [422, loc, expect.stringMatching(message)]
  expect(await problem(`GET /worlds/default/journal?${query}`)).toEqual(refusal)
  if (loc !== 'query.count') expect(await problem(`GET /worlds/default/journal/wait?${query}`)).toEqual(refusal)
})

test('the clock refuses what it cannot do at the field, and shows its factor', async () => {
  const clock = 'POST /worlds/default/clock'
  expect((await problem(clock, { factor: 5 }))[1]).toBe('body.factor')
  expect((await problem(clock, { advance_ms: -1 }))[1]).toBe('body.advance_ms')
  expect((await problem('POST /worlds/default/restore', {}))[1]).toBe('body.snapshot')
  const mock = await createMock({ clock: { mode: 'scaled', factor: 5 } })
  expect(await (await mock.fetch('/_acs/worlds/default/clock')).json()).toMatchObject({ mode: 'scaled', factor: 5 })
})
