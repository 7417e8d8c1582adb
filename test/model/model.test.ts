/** Laws about the table of the model itself: no implementation takes part. */
import { describe, expect, test } from 'vitest'
import { COMMANDS, START } from './commands.ts'
import { expected, type Outcome, rowsFor, TABLE } from './model.ts'
import { keyOf, reachable } from './reachable.ts'

const all = reachable(() => true)
const states = all.map((reached) => reached.state)
const known = new Set(states.map(keyOf))
const answers = states.flatMap((state) =>
  COMMANDS.map((command) => ({ state, command, rows: rowsFor(state, command), ...expected(state, command) })),
)
const isRefusal = (outcome: Outcome): boolean => outcome !== 'accepted' && 'refused' in outcome

describe('the table of the model', () => {
  test('every command in every state has one basic answer, and rules or gaps beside it', () => {
    const basic = new Set(TABLE.slice(0, 8))
    expect(answers.length).toBe(states.length * COMMANDS.length)
    expect(answers.filter(({ rows }) => rows.filter((row) => basic.has(row)).length !== 1)).toEqual([])
  })

  test('only the basic answers accept', () => {
    const accepting = TABLE.filter((row) => row.outcome === 'accepted')
    expect(accepting).toEqual(TABLE.slice(0, 7))
  })

  test('commands differ from each other', () => {
    expect(new Set(COMMANDS.map((command) => JSON.stringify(command))).size).toBe(COMMANDS.length)
  })

  test('an answer that is not a refusal leads to a state of the table', () => {
    expect(answers.filter(({ next }) => !known.has(keyOf(next)))).toEqual([])
  })

  test('a refusal leaves the state', () => {
    const refused = answers.filter(({ outcome }) => isRefusal(outcome))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter(({ state, next }) => next !== state)).toEqual([])
  })

  test('every row speaks about some reachable state', () => {
    const used = new Set(answers.flatMap(({ rows }) => rows))
    expect(TABLE.filter((row) => !used.has(row))).toEqual([])
  })

  test('every row decides some answer: without it the answer is another', () => {
    const deciding = new Set(answers.flatMap(({ rows }) => (rows.length === 2 ? rows.slice(1) : [])))
    expect(TABLE.slice(8).filter((row) => !deciding.has(row))).toEqual([])
  })

  test('every row names its section, and every gap has words', () => {
    for (const row of TABLE) {
      expect(row.section).not.toBe('')
      if (row.outcome !== 'accepted' && 'open' in row.outcome) expect(row.outcome.open).toMatch(/\w+ \w+/)
    }
  })

  test('no row makes a difference between two and more open tool calls', () => {
    const many = answers.filter(({ state }) => state.calls >= 2)
    const different = many.filter(({ state, command, rows }) => {
      const more = rowsFor({ ...state, calls: state.calls + 1 }, command)
      return more.length !== rows.length || more.some((row, i) => row !== rows[i])
    })
    expect(many.length).toBeGreaterThan(0)
    expect(different).toEqual([])
  })
})

describe('the states of the model', () => {
  test('are 156, and 8 by accepted commands only once a thread exists', () => {
    const accepted = reachable((outcome, command) => outcome === 'accepted' || command.kind === 'begin')
    expect([all.length, accepted.length, COMMANDS.length]).toEqual([156, 8, 289])
  })

  test('never count fewer than no open tool call, and know no late one without an open one', () => {
    expect(states.filter((state) => state.calls < 0 || (state.late && state.calls === 0))).toEqual([])
  })

  test('hold nothing while no thread exists', () => {
    expect(states.filter((state) => state.origin === 'unknown')).toEqual([START])
  })

  test('are all reached within six commands', () => {
    expect(Math.max(...all.map((reached) => reached.path.length))).toBe(6)
  })
})
