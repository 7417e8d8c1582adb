/** An interrupted run goes on where it was and comes to the verdicts of a whole run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { referenceProfile } from '../cli/reference-profile.ts'
import { decodeTrace, type FetchHandler, judge, resume, run, type Trace } from '../conformance/index.ts'
import { judgeLongFile } from '../conformance/judge-file/judge-long-file.ts'
import { createMock } from '../mock-server/index.ts'
import { acs } from './acs-in-process.ts'
import { traceOfRun } from './recorded-run.ts'
import { builtCommand } from './support/built-command.ts'
import { sampleOf } from './support/samples.ts'
import { serveHandler } from './support/serve-handler.ts'
import { slowTest } from './support/slow-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-resume-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A mock of its own, which tells of every request before it is answered. */
const served = async (onRequest: (count: number, path: string) => void, isGone = () => false) => {
  const mock = await createMock({ seed: 5 })
  let count = 0
  const handler: FetchHandler = (request) => {
    count += 1
    onRequest(count, new URL(request.url).pathname)
    return isGone() ? new Response('', { status: 404 }) : mock.fetch(request)
  }
  const { url, close } = await serveHandler(handler)
  const file = join(folder, `${count}-${Math.random()}.yaml`)
  writeFileSync(file, JSON.stringify(referenceProfile(url)))
  return { url, file, close: () => close().then(() => mock.close()) }
}

const outcomesOf = (trace: Trace): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judge(trace, { strict: true })
      .verdicts.filter(({ requirement }) => requirement !== 'streams.progressive')
      .map((one) => [`${one.requirement} ${one.operation} ${one.facet ?? ''}`, one.outcome]),
  )

const seed = 11
const whole = (async () => {
  const { url, close } = await served(() => undefined)
  return traceOfRun(referenceProfile(url), { tier: 'gate', seed, concurrency: 8 }).finally(close)
})()

const readTrace = (out: string): Trace => decodeTrace(readFileSync(join(out, 'trace.ndjson'), 'utf8'))

/** None of them is inside of a run: what its thread refuses after that may be refused for it, which is open. */
const killedAtRequests = [12, 91, 145, 365, 425]

test.each(sampleOf('requests at which a process is killed', killedAtRequests))(
  'a process that is killed at request %i',
  async (killedAt) => {
    const out = join(folder, `killed-${killedAt}`)
    let kill = (): void => undefined
    const { file, close } = await served((count) => {
      if (count === killedAt) kill()
    })
    const options = ['test', '--target', file, '--out', out, '--seed', String(seed)]
    const child = spawn(process.execPath, [await builtCommand(), ...options], { stdio: 'ignore' })
    kill = () => void child.kill('SIGKILL')
    await once(child, 'exit')
    const paid = readFileSync(join(out, 'trace.ndjson'), 'utf8').split('\n').length - 2
    const { code, err } = await acs([...options, '--resume', join(out, 'trace.ndjson')]).finally(close)
    const trace = readTrace(out)
    const before = await whole
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    expect(outcomesOf(trace)).toEqual(outcomesOf(before))
    expect(trace.header.resumed).toBe(true)
    // What was on its way is asked again, with the probes that wrote it; the rest is sent once.
    expect(trace.exchanges.length - before.exchanges.length).toBeLessThan(80)
    expect(paid).toBeGreaterThan(killedAt - 60)
  },
)

slowTest('a run that was stopped sends only what its trace lacks', async () => {
  const stop = new AbortController()
  let sent = 0
  const { url, close } = await served((count) => {
    sent = count
    if (count === 150) stop.abort()
  })
  const profile = referenceProfile(url)
  const first = await traceOfRun(profile, { tier: 'gate', seed, concurrency: 8, signal: stop.signal })
  expect(first.footer).toMatchObject({ complete: false, reason: 'interrupted' })
  const options = resume(first, profile)
  if ('problem' in options) throw new Error(options.problem)
  const sentBefore = sent
  const trace = await traceOfRun(profile, options).finally(close)
  expect(outcomesOf(trace)).toEqual(outcomesOf(await whole))
  // Requests that were on their way when the first run stopped may reach the server after it ended: one for each worker.
  const late = first.exchanges.length + sent - sentBefore - trace.exchanges.length
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(8)
  expect(new Set(trace.exchanges.map(({ id }) => id)).size).toBe(trace.exchanges.length)
  expect(trace.footer?.modelCalls).toBeLessThanOrEqual(26)
})

test('a run that cannot be continued yet keeps what was paid for', async () => {
  const stop = new AbortController()
  let isGone = false
  const { file, close } = await served(
    (count) => {
      if (count === 40) stop.abort()
    },
    () => isGone,
  )
  const out = join(folder, 'gone-for-a-while')
  const options = ['test', '--target', file, '--tier', 'smoke', '--out', out]
  await acs(options, {}, { interrupted: stop.signal })
  const kept = ['trace.ndjson', 'report.json', 'report.html']
  const read = () => kept.map((name) => readFileSync(join(out, name), 'utf8'))
  const before = read()
  isGone = true
  const refused = await acs([...options, '--resume', join(out, 'trace.ndjson')])
  const after = read()
  isGone = false
  await acs([...options, '--resume', join(out, 'trace.ndjson')]).finally(close)
  expect(refused.code).toBe(3)
  expect(after).toEqual(before)
  expect(readTrace(out)).toMatchObject({ header: { resumed: true }, footer: { complete: true } })
})

/** A mock, and a signal that aborts when a grant for an upload is asked for. */
const servedUntilUpload = async () => {
  const stop = new AbortController()
  const { file, close } = await served((_, path) => {
    if (path.endsWith('/files/signed-url')) stop.abort()
  })
  return { file, stop: stop.signal, close }
}

test('the rules that a run was asked for stay with its trace', async () => {
  const { file, stop, close } = await servedUntilUpload()
  const [out, judged] = [join(folder, 'some-rules'), join(folder, 'judged')]
  const options = ['test', '--target', file, '--out', out]
  await acs([...options, '--only', 'files.user-id-required'], {}, { interrupted: stop })
  const goOn = [...options, '--resume', join(out, 'trace.ndjson')]
  const other = await acs([...goOn, '--only', 'threads.*'])
  const second = await acs(goOn).finally(close)
  const again = await acs(['judge', join(out, 'trace.ndjson'), '--out', judged])
  expect([other.code, second.code, again.code]).toEqual([64, 0, 0])
  expect(other.err).toContain('it was recorded with --only files.user-id-required, not with --only threads.*; ')
  const trace = readTrace(out)
  expect(trace.header.plan?.only).toBe('files.user-id-required')
  const inParts = await judgeLongFile([join(out, 'trace.ndjson')], { workers: 1 })
  expect(inParts.judgement.outcome).toBe('conformant')
})

test('a run that was interrupted before its first request has nothing to continue', async () => {
  const { file, close } = await served(() => undefined)
  const options = ['test', '--target', file, '--only', 'files.user-id-required', '--out', join(folder, 'empty')]
  const { err } = await acs(options, {}, { interrupted: AbortSignal.abort() }).finally(close)
  expect(readTrace(join(folder, 'empty')).exchanges).toEqual([])
  expect(err).not.toContain('--resume')
})

test('a trace that another one goes on with is not resumed twice', async () => {
  const [stopped, later] = [join(folder, 'stopped'), join(folder, 'later')]
  const { file, stop, close } = await servedUntilUpload()
  const options = ['test', '--target', file, '--only', 'files.user-id-required']
  const first = await acs([...options, '--out', stopped], {}, { interrupted: stop })
  expect(first.err).toContain(`to continue: run the same command with --resume ${join(stopped, 'trace.ndjson')}\n`)
  const goOn = (out: string) => acs([...options, '--resume', join(stopped, 'trace.ndjson'), '--out', join(folder, out)])
  const second = await goOn('later')
  const third = await goOn('once-more').finally(close)
  expect([second.code, third.code]).toEqual([0, 64])
  expect(third.err).toContain(`${join(later, 'trace.ndjson')} already continues it`)
})

test('a trace that nothing can go on with is refused before anything is sent', async () => {
  const profile = referenceProfile('http://127.0.0.1:9')
  const complete = await whole
  expect(resume(complete, profile)).toEqual({ problem: expect.stringContaining('complete') })
  const footer = { kind: 'footer', exchanges: 0, modelCalls: 0, durationMs: 0, complete: false } as const
  const gone = resume({ ...complete, footer: { ...footer, reason: 'unreachable' } }, profile)
  expect(gone).toEqual({ problem: expect.stringContaining('stopped answering') })
  const cut = { ...complete, footer: null }
  expect(resume(cut, profile)).toEqual({ problem: expect.stringContaining('another profile') })
  const other = { ...cut, header: { ...cut.header, suiteVersion: '0.0.0' } }
  expect(resume(other, profile)).toEqual({ problem: expect.stringContaining('0.0.0') })
  const events: string[] = []
  for await (const { type } of run(profile, { tier: 'smoke', seed })) events.push(type)
  expect(events.at(-1)).toBe('finished')
})
