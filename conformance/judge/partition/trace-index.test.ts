/** The index finds what belongs together, cuts only between, and refuses what is no trace. */
import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { indexOf } from '../../../test/trace-builder/in-parts.ts'
import { TraceBuilder } from '../../../test/trace-builder/trace-builder.ts'
import { encodeTrace, TraceError } from '../../trace/trace.ts'
import { partsOf } from './parts.ts'
import { TraceIndexer } from './trace-index.ts'

const conversation = (): TraceBuilder => {
  const trace = new TraceBuilder().assistants()
  const [one, other] = [trace.thread(), trace.thread()]
  trace.add(one, 'user', 'Hello')
  trace.add(other, 'user', 'Good morning')
  const { thread_id: thread } = trace.complete()
  trace.list(String(thread))
  trace.list(one)
  return trace
}

test('the creation of a thread, what is added to it and its lists are one component; other threads are others', () => {
  const { components } = indexOf(conversation().trace())
  // E1 assistants, E2 and E3 threads, E4 to the first, E5 to the second, E6 completion, E7 its list, E8 the first's.
  expect(components).toEqual([0, 1, 2, 1, 2, 5, 5, 1])
})

test('a record in another order of keys is indexed as well', () => {
  const text = encodeTrace(conversation().trace())
  const turned = text
    .split('\n')
    .map((line) =>
      line === '' ? line : JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
    )
  const indexer = new TraceIndexer()
  for (const line of turned.slice(0, -1)) indexer.take(Buffer.from(line), 0)
  expect(indexer.finish().components).toEqual(indexOf(conversation().trace()).components)
})

test('a part holds whole components, and every exchange is in exactly one', () => {
  const index = indexOf(conversation().trace())
  for (const mostBytes of [1, 2_000, 1_000_000]) {
    const parts = partsOf(index, mostBytes)
    expect(parts.flatMap(({ own }) => own).sort((left, right) => left - right)).toEqual([...index.components.keys()])
    const homes = parts.map(({ own }) => new Set(own.map((exchange) => index.components[exchange])))
    expect(new Set(homes.flatMap((home) => [...home])).size).toBe(homes.reduce((sum, { size }) => sum + size, 0))
  }
})

test('a part without a list of its tenant gets one as context', () => {
  const index = indexOf(conversation().trace())
  const [first, ...others] = partsOf(index, 1)
  expect(first?.context).toEqual([])
  expect(others.every(({ context }) => context.includes(0))).toBe(true)
})

const refusals: readonly (readonly [
  what: string,
  change: (lines: string[]) => string[],
  line: number,
  reason: RegExp,
])[] = [
  ['a second exchange of one id', (lines) => lines.toSpliced(2, 0, lines[1] ?? ''), 3, /a second exchange E1/],
  ['a blank line', (lines) => lines.toSpliced(2, 0, ''), 3, /a blank line/],
  ['no header', (lines) => lines.slice(1), 1, /opens with its header/],
  ['a second header', (lines) => lines.toSpliced(3, 0, lines[0] ?? ''), 4, /a second header/],
  ['a footer that counts otherwise', (lines) => lines.toSpliced(2, 1), 0, /the footer counts 8 exchanges/],
  ['something behind the footer', (lines) => [...lines, lines[1] ?? ''], 11, /nothing may follow/],
  ['nothing at all', () => [], 0, /empty/],
]

test.each(refusals)('%s is refused with the line', (_, change, line, reason) => {
  const lines = change(encodeTrace(conversation().trace()).split('\n').slice(0, -1))
  const indexed = (): unknown => {
    const indexer = new TraceIndexer()
    for (const one of lines) indexer.take(Buffer.from(one), 0)
    return indexer.finish()
  }
  expect(indexed).toThrow(TraceError)
  expect(indexed).toThrow(expect.objectContaining({ line, reason: expect.stringMatching(reason) as string }))
})
