/**
 * Proving oracles in tests: each case is one story and what becomes of one obligation in it. A chapter is proven when every
 * one of its requirements has a story that breaks it and a story that keeps it.
 */
import { expect, test } from 'vitest'
import { chapterOf, type OperationId, type RequirementId } from '../../spec/index.ts'
import { isSampled } from '../support/samples.ts'
import { decided, judgedInParts } from './in-parts.ts'
import { evidenceIn, outcomeOf, violatedIn, withoutEvidence } from './sample-data.ts'
import { TraceBuilder, type TraceBuilderOptions } from './trace-builder.ts'

/** One story; `law` is the sentence that it shows. */
export interface OracleCase {
  readonly requirement: RequirementId
  readonly facet?: string | undefined
  readonly operation?: OperationId | undefined
  readonly law: string
  readonly outcome: 'violated' | 'upheld' | 'inconclusive' | 'unexercised' | 'silent' | 'spared'
  readonly tell: (trace: TraceBuilder) => unknown
  readonly options?: TraceBuilderOptions
}

type Row = readonly [
  id: RequirementId,
  place: string,
  law: string,
  tell: (trace: TraceBuilder) => unknown,
  options?: TraceBuilderOptions,
]

const caseFrom =
  (outcome: OracleCase['outcome']) =>
  (...[requirement, place, law, tell, options = {}]: Row): OracleCase => {
    const [operation, facet] = place
      .split(' ', 1)
      .concat(place.includes(' ') ? place.slice(place.indexOf(' ') + 1) : [])
    return {
      requirement,
      operation: operation === '' ? undefined : (operation as OperationId),
      facet,
      law,
      outcome,
      tell,
      options,
    }
  }

/** The obligation at `operation facet` is violated. */
export const violates = caseFrom('violated')
/** It is upheld, and nothing at all is violated. */
export const upholds = caseFrom('upheld')
/** It cannot be decided, and nothing at all is violated. */
export const inconclusive = caseFrom('inconclusive')
/** It is not touched, and nothing at all is violated. */
export const unexercised = caseFrom('unexercised')
/** It is not violated, whatever else is: the fault is another rule's. */
export const notBlamed = caseFrom('spared')
/** A legal variant: nothing at all is violated. */
export const noViolation = caseFrom('silent')

/** Declares one test for each case, and one that every requirement of the chapter is broken and kept by some case. */
export function proveOracles(oracles: Readonly<Record<string, unknown>>, cases: readonly OracleCase[]): void {
  for (const one of cases) {
    const sign = one.outcome === 'violated' ? '✗' : '✓'
    test(`${one.requirement} ${sign} ${one.law}`, async () => {
      const trace = new TraceBuilder(one.options)
      one.tell(trace)
      const judgement = trace.judge()
      if (one.outcome === 'spared') expect(violatedIn(judgement)).not.toContain(one.requirement)
      else if (one.outcome !== 'violated') expect(violatedIn(judgement)).toEqual([])
      if (one.outcome !== 'silent' && one.outcome !== 'spared')
        expect(outcomeOf(judgement, one.requirement, one.operation, one.facet)).toBe(one.outcome)
      expect(withoutEvidence(judgement)).toEqual([])
      expect(judgement.verdicts.filter(({ outcome }) => outcome === 'suite-fault')).toEqual([])
      expect(evidenceIn(judgement, one.requirement)).toMatchSnapshot()
      // A long trace is judged in parts: thread by thread, all comes out the same.
      if (isSampled('stories that are judged in parts as well', one.law))
        expect(decided((await judgedInParts(trace.trace())).judgement)).toEqual(decided(judgement))
    })
  }
  test('every requirement of the chapter is broken by one story and kept by another', () => {
    const proven = (outcome: string): readonly string[] =>
      cases.filter((one) => one.outcome === outcome).map((one) => one.requirement)
    expect(Object.keys(oracles).filter((id) => !proven('violated').includes(id as RequirementId))).toEqual([])
    expect(Object.keys(oracles).filter((id) => !proven('upheld').includes(id as RequirementId))).toEqual([])
    expect(new Set(Object.keys(oracles).map(chapterOf)).size).toBe(1)
  })
}
