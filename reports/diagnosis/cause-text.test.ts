/** A likely cause says at which operations it shows, and whether its pattern is known. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../spec/index.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { likelyCauses } from './cause-text.ts'

/** The first cause of a report in which these obligations alone are broken. */
const firstCause = (...broken: readonly (readonly [requirement: string, ...operations: readonly OperationId[]])[]) => {
  const report = sampleReport({ green: true })
  const verdicts = broken.flatMap(([requirement, ...operations]) =>
    operations.flatMap((operation) => {
      const known = report.verdicts.find((one) => one.requirement === requirement)
      return known === undefined
        ? []
        : [{ ...known, operation, outcome: 'violated' as const, blocking: true, expected: 'this', actual: 'that' }]
    }),
  )
  const [cause] = likelyCauses({ ...report, verdicts })
  return cause
}

test('a single failure is the only one', () => {
  expect(firstCause(['auth.key-required', 'runThread'])).toMatchObject({ explains: 'the only failure', also: '' })
})

test('failures at one operation name no other', () => {
  expect(firstCause(['auth.key-required', 'runThread', 'runThread'])).toMatchObject({
    explains: 'explains both failures',
    also: '',
  })
  expect(firstCause(['auth.key-required', 'runThread', 'runThread', 'runThread'])?.explains).toBe(
    'explains all 3 failures',
  )
})

test('the other operations are named, also those of rules that follow, up to four', () => {
  expect(firstCause(['auth.key-required', 'runThread', 'listMessages'])).toMatchObject({
    explains: 'explains both failures',
    also: 'also GET /v1/threads/{thread_id}/messages',
  })
  const following = firstCause(
    ['pagination.cursor-continues', 'listMessages'],
    ['pagination.any-limit-same-list', 'runThread'],
  )
  expect(following?.also).toBe('also POST /v1/threads/{thread_id}/run')
  const many = firstCause([
    'auth.key-required',
    'runThread',
    'listMessages',
    'createMessage',
    'listAssistants',
    'getAssistant',
    'listMyApiKeys',
  ])
  expect(many?.also).toMatch(/^also (?:\S+ \S+, ){2}\S+ \S+ and 2 more operations$/)
})

test('a cause says whether its pattern is known, without counting other faults', () => {
  expect(firstCause(['auth.key-required', 'runThread'])?.pattern).toBe(' (known pattern)')
})
