/** The outcome of a run follows from its verdicts and the facts of its recording, worst first. */
import { expect, test } from 'vitest'
import { type DecidingVerdict, isBlockingRule, isOpen, type RunFacts, reasonText, runOutcome } from './run-outcome.ts'

const whole: RunFacts = { invalid: null, unfinished: null, acceptedAny: true }
const upheld: DecidingVerdict = { outcome: 'upheld', owed: true, blocking: false }
const blocking: DecidingVerdict = { outcome: 'violated', owed: true, blocking: true }
const open: DecidingVerdict = { outcome: 'unexercised', owed: true, blocking: false }
const suiteFault: DecidingVerdict = { outcome: 'suite-fault', owed: false, blocking: false }

test('a whole run whose owed obligations are upheld is conformant', () => {
  expect(runOutcome([upheld], whole)).toEqual({ outcome: 'conformant', exitCode: 0, reason: null })
})

test('a blocking violation makes a run nonconformant, also one that ended early', () => {
  expect(runOutcome([upheld, blocking, open], { ...whole, unfinished: 'budget' }).exitCode).toBe(1)
})

test('a violation that does not block fails nothing', () => {
  expect(runOutcome([upheld, { ...blocking, blocking: false }], whole).exitCode).toBe(0)
})

test('an owed obligation without a decision leaves the run incomplete', () => {
  for (const outcome of ['unexercised', 'inconclusive'] as const)
    expect(runOutcome([upheld, { ...open, outcome }], whole).exitCode).toBe(2)
  expect(runOutcome([upheld, { ...open, owed: false }], whole).exitCode).toBe(0)
})

test('a run that ended early, or in which nothing was accepted, is incomplete with that reason', () => {
  expect(runOutcome([upheld], { ...whole, unfinished: 'budget' })).toMatchObject({ exitCode: 2, reason: 'budget' })
  expect(runOutcome([upheld], { ...whole, acceptedAny: false })).toMatchObject({ exitCode: 2 })
})

test('a run without a verdict, with a fault of the suite or without a usable recording is invalid', () => {
  expect(runOutcome([open], whole).exitCode).toBe(3)
  expect(runOutcome([upheld, blocking, suiteFault], whole).exitCode).toBe(3)
  expect(runOutcome([upheld], { ...whole, invalid: 'no footer' })).toMatchObject({ exitCode: 3, reason: 'no footer' })
})

test('a failure beside the verdicts makes a run nonconformant, but not an invalid one', () => {
  expect(runOutcome([upheld], { ...whole, failing: 'stale entry' })).toMatchObject({
    exitCode: 1,
    reason: 'stale entry',
  })
  expect(runOutcome([], { ...whole, failing: 'stale entry' }).exitCode).toBe(3)
})

test('a setting that the target contradicts makes a whole run invalid, and excuses no violation', () => {
  const facts = { ...whole, wrongSetting: 'tools.callIds' }
  expect(runOutcome([upheld, open], facts)).toMatchObject({ exitCode: 3, reason: 'tools.callIds' })
  expect(runOutcome([upheld, blocking, open], facts).exitCode).toBe(1)
  expect(runOutcome([upheld, open], { ...facts, unfinished: 'budget' }).exitCode).toBe(2)
  expect(runOutcome([upheld], facts).exitCode).toBe(3)
  expect(runOutcome([open], facts)).toMatchObject({ exitCode: 3, reason: 'tools.callIds' })
})

test('a target that stopped answering makes a run invalid, and excuses no violation', () => {
  const gone = 'the target stopped answering after E7'
  const facts = { ...whole, gone, unfinished: 'unreachable' }
  expect(runOutcome([upheld, open], facts)).toEqual({ outcome: 'invalid', exitCode: 3, reason: gone })
  expect(runOutcome([upheld, blocking, open], facts).exitCode).toBe(1)
})

test('only obligations that are owed can be open', () => {
  expect([upheld, blocking, open, { ...open, owed: false }].map(isOpen)).toEqual([false, false, true, false])
})

test('stated musts block, implied ones when strict, and shoulds never', () => {
  expect(isBlockingRule({ level: 'must', basis: 'stated' }, false)).toBe(true)
  expect(isBlockingRule({ level: 'must', basis: 'implied' }, false)).toBe(false)
  expect(isBlockingRule({ level: 'must', basis: 'implied' }, true)).toBe(true)
  expect(isBlockingRule({ level: 'should', basis: 'stated' }, true)).toBe(false)
})

test.each([
  ['no-fixture: The profile has no tenant.', 'missing setup: The profile has no tenant.'],
  ['budget', 'left out by cap or tier'],
  ['not claimed: files', 'not claimed: files'],
  ['constructor: of nothing', 'constructor: of nothing'],
])('why something was not tested is put into words: %s', (reason, text) => {
  expect(reasonText(reason)).toBe(text)
})
