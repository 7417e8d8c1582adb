/** The trace of a run is on disk while the run goes on. A file that cannot be written loses nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { decodeTrace, encodeRecord, encodeTrace } from '../conformance/index.ts'
import { acs } from '../test/acs-in-process.ts'
import { TraceBuilder } from '../test/trace-builder/trace-builder.ts'
import { openTraceFile, writeTrace } from './trace-file.ts'

const base = mkdtempSync(join(tmpdir(), 'acs-trace-file-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const folder = (): string => mkdtempSync(join(base, 'test-'))
const silent = (): void => {}

const someTrace = () => {
  const trace = new TraceBuilder()
  trace.assistants()
  trace.complete()
  return trace.trace()
}

test('every exchange is on disk at once, and the finished file is the trace written at once', () => {
  const path = join(folder(), 'a', 'b', 'trace.ndjson')
  const trace = someTrace()
  const file = openTraceFile(path, silent)
  file.add(trace.header)
  for (const [index, exchange] of trace.exchanges.entries()) {
    file.add(exchange)
    expect(decodeTrace(readFileSync(path, 'utf8')).exchanges.length).toBe(index + 1)
  }
  file.finish(trace)
  expect(readFileSync(path, 'utf8')).toBe(encodeTrace(trace))
})

test('exchanges that ended in another order stand in the order of sending', () => {
  const path = join(folder(), 'trace.ndjson')
  const trace = someTrace()
  const file = openTraceFile(path, silent)
  for (const record of [trace.header, ...trace.exchanges.toReversed()]) file.add(record)
  file.finish(trace)
  expect(readFileSync(path, 'utf8')).toBe(encodeTrace(trace))
  expect(existsSync(`${path}.part`)).toBe(false)
})

test('a trace that continues another replaces it once it contains all of it', () => {
  const path = join(folder(), 'trace.ndjson')
  const { header, exchanges, ...rest } = someTrace()
  const [first, second] = exchanges
  if (first === undefined || second === undefined) throw new Error('the trace is too short')
  const interrupted = encodeRecord(header) + encodeRecord(first)
  writeFileSync(path, interrupted)
  const file = openTraceFile(path, silent, { file: path, exchanges: 1 })
  expect(readFileSync(path, 'utf8')).toBe(interrupted)
  file.add({ ...header, resumed: true })
  expect(readFileSync(path, 'utf8')).toBe(interrupted)
  file.add(first)
  file.add(second)
  const trace = { header: { ...header, resumed: true }, exchanges, ...rest }
  expect(decodeTrace(readFileSync(path, 'utf8')).exchanges).toEqual(exchanges)
  file.finish(trace)
  expect(readFileSync(path, 'utf8')).toBe(encodeTrace(trace))
  expect(readdirSync(dirname(path))).toEqual(['trace.ndjson'])
})

test('a trace is marked as continued only when the other one contains all of it', () => {
  const place = folder()
  const { header, exchanges } = someTrace()
  const [first] = exchanges
  if (first === undefined) throw new Error('the trace is too short')
  const earlier = join(place, 'earlier.ndjson')
  writeFileSync(earlier, encodeRecord(header) + encodeRecord(first))
  const file = openTraceFile(join(place, 'trace.ndjson'), silent, { file: earlier, exchanges: 1 })
  file.add(header)
  expect(existsSync(`${earlier}.resumed`)).toBe(false)
  file.add(first)
  expect(readFileSync(`${earlier}.resumed`, 'utf8')).toBe(`${join(place, 'trace.ndjson')}\n`)
})

test('a trace that cannot be written where it should is kept in a temporary folder', () => {
  const told: string[] = []
  const parent = join(folder(), 'gone')
  mkdirSync(parent)
  rmSync(parent, { recursive: true })
  const trace = someTrace()
  writeTrace(join(parent, 'trace.ndjson'), trace, (text) => told.push(text))
  const [, rescued = ''] = /the trace is in (.+)\n$/.exec(told.join('')) ?? []
  expect(told).toHaveLength(1)
  expect(readFileSync(rescued, 'utf8')).toBe(encodeTrace(trace))
  rmSync(dirname(rescued), { recursive: true })
})

test.each([
  ['/proc/nope/x', () => '/proc/nope/x', 'its folder does not exist'],
  ['a file in the way', () => join(fileIn(folder()), 'report'), 'a file is in the way'],
  ['a file itself', () => fileIn(folder()), 'a file is in the way'],
])('an --out that cannot be made ends the command before anything is sent: %s', async (_, out, reason) => {
  const { code, err } = await acs(['test', 'http://127.0.0.1:9', '--out', out()], { ACS_API_KEY: 'a-key-of-tests' })
  expect(code).toBe(73)
  expect(err).toContain(`cannot be written, ${reason}; choose another with --out\n`)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends work that never yields', async (signal) => {
  const terminal = new URL('./terminal.ts', import.meta.url).href
  const script = `import { processTerminal } from '${terminal}'
    await processTerminal().endsAtOnce(async () => { process.stdout._handle.setBlocking?.(true); console.log('busy'); for (;;); })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([null, signal])
})

const fileIn = (parent: string): string => {
  const path = join(parent, 'file')
  writeFileSync(path, '')
  return path
}

test('a recording into which nothing came is a whole trace all the same', () => {
  const path = join(folder(), 'trace.ndjson')
  const trace = { ...someTrace(), exchanges: [] }
  openTraceFile(path, silent).finish(trace)
  expect(readFileSync(path, 'utf8')).toBe(encodeTrace(trace))
})
