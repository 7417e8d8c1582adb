/** Tests the state table and the walk over it. */
import { expect, test } from 'vitest'
import { nextMove } from './state-walk.ts'
import {
  emptyThread,
  expectationOf,
  isRefusedRun,
  nextState,
  stateKey,
  statePairs,
  threadStates,
} from './thread-states.ts'

test('a thread has 26 states, and 278 pairs of a state and a command have a meaning', () => {
  expect([threadStates.length, statePairs.length]).toEqual([26, 278])
})

test('46 runs and 52 messages have to be refused', () => {
  const refused = statePairs.filter(({ state, command }) => expectationOf(state, command) === 'refused')
  expect([refused.filter(isRefusedRun).length, refused.length]).toEqual([46, 98])
})

test.each([0, 1, 2, 3, 4, 5])('a walk visits all states with at most 30 messages in two threads (order %i)', (turn) => {
  const wanted = new Set(threadStates.map(stateKey))
  let messages = 0
  let threads = 0
  while (wanted.size > 0 && threads < 5) {
    threads += 1
    let state = emptyThread
    for (let written = 0; written < 16; written += 1) {
      wanted.delete(stateKey(state))
      const move = nextMove(state, {
        isWanted: (one) => wanted.has(stateKey(one)),
        isWantedMove: () => false,
        isPossible: (_, command) => command !== 'run' && command !== 'stream',
        rank: (command) => (command.charCodeAt(0) * (turn + 7)) % 11,
      })
      if (move === null) break
      messages += 1
      state = nextState(state, move)
    }
    wanted.delete(stateKey(state))
  }
  expect(wanted.size).toBe(0)
  expect(threads).toBeLessThanOrEqual(2)
  expect(messages).toBeLessThanOrEqual(30)
})
