/** The first cause named is the real one, measured on known faults, on those of other servers, and on groups. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isBlockingRule, type Verdict } from '../../conformance/index.ts'
import { type FaultSignature, faultSignatures, requirements } from '../../spec/index.ts'
import { diagnose } from './diagnose.ts'

const violated = (requirement: string): Verdict => ({
  requirement,
  operation: 'listMessages',
  facet: null,
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: true,
  outcome: 'violated',
  witnesses: 1,
  exchanges: ['E1'],
})

const reportOf = (requirements: Iterable<string>) => ({
  verdicts: [...requirements].map(violated),
})

/** What a fault of a server that was written without the suite violates, and which of it a person called the cause. */
interface ForeignFault {
  readonly server: string
  readonly fault: string
  readonly violates: readonly string[]
  readonly causes: readonly string[]
}

const foreignFaults: readonly ForeignFault[] = JSON.parse(
  readFileSync(new URL('../../test/servers/first-causes.json', import.meta.url), 'utf8'),
)
const blockingIds = new Set<string>(requirements.filter((row) => isBlockingRule(row, false)).map(({ id }) => id))

/** The groups of so many faults whose first cause is the cause of one of them. */
const rightGroups = (count: number): readonly unknown[] =>
  foreignFaults.filter((_, start) => {
    const group = Array.from(
      { length: count },
      (_, step) => foreignFaults[(start + step * (start * 37 + 11)) % foreignFaults.length],
    )
    const present = group.filter((fault) => fault !== undefined)
    const verdicts = [...new Set(present.flatMap(({ violates }) => violates))].map((id) => ({
      ...violated(id),
      blocking: blockingIds.has(id),
    }))
    const [first] = diagnose({ verdicts })
    return present.some(({ causes }) => causes.includes(first?.requirement ?? ''))
  })

const violatedBy = ({ requirement, violates }: FaultSignature): readonly string[] => [requirement, ...violates]

/** How many of the known faults a signature stands for. */
const weight = (signatures: readonly FaultSignature[]): number =>
  signatures.reduce((sum, { faults }) => sum + faults, 0)

test('nothing violated has no cause', () => {
  expect(diagnose(reportOf([]))).toEqual([])
})

test('the first cause is the real one for at least 95 of 100 known faults', () => {
  const right = faultSignatures.filter(
    (signature) => diagnose(reportOf(violatedBy(signature)))[0]?.requirement === signature.requirement,
  )
  expect(weight(right) / weight(faultSignatures)).toBeGreaterThanOrEqual(0.95)
})

/** Steps from one fault of a group to the next; one step alone draws the same few pairs for some numbers of faults. */
const strides = [37, 41, 43, 53, 59, 61]

/** Every known fault, each as often as the proof has it. */
const faults = faultSignatures.flatMap((signature) => Array.from({ length: signature.faults }, () => signature))

test.each([
  [2, 0.92],
  [3, 0.89],
])('of %i faults at once, the first cause is one of the real ones in %f of all cases', (count, share) => {
  const drawn = strides.flatMap((stride) => faults.map((_, start) => ({ start, stride })))
  const right = drawn.filter(({ start, stride }) => {
    const group = Array.from(
      { length: count },
      (_, step) => faults[(start + step * (start * stride + 11)) % faults.length],
    )
    const present = group.filter((fault) => fault !== undefined)
    const [first] = diagnose(reportOf(new Set(present.flatMap(violatedBy))))
    return present.some(({ requirement }) => requirement === first?.requirement)
  })
  expect(right.length / drawn.length).toBeGreaterThanOrEqual(share)
})

test.each([
  [1, 0.9],
  [2, 0.9],
  [3, 0.88],
])(
  'of %i faults at once of servers that the suite did not know, the first cause is real in %f of all cases',
  (count, share) => {
    expect(rightGroups(count).length / foreignFaults.length).toBeGreaterThanOrEqual(share)
  },
)

test('each violated verdict is explained by exactly one cause', () => {
  const all = faultSignatures.flatMap(violatedBy).slice(0, 40)
  const explained = diagnose(reportOf(new Set(all))).flatMap(({ explains }) => explains)
  expect(explained.map(({ requirement }) => requirement).sort()).toEqual([...new Set(all)].sort())
})

test('a requirement without a known pattern is its own cause', () => {
  const [cause] = diagnose(reportOf(['threads.created-is-listed']), [])
  expect(cause).toMatchObject({ requirement: 'threads.created-is-listed', example: null, blocking: true })
})

test('of causes that explain as much, the one in the earlier chapter comes first', () => {
  const signatures: readonly FaultSignature[] = [
    { requirement: 'threads.created-is-listed', violates: ['http.json-response'], faults: 1, example: 'late' },
    { requirement: 'http.json-response', violates: ['threads.created-is-listed'], faults: 1, example: 'early' },
  ]
  expect(diagnose(reportOf(['threads.created-is-listed', 'http.json-response']), signatures)).toMatchObject([
    { requirement: 'http.json-response', example: 'early' },
  ])
})

test('advice is never fixed first while a rule is broken, and is no known fault of its own', () => {
  const advice = ['errors.detail-text', 'errors.listed-where'].map(
    (id): Verdict => ({ ...violated(id), level: 'should', owed: false, blocking: false }),
  )
  const implied: Verdict = { ...violated('tenancy.record-is-stable'), basis: 'implied', blocking: false }
  const causes = diagnose({ verdicts: [...advice, implied] })
  expect(causes[0]?.requirement).toBe('tenancy.record-is-stable')
  const stated = diagnose({ verdicts: [...advice, implied, violated('threads.unknown-thread-error')] })
  expect(stated[0]).toMatchObject({ requirement: 'threads.unknown-thread-error', blocking: true })
})
