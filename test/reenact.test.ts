/** A recording follows from its seed: repeating the run over the recorded answers sends the same requests. */
import { expect, test } from 'vitest'
import { type Exchange, reenact, type Trace } from '../conformance/index.ts'
import { recordRun, traceOfRun } from './recorded-run.ts'
import { startAtrium } from './servers/atrium/index.ts'
import { startBasalt } from './servers/basalt/index.ts'
import { slowTest } from './support/slow-test.ts'

const smoke = await recordRun({ tier: 'smoke', seed: 5 })

const withHeader = (change: Partial<Trace['header']>): Trace => ({ ...smoke, header: { ...smoke.header, ...change } })
const withExchanges = (change: (exchanges: readonly Exchange[]) => readonly Exchange[]): Trace => {
  const exchanges = change(smoke.exchanges)
  return { ...smoke, exchanges, footer: smoke.footer && { ...smoke.footer, exchanges: exchanges.length } }
}
const withRequest = (change: (request: Exchange['request']) => Exchange['request']): Trace =>
  withExchanges((all) => all.map((one, index) => (index === 20 ? { ...one, request: change(one.request) } : one)))

slowTest('an honest recording follows from its seed, whatever server answered', async () => {
  expect(await reenact(smoke)).toEqual({ outcome: 'same', requests: smoke.exchanges.length })
  expect(await reenact(await recordRun({ tier: 'gate', seed: 77 }))).toMatchObject({ outcome: 'same' })
  for (const start of [startAtrium, startBasalt]) {
    const server = await start()
    const trace = await traceOfRun(server.profile, { tier: 'gate', seed: 11 }).finally(server.close)
    expect(await reenact(trace)).toEqual({ outcome: 'same', requests: trace.exchanges.length })
  }
})

test('a large file follows from its seed, though the trace holds its beginning alone', async () => {
  const trace = await recordRun({ tier: 'gate', seed: 3 }, { claims: ['core', 'files'] })
  const isCut = ({ request }: Exchange): boolean => (request.omittedBytes ?? 0) > 0
  expect(trace.exchanges.filter(isCut)).toHaveLength(1)
  expect(JSON.stringify(trace).length).toBeLessThan(3_000_000)
  expect(await reenact(trace)).toMatchObject({ outcome: 'same' })
  const shorter = trace.exchanges.map((one) =>
    isCut(one) ? { ...one, request: { ...one.request, omittedBytes: 5 } } : one,
  )
  expect(await reenact({ ...trace, exchanges: shorter })).toMatchObject({ outcome: 'different' })
})

test('a part of a divided run follows from its seed', async () => {
  const trace = await recordRun({ tier: 'smoke', seed: 3, shard: { index: 2, of: 3 } })
  expect(await reenact(trace)).toMatchObject({ outcome: 'same' })
})

test('keys that stand in the recording under pseudonyms do not make a difference', async () => {
  const tenants = { primary: { key: 'acs-demo-primary' }, secondary: { key: 'acs-demo-secondary' } }
  const trace = await recordRun({ tier: 'gate', seed: 8 }, { tenants, throttle: null, claims: ['core', 'tenancy'] })
  expect(JSON.stringify(trace)).not.toContain('acs-demo-primary')
  expect(await reenact(trace)).toMatchObject({ outcome: 'same' })
})

test('an old recording under the seed of a new challenge is told from an answer to it', async () => {
  expect(await reenact(withHeader({ seed: 6 }))).toMatchObject({
    outcome: 'different',
    exchange: expect.stringMatching(/^E[1-5]$/),
  })
})

test.each<readonly [string, Trace]>([
  ['an exchange is left out', withExchanges((all) => all.filter((_, index) => index !== 30))],
  ['the last exchange is left out', withExchanges((all) => all.slice(0, -1))],
  ['an exchange is added', withExchanges((all) => [...all, { ...(all.at(-1) as Exchange), id: 'E999' }])],
  ['the order is another one', withExchanges(rotated)],
  ['a body is changed', withRequest((request) => ({ ...request, body: { utf8: '{}' } }))],
  ['a URL is changed', withRequest((request) => ({ ...request, url: `${request.url}?a=b` }))],
  ['a header is added', withRequest((request) => ({ ...request, headers: [...request.headers, ['x-a', 'b']] }))],
  ['a key is another one', withRequest(underAnotherKey)],
  ['the count of model calls is changed', { ...smoke, footer: smoke.footer && { ...smoke.footer, modelCalls: 0 } }],
  ['the cap is changed', withHeader({ plan: { tier: 'smoke', maxExchanges: 59, maxModelCalls: 7 } })],
])('a recording is refused when %s', async (_, trace) => {
  expect(await reenact(trace)).toMatchObject({ outcome: 'different', reason: expect.stringMatching(/^(E\d+|after)/) })
})

/** Every exchange is one place later, the last one stands first. */
function rotated(all: readonly Exchange[]): readonly Exchange[] {
  return all.map((one, index) => ({ ...one, id: all[(index + 1) % all.length]?.id ?? one.id }))
}

function underAnotherKey(request: Exchange['request']): Exchange['request'] {
  const headers = request.headers.map(([name, value]) => [name, name === 'api-key' ? `${value}x` : value] as const)
  return { ...request, headers }
}

test.each<readonly [string, Trace]>([
  ['no tier was planned', withHeader({ plan: { tier: 'huge', maxExchanges: null, maxModelCalls: null } })],
  ['a proxy recorded it', withHeader({ source: 'proxy' })],
  ['the run broke off', { ...smoke, footer: null }],
  ['the profile is none', withHeader({ profile: { tenants: 5 } })],
  ['another version recorded and planned it', withHeader({ suiteVersion: '0.0.1', seed: 6 })],
])('nothing is claimed when %s', async (_, trace) => {
  expect(await reenact(trace)).toMatchObject({ outcome: 'undecided' })
})

test('no command of a profile is run', async () => {
  const threads = { kind: 'command', command: ['/bin/false'] }
  const trace = withHeader({ profile: { ...(smoke.header.profile as object), threads } })
  expect(await reenact(trace)).toMatchObject({ outcome: 'undecided', reason: expect.stringContaining('a command') })
})
