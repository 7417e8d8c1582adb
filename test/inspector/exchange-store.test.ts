/** Tests that the page shows an exchange once, whether its journal or its event tells of it first. */
import { expect, test } from 'vitest'
import { createExchangeStore } from '../../mock-server/inspector/client/exchange-store.ts'
import type { EntryView, LiveEvent, RunningExchange } from '../../mock-server/inspector/client/wire.ts'

const at = '2026-01-01T00:00:00.000000Z'
const shared = { world: 'default', operation: 'listAssistants', tenant: 'primary', outcome: 'answered', reason: null }
const entry = (number: number, started_at = at) =>
  ({
    ...shared,
    ...{ number, started_at, ended_at: started_at, faults: [], chunk_times: [] },
    request: { method: 'GET', target: '/v1/assistants' },
    response: { status: 200 },
  }) as unknown as EntryView
const told = (number: number, id: number | null = null, started_at = at) =>
  ({
    ...shared,
    ...{ event: 'exchange', id, number, started_at, method: 'GET', target: '/v1/assistants' },
    ...{ status: 200, duration_us: 1, chunks: 0, faults: [] },
  }) as unknown as LiveEvent
const running = (id: number) =>
  ({
    ...shared,
    ...{ event: 'running', id, method: 'GET', target: '/v1/assistants', started_at: at, chunks: null },
    ...{ held: false, actions: [] },
  }) as unknown as LiveEvent & RunningExchange

const numbers = (tell: (store: ReturnType<typeof createExchangeStore>) => void) => {
  const store = createExchangeStore()
  tell(store)
  return store.rows().map(({ number }) => number)
}

test('an event that comes behind the journal adds nothing', () => {
  expect(
    numbers((store) => {
      store.load('default', [entry(1), entry(2)])
      for (const number of [1, 2, 3]) store.take(told(number))
    }),
  ).toEqual([1, 2, 3])
})

test('nor does one that was running when the journal was read', () => {
  expect(
    numbers((store) => {
      store.take(running(7))
      store.load('default', [entry(1)])
      store.take(told(1, 7))
    }),
  ).toEqual([1])
})

test('a world that is made anew counts from one', () => {
  expect(
    numbers((store) => {
      store.load('default', [entry(1)])
      store.take(told(1, null, '2026-01-01T00:00:01.000000Z'))
    }),
  ).toEqual([1, 1])
})
