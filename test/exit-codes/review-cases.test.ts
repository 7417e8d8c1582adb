/** Tests what users once met: a command that looked right and was not, or that spent too much. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subjectOf } from '../../cli/prove/mutant.ts'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { acs } from '../acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-review-'))
const place = (name: string): string => join(folder, name)
const keys = { ACS_API_KEY: 'acs-demo-primary' }

/** A server that breaks one rule, and how many requests it got. */
let mock: Mock
let url = ''
let requests = 0
let modelCalls = 0
/** What the first run prints. */
let found = ''
const faulty = 'threads.list-shows-other-ids'

const target = (name: string, baseUrl: string, more = ''): string => {
  writeFileSync(
    place(name),
    `baseUrl: ${baseUrl}\ntenants: { primary: { key: "\${ACS_API_KEY}" } }\nclaims: [core, threads]\n` +
      `threads: { kind: http, method: POST, path: /v1/threads, pointer: /id, body: { assistant_id: "{{assistant_id}}" } }\n${more}`,
  )
  return place(name)
}
const only = ['--only', 'threads.listed-as-created', '--seed', '1'] as const

beforeAll(async () => {
  const { overrides } = await subjectOf('deviation', faulty)
  mock = await createMock({
    deviations: overrides,
    seed: 1,
    onExchange: ({ operation, response }) => {
      requests += 1
      if (/Completion|run/i.test(operation ?? '') && (response?.status ?? 500) < 300) modelCalls += 1
    },
  })
  url = (await mock.listen({ port: 0, host: '127.0.0.1' })).url
  const first = await acs(['test', '--target', target('t.yaml', url), ...only, '--out', place('found')], keys)
  if (first.code !== 1) throw new Error(first.out + first.err)
  found = first.out
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the command that is printed for a finding runs as it is printed, in every file of the report', async () => {
  const inText = /^ +reproduce +acs (replay .*)$/m.exec(found)?.[1] ?? ''
  // The page keeps words with a hyphen on one line.
  for (const name of ['report.html', 'junit.xml'])
    expect(readFileSync(place(`found/${name}`), 'utf8').replaceAll(/<\/?span>/g, ''), name).toContain(inText)
  const { code, out } = await acs(inText.split(' '), keys)
  expect([code, out]).toEqual([1, expect.stringContaining('reproduced')])
})

test('a replay with a wrong key, or of a service that is gone, shows nothing and is not green', async () => {
  const report = place('found/report.json')
  const wrongKey = await acs(['replay', report, '--target', target('t.yaml', url)], { ACS_API_KEY: 'acs-demo-primray' })
  expect([wrongKey.code, wrongKey.out]).toEqual([3, ''])
  const gone = await acs(['replay', report, '--target', target('gone.yaml', 'http://127.0.0.1:1')], keys)
  expect(gone.code).toBe(3)
  expect(gone.out).toContain('could not be tried')
  expect(gone.out).not.toContain('✓')
  expect(gone.err).toContain(`Note: the report is of ${url}; `)
})

test('a replay of a service that is still broken says so, where it sent, and which requests of the report it repeats', async () => {
  const argv = ['replay', place('found/report.json'), '--target', target('t.yaml', url)]
  const { code, out, err } = await acs(argv, keys)
  expect(code).toBe(1)
  expect(out).toContain('reproduced')
  expect(out).toMatch(/^E\d+ \(E\d+ in the report\) {2}POST \/v1\/threads/m)
  expect(out).toMatch(/^ {2}because {3}\S/m)
  expect(out).not.toMatch(/^ {2}[<>] /m)
  expect(err).toContain(`Replaying against ${url}\n`)
  expect(err).not.toContain('Note:')
  const verbose = await acs([...argv, '--verbose'], keys)
  expect(verbose.out).toMatch(/^ {2}> \{/m)
  expect(verbose.out).toMatch(/^ {2}< \{/m)
})

test('judge has the quiet and the verbose text of test', async () => {
  const argv = ['judge', place('found/trace.ndjson'), ...only.slice(0, 2), '--out', place('judged')]
  const [quiet, verbose] = [await acs([...argv, '--quiet'], keys), await acs([...argv, '--verbose'], keys)]
  expect([quiet.code, verbose.code]).toEqual([1, 1])
  expect(quiet.out).not.toContain('rules by chapter')
  expect(verbose.out).toMatch(/^ +E\d+=\$\(curl -sS /m)
})

test('no request goes out beyond the budget of the profile, the check of the keys and the replays included', async () => {
  const file = target('capped.yaml', url, 'budget: { maxExchanges: 60, maxModelCalls: 3 }\n')
  requests = 0
  modelCalls = 0
  const { code } = await acs(['test', '--target', file, '--seed', '1', '--out', place('capped')], keys)
  expect(code).not.toBe(0)
  expect(requests).toBeLessThanOrEqual(60)
  expect(modelCalls).toBeLessThanOrEqual(3)
})

test('a wide budget of the profile does not widen a smoke run beyond its plan', async () => {
  const file = target('wide.yaml', url, 'budget: { maxExchanges: 1000, maxModelCalls: 100 }\n')
  const argv = ['test', '--target', file, '--seed', '1', '--tier', 'smoke']
  const { out } = await acs([...argv, '--plan'], keys)
  const planned = Number(/plans \d+ requests \(cap (\d+)\)/.exec(out)?.[1])
  requests = 0
  await acs([...argv, '--out', place('wide')], keys)
  const { cost } = JSON.parse(readFileSync(place('wide/report.json'), 'utf8')) as { cost: { exchanges: number } }
  expect(cost.exchanges).toBeLessThanOrEqual(planned)
  expect(requests).toBeGreaterThanOrEqual(cost.exchanges)
})

test.each([
  ['report', (file: string) => ['report', file]],
  ['replay', (file: string) => ['replay', file, url]],
  ['judge', (file: string) => ['judge', file, '--out', place('judged')]],
  ['compare', (file: string) => ['compare', file, file]],
  ['verify', (file: string) => ['verify', file, '--require', 'x\ny']],
  ['baseline', (file: string) => ['baseline', file, '--out', place('b.yaml')]],
])('acs %s says what is wrong with a file in one line, whatever the file holds', async (_, argv) => {
  writeFileSync(place('odd.json'), 'baseUrl: 3\nrule: \u001b[31m\n\n')
  const { code, err } = await acs(argv(place('odd.json')), keys)
  expect(code).toBeGreaterThanOrEqual(64)
  expect(err).toMatch(/^acs: [^\n]+\n$/)
})

test('recorded requests with a mistyped key accuse nobody, with the profile or without it', async () => {
  const answer = { status: 401, headers: [{ name: 'content-type', value: 'application/json' }] }
  const body = JSON.stringify({ error_code: 'unauthorized', detail: 'The api-key is not known.' })
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: `${url}/v1/assistants`, headers: [{ name: 'api-key', value: 'acs-demo-primray' }] },
    response: { ...answer, content: { mimeType: 'application/json', text: body, size: body.length } },
  }
  const log = { version: '1.2', creator: { name: 'browser', version: '1' }, entries: [entry] }
  writeFileSync(place('mistyped.har'), JSON.stringify({ log }))
  for (const more of [[], ['--target', target('t.yaml', url)]]) {
    const { code, out, err } = await acs(['judge', place('mistyped.har'), ...more, '--out', place('judged')], keys)
    expect([code, out], err).toEqual([expect.toBeOneOf([2, 3]), expect.not.stringMatching(/^×/m)])
  }
})

/** Watches a client with a good key that mistypes it afterwards, until it is interrupted. */
const watchedClient = async (...options: readonly string[]) => {
  const stop = new AbortController()
  const visit = async (proxy: string): Promise<void> => {
    for (const key of ['acs-demo-primary', 'acs-demo-primray'])
      for (const path of ['assistants', 'files/signed-url?filename=a.txt', 'tenants/my-api-keys'])
        await (await fetch(`${proxy}/v1/${path}`, { headers: { 'api-key': key, 'user-id': 'ann' } })).text()
    stop.abort()
  }
  const onErr = (text: string): void => {
    const proxy = /through (http\S+)/.exec(text)?.[1]
    if (proxy !== undefined) void visit(proxy)
  }
  return acs(['watch', '--upstream', url, ...options], keys, { interrupted: stop.signal, onErr })
}

test.each([
  ['with the profile', () => ['--target', target('t.yaml', url)]],
  ['without it', () => []],
])('a client that mistypes its key while it is watched accuses nobody, %s', async (_, options) => {
  const { code, out, err } = await watchedClient(...options(), '--strict', '--out', place('watched'))
  expect([code, out], err).toEqual([expect.toBeOneOf([0, 2]), expect.not.stringMatching(/^×/m)])
  const { cost } = JSON.parse(readFileSync(place('watched/report.json'), 'utf8')) as { cost: { exchanges: number } }
  expect(cost.exchanges).toBe(6)
})

test('judging and watching leave the report of the last run alone', async () => {
  const before = process.cwd()
  mkdirSync(place('home/acs-report'), { recursive: true })
  writeFileSync(place('home/acs-report/report.json'), 'of the last run')
  process.chdir(place('home'))
  try {
    await acs(['judge', place('found/trace.ndjson')], keys)
    await watchedClient()
  } finally {
    process.chdir(before)
  }
  expect(readFileSync(place('home/acs-report/report.json'), 'utf8')).toBe('of the last run')
  expect(readdirSync(place('home')).sort()).toEqual(['acs-judged', 'acs-report', 'acs-watched'])
})

test('the command that a merged report prints runs as it is printed, or what it lacks is told', async () => {
  const parts = ['1', '2'].map((part) => place(`part-${part}`))
  for (const [index, part] of parts.entries())
    await acs(['test', '--target', target('t.yaml', url), ...only, '--shard', `${index + 1}/2`, '--out', part], keys)
  const merge = ['merge', ...parts.map((part) => join(part, 'report.json')), '--out', place('merged')]
  const merged = await acs([...merge, '--target', place('t.yaml')])
  const printed = /^ +reproduce +acs (replay .*)$/m.exec(merged.out)?.[1] ?? ''
  expect(printed).toContain(`--target ${place('t.yaml')}`)
  expect(merged.err).not.toContain('--target')
  expect(await acs(printed.split(' '), keys)).toMatchObject({ code: 1, out: expect.stringContaining('reproduced') })
  const { code, err } = await acs(merge)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^add --target FILE .* to the printed commands, or to acs merge$/m),
  ])
})

test('a rule that is not known is wrong usage, and the last report stays', async () => {
  const before = readFileSync(place('found/report.json'), 'utf8')
  const argv = ['test', '--target', target('t.yaml', url), '--only', 'pagnation.*', '--out', place('found')]
  const { code, err } = await acs(argv, keys)
  expect(code).toBe(64)
  expect(err).toContain('did you mean pagination.*?')
  expect(readFileSync(place('found/report.json'), 'utf8')).toBe(before)
})
