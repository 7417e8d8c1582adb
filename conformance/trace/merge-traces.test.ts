/** Tests that the parts of a divided run become one trace, in which nothing is lost or overlaps. */
import { expect, test } from 'vitest'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'
import { judge } from '../judge/judge.ts'
import type { ProbeNote, Trace } from './exchange.ts'
import { mergeTraces } from './merge-traces.ts'

const plan = { tier: 'gate', maxExchanges: 600, maxModelCalls: 20 } as const

/** A part that asks, and lists the thread that it got. */
const part = (index: number, changes: Partial<Trace['header']> = {}): Trace => {
  const builder = new TraceBuilder()
  for (let skipped = 1; skipped < index; skipped += 1) builder.id()
  builder.list(String(builder.complete().thread_id))
  const trace = builder.trace()
  const startedAt = `2026-01-01T00:00:0${index}.000Z`
  return { ...trace, header: { ...trace.header, startedAt, plan: { ...plan, shard: { index, count: 2 } }, ...changes } }
}

const note = (reason: ProbeNote['reason'], text: string): ProbeNote => ({
  kind: 'note',
  probe: 'threads.run',
  requirements: ['threads.run-appends-answer'],
  operation: null,
  reason,
  text,
})

test('the order of the parts makes no difference', () => {
  expect(mergeTraces([part(2), part(1)])).toEqual(mergeTraces([part(1), part(2)]))
})

test('every exchange has a name of its own, and those of one part are over before the next one begins', () => {
  const parts = [part(1), part(2)]
  const { exchanges, footer } = mergeTraces(parts)
  expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, index) => `E${index + 1}`))
  expect(exchanges.map(({ request }) => request.url)).toEqual(
    parts.flatMap((one) => one.exchanges.map(({ request }) => request.url)),
  )
  const sent = exchanges.map(({ sentAtMs }) => sentAtMs)
  expect(sent).toEqual(sent.toSorted((left, right) => left - right))
  const ofFirst = parts[0]?.exchanges.length ?? 0
  expect(sent[ofFirst]).toBeGreaterThan(exchanges[ofFirst - 1]?.endedAtMs ?? 0)
  expect(footer).toMatchObject({ exchanges: exchanges.length, complete: true, durationMs: 1001 })
})

test('the merged trace has the caps of all parts and is no part itself', () => {
  const { header } = mergeTraces([part(1), part(2)])
  expect(header.plan).toMatchObject({ tier: 'gate', maxExchanges: 1200, maxModelCalls: 40 })
  expect(header.plan).not.toHaveProperty('shard')
  expect(header.startedAt).toBe('2026-01-01T00:00:01.000Z')
})

test('what one part leaves to another is no reason any more, and reasons name exchanges as they are named now', () => {
  const [one, two] = [part(1), part(2)]
  const notes = [note('not-selected', 'It runs in another shard.'), note('blocked', 'It failed twice (E1).')]
  expect(mergeTraces([one, { ...two, notes }]).notes).toEqual([
    note('blocked', `It failed twice (E${one.exchanges.length + 1}).`),
  ])
})

test('without one of the parts, or with one that broke off, the run is not complete', () => {
  expect(mergeTraces([part(1)]).footer).toMatchObject({ complete: false, reason: 'without part 2 of 2' })
  const broken = { ...part(2), footer: null }
  const merged = mergeTraces([part(1), broken])
  expect(merged.footer).toMatchObject({ complete: false, reason: 'a part was not finished' })
  expect(judge(merged).outcome).not.toBe('conformant')
})

test('what is not one run is refused', () => {
  expect(() => mergeTraces([])).toThrow('nothing to merge')
  expect(() => mergeTraces([part(1), part(2, { target: 'https://b.example' })])).toThrow(
    'target is http://acs.test and https://b.example',
  )
  expect(() => mergeTraces([part(1), part(1)])).toThrow('part 1 is there twice')
  const other = { plan: { ...plan, only: 'auth.*', shard: { index: 2, count: 2 } } }
  expect(() => mergeTraces([part(1), part(2, other)])).toThrow('only is not given and auth.*')
  const { shard: _, ...wholePlan } = part(2).header.plan ?? {}
  const whole = part(2, { plan: wholePlan } as Partial<Trace['header']>)
  expect(() => mergeTraces([part(1), whole])).toThrow('one of them was not run with --shard')
})

test('parts that share a thread are refused, since nobody knows the order of what was added to it', () => {
  const [one, two] = [part(1), part(2)]
  const thread = one.exchanges.at(-1)?.request.url ?? ''
  const exchanges = two.exchanges.map((exchange) => ({ ...exchange, request: { ...exchange.request, url: thread } }))
  expect(() => mergeTraces([one, { ...two, exchanges }])).toThrow('parts 1 and 2 share the thread')
})
