/** One requirement as a test runner sees it. */
import { expect, test } from 'vitest'
import { requirementOutcome } from './requirement-outcome.ts'
import type { Judgement, Verdict } from './verdict.ts'

const verdict = (fields: Partial<Verdict>): Verdict => ({
  requirement: 'threads.create-echoes',
  operation: 'createMessage',
  facet: null,
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: false,
  outcome: 'upheld',
  witnesses: 1,
  exchanges: ['E4'],
  ...fields,
})
const judgement = (...verdicts: Verdict[]): Judgement => ({
  outcome: 'conformant',
  exitCode: 0,
  verdicts,
  observations: [],
  notices: [],
})
const outcome = (...verdicts: Verdict[]) => requirementOutcome(judgement(...verdicts), 'threads.create-echoes')

test('an upheld requirement passes, also when a facet of it stayed open', () => {
  expect(outcome(verdict({}), verdict({ facet: 'role', outcome: 'unexercised' }))).toEqual({
    status: 'passed',
    text: '',
  })
})

test('a stated violation fails with what was expected and what came', () => {
  const broken = verdict({
    outcome: 'violated',
    blocking: true,
    facet: 'content',
    expected: '"a "',
    actual: '"a"',
    pointer: '/content',
  })
  const { status, text } = outcome(verdict({}), broken)
  expect(status).toBe('failed')
  expect(text).toBe('createMessage content\n  expected "a "\n  actual "a" at /content\n  seen in E4')
})

test('a violation fails only when it blocks', () => {
  expect(outcome(verdict({ outcome: 'violated' })).status).toBe('skipped')
  expect(outcome(verdict({ outcome: 'violated', blocking: true })).status).toBe('failed')
})

test('a fault of the suite fails', () => {
  expect(outcome(verdict({ outcome: 'suite-fault' })).status).toBe('failed')
})

test('what nothing showed is skipped with the reason, never passed', () => {
  const open = verdict({ outcome: 'unexercised', reason: 'no-fixture' })
  expect(outcome(open)).toEqual({ status: 'skipped', text: 'unexercised: no-fixture' })
  expect(outcome()).toEqual({ status: 'skipped', text: 'not judged' })
})
