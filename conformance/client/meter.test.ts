/** No order of requests, answers and retries gets past a cap, and no cap refuses what was still allowed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Admission, BudgetExhausted, createMeter } from './meter.ts'

const refusal = (cause: unknown): BudgetExhausted['cap'] => {
  if (cause instanceof BudgetExhausted) return cause.cap
  throw cause
}

test('the caps hold for every interleaving of requests and answers', async () => {
  const request = fc.record({ callsModel: fc.boolean(), reachedModel: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(request, { maxLength: 20 }),
      fc.nat(8),
      fc.nat(15),
      async (scheduler, requests, maxModelCalls, maxExchanges) => {
        const meter = createMeter({ maxModelCalls, maxExchanges })
        let sent = 0
        let atTheModel = 0
        let mostAtTheModel = 0
        const send = async ({ callsModel, reachedModel }: (typeof requests)[number]): Promise<void> => {
          const admission = await meter.admit({ callsModel }).catch(refusal)
          if (typeof admission === 'string') return
          sent += 1
          if (callsModel) atTheModel += 1
          mostAtTheModel = Math.max(mostAtTheModel, atTheModel)
          await scheduler.schedule(Promise.resolve(), 'answer')
          if (callsModel && !reachedModel) atTheModel -= 1
          admission.settle(reachedModel)
        }
        await scheduler.waitFor(Promise.all(requests.map(send)))
        expect(sent).toBeLessThanOrEqual(maxExchanges)
        expect(mostAtTheModel).toBeLessThanOrEqual(maxModelCalls)
        expect(meter.cost()).toEqual({ exchanges: sent, modelCalls: atTheModel })
      },
    ),
  )
})

test('a model call waits for one in flight rather than being refused, and gets the place when that was turned down', async () => {
  const meter = createMeter({ maxModelCalls: 1 })
  const first = await meter.admit({ callsModel: true })
  const second = meter.admit({ callsModel: true })
  first.settle(false)
  expect(await second).toHaveProperty('settle')
  expect(meter.cost()).toEqual({ exchanges: 2, modelCalls: 1 })
})

test('a refusal waits for one in flight that the reserve pays', async () => {
  const meter = createMeter({ maxModelCalls: 0, reserve: { exchanges: 2, modelCalls: 1 } })
  const first = await meter.admit({ callsModel: true, kind: 'refusal' })
  const second = meter.admit({ callsModel: true, kind: 'refusal' })
  first.settle(false)
  await expect(second).resolves.toHaveProperty('settle')
})

test('a model call is refused when the cap is spent, and other requests still pass', async () => {
  const meter = createMeter({ maxModelCalls: 1 })
  const first = await meter.admit({ callsModel: true })
  first.settle(true)
  await expect(meter.admit({ callsModel: true })).rejects.toThrow('model calls: the cap of 1 is reached')
  await expect(meter.admit({ callsModel: false })).resolves.toHaveProperty('settle')
  expect(meter.left()).toEqual({ exchanges: Number.POSITIVE_INFINITY, modelCalls: 0 })
})

test('what is left for more than the plan leaves the others their shares until they are over', async () => {
  const shares = new Map([
    ['threads.run', { exchanges: 4, modelCalls: 2 }],
    ['completions.answer', { exchanges: 1, modelCalls: 1 }],
  ])
  const meter = createMeter({ maxExchanges: 10, maxModelCalls: 4, shares })
  expect(meter.left('completions.answer')).toEqual({ exchanges: 6, modelCalls: 2 })
  const run = await meter.admit({ callsModel: true, sender: 'threads.run' })
  expect(meter.left('completions.answer'), 'what it spends was kept for it').toEqual({ exchanges: 6, modelCalls: 2 })
  run.settle(false)
  expect(meter.left('completions.answer'), 'a refusal costs no model call').toEqual({ exchanges: 6, modelCalls: 2 })
  meter.release('threads.run')
  expect(meter.left('completions.answer')).toEqual({ exchanges: 9, modelCalls: 4 })
})

test('a share is kept for a sender only while so much is left', async () => {
  const meter = createMeter({
    maxExchanges: 5,
    maxModelCalls: 1,
    shares: new Map([['last', { exchanges: 2, modelCalls: 0 }]]),
  })
  expect(meter.keep('first', { exchanges: 4, modelCalls: 0 })).toBe(false)
  expect(meter.keep('first', { exchanges: 2, modelCalls: 1 })).toBe(true)
  expect(meter.keep('second', { exchanges: 1, modelCalls: 1 })).toBe(false)
  expect(meter.keep('second', { exchanges: 1, modelCalls: 0 })).toBe(true)
})

test('what may be answered although it should be refused takes no call that is kept for another', async () => {
  const shares = new Map([['threads.runs-at-once', { exchanges: 1, modelCalls: 1 }]])
  const meter = createMeter({ maxModelCalls: 1, reserve: { exchanges: 1, modelCalls: 1 }, shares })
  const provoked = await meter.admit({ callsModel: true, kind: 'refusal', sender: 'errors.provoked' })
  provoked.settle(true)
  expect(meter.left('threads.runs-at-once').modelCalls).toBe(1)
  expect(meter.leftForRepetitions().modelCalls).toBe(0)
})

test('of several refusals at once that are answered, the reserve pays those for which the plan has no call left', async () => {
  const meter = createMeter({
    maxModelCalls: 3,
    reserve: { exchanges: 1, modelCalls: 2 },
    shares: new Map([['owed', { exchanges: 2, modelCalls: 2 }]]),
  })
  const refusals = await Promise.all(
    [1, 2, 3].map(() => meter.admit({ callsModel: true, kind: 'refusal', sender: 'wrong' })),
  )
  for (const { settle } of refusals) settle(true)
  expect([meter.left('owed'), meter.left('other'), meter.leftForRepetitions()].map((cost) => cost.modelCalls)).toEqual([
    2, 0, 0,
  ])
  expect(meter.cost().modelCalls).toBe(3)
})

test('an answered refusal is paid by the reserve as soon as that has a model call again', async () => {
  const meter = createMeter({
    maxModelCalls: 2,
    reserve: { exchanges: 1, modelCalls: 1 },
    shares: new Map([['owed', { exchanges: 1, modelCalls: 1 }]]),
  })
  const refusal = () => meter.admit({ callsModel: true, kind: 'refusal' })
  const [first, second] = [await refusal(), await refusal()]
  first.settle(true)
  const onItsWay = await refusal()
  second.settle(true)
  expect(meter.left('owed').modelCalls).toBe(0)
  onItsWay.settle(false)
  expect(meter.left('owed').modelCalls).toBe(1)
})

test('refusals for which the reserve keeps a model call are planned, and leave its exchanges to repetitions', async () => {
  const meter = createMeter({
    maxExchanges: 3,
    maxModelCalls: 1,
    reserve: { exchanges: 1, modelCalls: 1 },
    shares: new Map([['owed', { exchanges: 1, modelCalls: 1 }]]),
  })
  for (const _ of [1, 2]) (await meter.admit({ callsModel: true, kind: 'refusal' })).settle(false)
  expect([meter.left('owed'), meter.leftForRepetitions()]).toEqual([
    { exchanges: 1, modelCalls: 1 },
    { exchanges: 1, modelCalls: 1 },
  ])
})

test('who has spent more than its share keeps nothing from the others, and takes nothing of theirs back', async () => {
  const meter = createMeter({ maxExchanges: 10, shares: new Map([['threads.run', { exchanges: 1, modelCalls: 0 }]]) })
  for (let sent = 0; sent < 3; sent += 1) await meter.admit({ callsModel: false, sender: 'threads.run' })
  expect(meter.left('completions.answer').exchanges).toBe(7)
})

test('settling twice counts once', async () => {
  const meter = createMeter({ maxModelCalls: 2 })
  const admission: Admission = await meter.admit({ callsModel: true })
  admission.settle(false)
  admission.settle(true)
  expect(meter.cost().modelCalls).toBe(0)
})

test('no window of a minute holds more exchanges than the rate, at any pace of asking', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.nat(20_000), { maxLength: 40 }),
      async (rate, gaps) => {
        let nowMs = 0
        const meter = createMeter({
          ratePerMinute: rate,
          clock: () => nowMs,
          sleep: async (waitMs) => {
            nowMs += waitMs
          },
        })
        const sentAtMs: number[] = []
        for (const gap of gaps) {
          nowMs += gap
          await meter.admit({ callsModel: false })
          sentAtMs.push(nowMs)
        }
        for (const start of sentAtMs) {
          const within = sentAtMs.filter((at) => at >= start && at < start + 60_000 - 0.001)
          expect(within.length).toBeLessThanOrEqual(rate)
        }
      },
    ),
  )
})

test('a wait for the rate that is cut short gives its model call back', async () => {
  const left = new AbortController()
  const meter = createMeter({ ratePerMinute: 1, maxModelCalls: 5 })
  await meter.admit({ callsModel: false })
  const waiting = meter.admit({ callsModel: true, signal: left.signal })
  left.abort()
  await expect(waiting).rejects.toThrow()
  expect(meter.cost().modelCalls).toBe(0)
})

test('requests that are asked for at once go out together, and no window of a minute holds more than the rate', async () => {
  let nowMs = 0
  const sentAtMs: number[] = []
  const meter = createMeter({
    ratePerMinute: 12,
    clock: () => nowMs,
    sleep: async (waitMs) => {
      nowMs = Math.max(nowMs, nowMs + waitMs)
    },
  })
  const send = async (): Promise<void> => {
    await meter.admit({ callsModel: false })
    sentAtMs.push(nowMs)
  }
  for (let count = 0; count < 5; count += 1) await send()
  const before = nowMs
  const waits: number[] = []
  const burst = createMeter({
    ratePerMinute: 12,
    clock: () => before,
    sleep: async (waitMs) => void waits.push(waitMs),
  })
  await Promise.all([1, 2, 3].map(() => burst.admit({ callsModel: false })))
  await burst.admit({ callsModel: false })
  expect(waits).toEqual([15_000])
  expect(sentAtMs).toEqual([0, 5000, 10_000, 15_000, 20_000])
})

test('a request that is to be refused costs no model call while it is on its way, and holds a place all the same', async () => {
  const meter = createMeter({ maxModelCalls: 2 })
  const refusal = await meter.admit({ callsModel: true, kind: 'refusal' })
  const planned = await meter.admit({ callsModel: true })
  expect(meter.cost()).toEqual({ exchanges: 2, modelCalls: 1 })
  planned.settle(true)
  const third = meter.admit({ callsModel: true })
  refusal.settle(true)
  await expect(third).rejects.toThrow('the cap of 2 is reached')
  expect(meter.cost()).toEqual({ exchanges: 2, modelCalls: 2 })
})
