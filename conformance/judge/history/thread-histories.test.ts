/**
 * Thread histories are checked against runs that really could have happened. Writes and lists overlap, and answers get
 * lost. A server that takes each request at some moment of its life is never accused; one that loses or doubles a
 * message always is.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fields, ndjsonText, timestampText, uuid, violatedIn } from '../../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../../test/trace-builder/trace-builder.ts'

interface Step {
  readonly kind: 'create' | 'list' | 'walk'
  readonly sentMs: number
  /** From sending to the moment at which the server takes it, and on to the answer. */
  readonly untilTakenMs: number
  readonly untilAnsweredMs: number
  readonly answer: 'comes' | 'is lost' | 'is lost before it is taken'
  readonly limit: number
}

const step = fc.record<Step>({
  kind: fc.constantFrom('create', 'create', 'list', 'walk'),
  sentMs: fc.integer({ min: 100, max: 400 }),
  untilTakenMs: fc.integer({ min: 0, max: 80 }),
  untilAnsweredMs: fc.integer({ min: 1, max: 80 }),
  answer: fc.constantFrom('comes', 'comes', 'comes', 'comes', 'is lost', 'is lost before it is taken'),
  limit: fc.integer({ min: 1, max: 4 }),
})

interface Kept {
  readonly takenMs: number
  readonly order: number
  readonly message: Fields
}

/** What a server holds: messages by the moment at which they were taken. */
const messagesAt = (kept: readonly Kept[], timeMs: number): readonly Fields[] =>
  kept
    .filter(({ takenMs }) => takenMs <= timeMs)
    .sort((left, right) => right.takenMs - left.takenMs || right.order - left.order)
    .map(({ message }) => message)

/** Plays the steps on a server that takes each of them at its moment; `spoil` makes it a worse one. */
const play = (
  steps: readonly Step[],
  spoil: (kept: readonly Kept[]) => readonly Kept[] = (kept) => kept,
): TraceBuilder => {
  const trace = new TraceBuilder({ profile: { tools: null } }).assistants()
  const thread = trace.thread()
  const kept = steps.flatMap((one, order): readonly Kept[] => {
    if (one.kind !== 'create' || one.answer === 'is lost before it is taken') return []
    const takenMs = one.sentMs + one.untilTakenMs
    const created_at = timestampText(takenMs * 1000 + order)
    return [
      {
        takenMs,
        order,
        message: {
          id: uuid(1000 + order),
          thread_id: thread,
          role: 'user',
          content: `Message number ${order}.`,
          created_at,
        },
      },
    ]
  })
  const served = spoil(kept)
  for (const [order, one] of steps.entries()) {
    const at = [one.sentMs, one.sentMs + one.untilTakenMs + one.untilAnsweredMs] as const
    const silent = one.answer !== 'comes'
    if (one.kind === 'create') {
      const message = kept.find((entry) => entry.order === order)?.message
      trace.add(thread, 'user', `Message number ${order}.`, { at, silent, body: message ?? null })
    } else list(trace, thread, one, at, (timeMs) => messagesAt(served, timeMs), silent)
  }
  trace.list(thread, { at: [1000, 1001], body: { cursor: null, items: messagesAt(served, 1000) } })
  trace.list(thread, { at: [1010, 1011], body: { cursor: null, items: messagesAt(served, 1010) } })
  return trace
}

/** One page, or a walk whose pages continue behind the last message shown. */
const list = (
  trace: TraceBuilder,
  thread: string,
  { kind, limit, untilTakenMs }: Step,
  [sentMs, endedMs]: readonly [number, number],
  messages: (timeMs: number) => readonly Fields[],
  silent: boolean,
): void => {
  let last: Fields | undefined
  for (let page = 0; page < 8; page += 1) {
    const shiftMs = page * (endedMs - sentMs)
    const all = messages(sentMs + shiftMs + untilTakenMs)
    const from = last === undefined ? 0 : all.findIndex(({ id }) => id === last?.id) + 1
    const items = kind === 'walk' ? all.slice(from, from + limit) : all
    const next = items.at(-1)
    const cursor = from + items.length < all.length && next !== undefined ? `behind ${next.id}` : null
    const query = `${kind === 'walk' ? `?limit=${limit}` : ''}${last === undefined ? '' : `&cursor=behind%20${last.id}`}`
    trace.list(thread, { at: [sentMs + shiftMs, endedMs + shiftMs], query, silent, body: { cursor, items } })
    if (cursor === null || silent) return
    last = next
  }
}

const histories = fc.array(step, { minLength: 2, maxLength: 14 })

test('a possible history causes no violation', () => {
  fc.assert(
    fc.property(histories, (steps) => {
      expect(violatedIn(play(steps).judge())).toEqual([])
    }),
    { numRuns: 80, seed: 7 },
  )
})

const acknowledged = (steps: readonly Step[]): readonly number[] =>
  steps.flatMap(({ kind, answer }, order) => (kind === 'create' && answer === 'comes' ? [order] : []))

test('a message that was acknowledged and is never listed is found missing', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (steps, choice) => {
      const orders = acknowledged(steps)
      fc.pre(orders.length > 0)
      const lost = orders[choice % orders.length]
      const judgement = play(steps, (kept) => kept.filter(({ order }) => order !== lost)).judge()
      expect(violatedIn(judgement)).toContain('threads.created-is-listed')
    }),
    { numRuns: 25, seed: 7 },
  )
})

test('a message that is kept twice is found twice', () => {
  fc.assert(
    fc.property(histories, fc.nat(), (steps, choice) => {
      const orders = acknowledged(steps)
      fc.pre(orders.length > 0)
      const doubled = orders[choice % orders.length]
      const judgement = play(steps, (kept) =>
        kept.flatMap((entry) =>
          entry.order === doubled ? [entry, { ...entry, message: { ...entry.message, id: uuid(1) } }] : [entry],
        ),
      ).judge()
      expect(violatedIn(judgement)).toContain('threads.no-phantom-messages')
    }),
    { numRuns: 25, seed: 7 },
  )
})

test('two thousand messages that are added at the same time are judged in one pass', () => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  const count = 2_000
  const all = Array.from({ length: count }, (_, index) => ({
    id: uuid(1_000_000 + index),
    thread_id: thread,
    role: 'user',
    content: `Message number ${index}.`,
    created_at: timestampText(index),
  }))
  for (const message of all) trace.add(thread, 'user', message.content, { at: [100, 200], body: message })
  const items = [...all].reverse()
  for (let from = 0; from < count; from += 500) {
    const cursor = from + 500 < count ? `${from + 500}` : null
    trace.list(thread, {
      query: `?limit=500${from === 0 ? '' : `&cursor=${from}`}`,
      body: { cursor, items: items.slice(from, from + 500) },
    })
  }
  const judgement = trace.judge()
  expect(violatedIn(judgement)).toEqual([])
  expect(judgement.verdicts.find(({ requirement }) => requirement === 'threads.concurrent-creates')).toMatchObject({
    outcome: 'upheld',
    witnesses: count,
  })
})

test.each([
  ['an answer that breaks off', { ending: 'cut' }],
  ['an answer that takes too long', { ending: 'capped' }],
  ['a gateway that gives up', { status: 504, text: '<h1>504</h1>' }],
  ['silence', { silent: true }],
] as const)('a completion that goes on in a thread may have added everything to it, also with %s', (_, failed) => {
  const story = new TraceBuilder().assistants()
  const asked = story.answer('', 'A question, please.')
  const first = story.complete()
  const thread = String(first.thread_id)
  story.keep(thread, { ...asked, thread_id: thread, role: 'user' })
  story.keep(thread, first)
  story.list(thread)
  const again = { ...story.answer(thread, 'A question, please.'), role: 'user' }
  const answer = story.answer(thread, 'The answer.')
  const text = ndjsonText(story.chunks(answer, ['The ', 'answer.']))
  story.completeStream({}, { query: `?thread_id=${thread}`, text, ...failed })
  story.keep(thread, again)
  story.keep(thread, answer)
  story.list(thread)
  expect(violatedIn(story.judge())).toEqual([])
})
