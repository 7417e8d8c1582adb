/** A long `acs watch` keeps bounded files, rolls its reports and exits by what the traffic showed. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { main } from '../cli/app.ts'
import { referenceProfile } from '../cli/reference-profile.ts'
import { decodeTrace, judge, type RunOptions } from '../conformance/index.ts'
import { createMock, loadDeviations } from '../mock-server/index.ts'
import { traceOfRun } from './recorded-run.ts'
import { slowTest } from './support/slow-test.ts'

// Whole runs through the proxy: a limit against hanging.
vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'acs-watch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Watched {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly folder: string
}

/** Adds long messages to a thread of its own, so that a recording soon fills files of a mebibyte. */
const addLongMessages = async (url: string, count: number): Promise<void> => {
  const headers = { 'api-key': 'acs-demo-primary', 'content-type': 'application/json' }
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = (await (await post('/v1/threads', {})).json()) as { readonly id: string }
  for (let sent = 0; sent < count; sent += 1)
    await (await post(`/v1/threads/${id}/messages`, { role: 'user', content: `${sent} `.repeat(20_000) })).text()
}

interface Traffic extends RunOptions {
  /** Long messages before the run. */
  readonly longMessages?: number
}

/** Runs the suite through `acs watch` against a mock with deviations, and interrupts it. */
const watched = async (
  name: string,
  options: readonly string[],
  { longMessages = 0, ...traffic }: Traffic,
  deviationIds: readonly string[] = [],
): Promise<Watched> => {
  const deviations = (await loadDeviations()).deviations.filter(({ id }) => deviationIds.includes(id))
  await using mock = await createMock({ deviations })
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  const place = join(folder, name)
  const target = join(folder, `${name}.json`)
  writeFileSync(target, JSON.stringify(referenceProfile(listener.url)))
  const stop = new AbortController()
  const printed = { out: '', err: '' }
  let begin: (url: string) => void = () => undefined
  const begun = new Promise<string>((resolve) => {
    begin = resolve
  })
  const argv = ['watch', '--upstream', listener.url, '--target', target, '--out', place, ...options]
  const ended = main(argv, {
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
      const url = /through (\S+)/.exec(text)?.[1]
      if (url !== undefined) begin(url)
    },
    errIsTty: false,
    outColor: false,
    errColor: false,
    environment: process.env,
    interrupted: stop.signal,
    endsAtOnce: (work) => work(),
  })
  try {
    const url = await Promise.race([begun, ended.then(() => Promise.reject(new Error(printed.err)))])
    await addLongMessages(url, longMessages)
    await traceOfRun(referenceProfile(url), { seed: 3, concurrency: 8, ...traffic })
  } finally {
    stop.abort()
  }
  return { code: await ended, ...printed, folder: place }
}

const filesIn = (place: string): readonly string[] =>
  readdirSync(join(place, 'recording')).filter((name) => name !== 'growing.ndjson')

slowTest(
  'a long recording is kept in files that are judged together; sound traffic ends with 0, also strict',
  async () => {
    const ended = await watched('sound', ['--file-size', '1', '--exclusive', '--strict'], {
      tier: 'smoke',
      longMessages: 12,
    })
    expect({ code: ended.code, err: ended.err }).toMatchObject({ code: 0 })
    const files = filesIn(ended.folder)
    expect(files.length).toBeGreaterThan(1)
    const traces = files.map((name) => decodeTrace(readFileSync(join(ended.folder, 'recording', name), 'utf8')))
    const report = JSON.parse(readFileSync(join(ended.folder, 'report.json'), 'utf8')) as {
      cost: { exchanges: number }
    }
    expect(report.cost.exchanges).toBe(traces.reduce((sum, { exchanges }) => sum + exchanges.length, 0))
    for (const trace of traces) expect(judge(trace).exitCode).toBe(0)
  },
)

slowTest('the oldest files give way, and what was violated is kept beside the report', async () => {
  const ended = await watched(
    'faulty',
    ['--file-size', '1', '--keep', '1'],
    { tier: 'gate', only: 'streams.*', longMessages: 12 },
    ['streams.sse-framing'],
  )
  expect(ended.code).toBe(1)
  const files = filesIn(ended.folder)
  expect(files).toHaveLength(1)
  expect(files).not.toContain('00001.ndjson')
  expect(ended.err).toContain('× ')
  expect(existsSync(join(ended.folder, 'violations', '1', 'report.json'))).toBe(true)
})

slowTest(
  'an invented message is seen where nothing else reaches the tenants; elsewhere others may have written it',
  async () => {
    const deviation = (await loadDeviations()).deviations.find(
      ({ requirement }) => requirement === 'threads.no-phantom-messages',
    )
    const ids = [deviation?.id ?? '']
    const traffic = { tier: 'gate', only: 'threads.*' } as const
    const open = await watched('open', [], traffic, ids)
    const exclusive = await watched('exclusive', ['--exclusive'], traffic, ids)
    const isSeen = ({ folder: place }: Watched): boolean =>
      judge(decodeTrace(readFileSync(join(place, 'trace.ndjson'), 'utf8'))).verdicts.some(
        ({ requirement, outcome }) => requirement === 'threads.no-phantom-messages' && outcome === 'violated',
      )
    expect([isSeen(open), isSeen(exclusive)]).toEqual([false, true])
  },
)

test('--exclusive without a profile is a usage error', async () => {
  let err = ''
  const code = await main(['watch', '--upstream', 'http://127.0.0.1:9', '--exclusive'], {
    out: () => undefined,
    err: (text) => {
      err += text
    },
    errIsTty: false,
    outColor: false,
    errColor: false,
    environment: {},
    interrupted: new AbortController().signal,
    endsAtOnce: (work) => work(),
  })
  expect([code, err]).toEqual([64, expect.stringContaining('--target')])
})
