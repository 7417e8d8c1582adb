/** Late failures among many answers do not add up to an outage. */
import { expect, test } from 'vitest'
import type { Exchange } from '../trace/exchange.ts'
import { createLateFailures } from './late-failures.ts'

const failure = { response: { status: 503, headers: [], pieces: [] }, ending: 'complete' }
const answer = { response: { status: 200, headers: [], pieces: [] }, ending: 'complete' }
const path = '/v1/threads'

/** So many rounds of answers, each of 90 ms, with a failure of 15 s at the end. */
function afterRounds(rounds: number, answers: number, quick: object = answer): string | null {
  const late = createLateFailures()
  let nowMs = 0
  const record = (exchange: object, tookMs: number): void => {
    late.record({ ...exchange, sentAtMs: nowMs, endedAtMs: nowMs + tookMs } as Exchange, 'runThread', path)
    nowMs += tookMs
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < answers; count += 1) record(quick, 90)
    record(failure, 15_000)
  }
  return late.reasonAgainst('runThread', path)
}

test('a failure now and then in a long run blocks nothing', () => {
  expect(afterRounds(400, 50)).toBeNull()
})

test('failures that come again with few answers between them block their operation', () => {
  expect(afterRounds(3, 49)).toBeNull()
  expect(afterRounds(4, 49)).toContain('failed 4 times')
})

test('quick failures make up for no late one', () => {
  expect(afterRounds(4, 200, failure)).toContain('failed 4 times')
})
