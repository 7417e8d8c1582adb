/** Requests of other probes wait while one probe is about to abort a response. */
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDepartures } from './departures.ts'

const by = (probe: string) => ({
  intent: { probe, operation: null, purpose: 'valid', expects: 'accepted' } as const,
})

/** A clock that the test moves; `sent` names the requests in the order in which they went out. */
function started() {
  const waiting: { readonly atMs: number; readonly resolve: () => void }[] = []
  let nowMs = 0
  const sent: string[] = []
  const departures = createDepartures({
    pause: (waitMs) => new Promise((resolve) => void waiting.push({ atMs: nowMs + waitMs, resolve })),
  })
  return {
    sent,
    send: (probe: string, change: { abortAfterPieces?: number; until?: () => Promise<void> } = {}) =>
      departures.around({ ...by(probe), ...change }, async () => {
        sent.push(probe)
        await change.until?.()
      }),
    pass: async (ms: number) => {
      nowMs += ms
      for (const { atMs, resolve } of waiting) if (atMs <= nowMs) resolve()
      await endOfTurn()
    },
  }
}

test('other probes wait until the response is aborted, requests of the same probe do not', async () => {
  const { sent, send, pass } = started()
  let abort = () => {}
  const until = new Promise<void>((resolve) => {
    abort = resolve
  })
  const leaving = send('leaving', { abortAfterPieces: 1, until: () => until })
  const [other, same] = [send('other'), send('leaving')]
  await same
  expect(sent).toEqual(['leaving'])
  await pass(20)
  expect(sent).toEqual(['leaving', 'leaving'])
  abort()
  await Promise.all([leaving, other])
  expect(sent).toEqual(['leaving', 'leaving', 'other'])
  await send('another')
  expect(sent.at(-1)).toBe('another')
})

test('a slow response holds the others for 150 ms at most, and one that fails holds nobody', async () => {
  const { sent, send, pass } = started()
  void send('leaving', { abortAfterPieces: 1, until: () => new Promise(() => {}) })
  const other = send('other')
  await pass(149)
  expect(sent).toEqual(['leaving'])
  await pass(1)
  await other
  const failing = send('failing', { abortAfterPieces: 1, until: () => Promise.reject(new Error('closed')) })
  const failed = expect(failing).rejects.toThrow('closed')
  const behind = send('behind')
  await pass(20)
  await failed
  await behind
  expect(sent).toEqual(['leaving', 'other', 'failing', 'behind'])
})
