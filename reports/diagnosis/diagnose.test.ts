/** The first cause named is the real one, measured on every known fault and on pairs of them. */
import { expect, test } from 'vitest'
import type { Verdict } from '../../conformance/index.ts'
import { type FaultSignature, faultSignatures } from '../../spec/index.ts'
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

const violatedBy = ({ requirement, violates }: FaultSignature): readonly string[] => [requirement, ...violates]

/** How many of the known faults a signature stands for. */
const weight = (signatures: readonly FaultSignature[]): number =>
  signatures.reduce((sum, { faults }) => sum + faults, 0)

test('nothing violated has no cause', () => {
  expect(diagnose(reportOf([]))).toEqual([])
})

test('the first cause is the real one for at least nine of ten known faults', () => {
  const right = faultSignatures.filter(
    (signature) => diagnose(reportOf(violatedBy(signature)))[0]?.requirement === signature.requirement,
  )
  expect(weight(right) / weight(faultSignatures)).toBeGreaterThanOrEqual(0.9)
})

test('the first cause is one of the real ones for at least eight of ten pairs of faults', () => {
  const pairs = faultSignatures.flatMap((one, index) => {
    const other = faultSignatures[(index * 37 + 11) % faultSignatures.length]
    return other === undefined ? [] : [[one, other] as const]
  })
  const right = pairs.filter(([one, other]) => {
    const [first] = diagnose(reportOf(new Set([...violatedBy(one), ...violatedBy(other)])))
    return first?.requirement === one.requirement || first?.requirement === other.requirement
  })
  expect(right.length / pairs.length).toBeGreaterThanOrEqual(0.8)
})

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
