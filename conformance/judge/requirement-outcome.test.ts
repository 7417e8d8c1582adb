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
  findings: [],
})
const outcome = (strict: boolean, ...verdicts: Verdict[]) =>
  requirementOutcome(judgement(...verdicts), 'threads.create-echoes', strict)

test('an upheld requirement passes, also when a facet of it stayed open', () => {
  expect(outcome(false, verdict({}), verdict({ facet: 'role', outcome: 'unexercised' }))).toEqual({
    status: 'passed',
    text: '',
  })
})

test('a stated violation fails with what was expected and what came', () => {
  const broken = verdict({
    outcome: 'violated',
    facet: 'content',
    expected: '"a "',
    actual: '"a"',
    pointer: '/content',
  })
  const { status, text } = outcome(false, verdict({}), broken)
  expect(status).toBe('failed')
  expect(text).toBe('createMessage content\n  expected "a "\n  actual "a" at /content\n  seen in E4')
})

test('an implied violation fails only when strict', () => {
  const implied = verdict({ outcome: 'violated', basis: 'implied' })
  expect(outcome(false, implied).status).toBe('skipped')
  expect(outcome(true, implied).status).toBe('failed')
})

test('a fault of the suite fails', () => {
  expect(outcome(false, verdict({ outcome: 'suite-fault' })).status).toBe('failed')
})

test('what nothing showed is skipped with the reason, never passed', () => {
  const open = verdict({ outcome: 'unexercised', reason: 'no-fixture' })
  expect(outcome(false, open)).toEqual({ status: 'skipped', text: 'unexercised: no-fixture' })
  expect(outcome(false)).toEqual({ status: 'skipped', text: 'not judged' })
})
