/**
 * The court: one trace in, one judgement out. Pure: the same trace gives the same judgement on any machine, whenever, and no
 * clock, locale or order of a hash decides anything.
 */

import type { ProbeNote, Trace } from '../exchange.ts'
import { findingsOf } from '../findings/index.ts'
import { declaredVerdicts, observationsOf } from '../gaps/index.ts'
import { globMatcher } from '../glob.ts'
import { noticesOf } from '../notices/index.ts'
import { type Oracle, oracles } from '../oracles/index.ts'
import type { Judgement, Verdict } from '../verdict.ts'
import { type WitnessMaker, witnessMaker } from '../witness/index.ts'
import { buildDocket, type Docket } from './docket.ts'
import { type Due, duesOf } from './obligations.ts'
import { outcomeOf } from './outcome.ts'
import { suiteFaults } from './suite-faults.ts'
import { type Tally, Testimony } from './testimony.ts'

export interface JudgeOptions {
  /** Whether what the contract implies counts like what it states. */
  readonly strict?: boolean
  /** A glob over requirement ids, `*` for any characters; other verdicts are left out. */
  readonly only?: string
}

/** Judges a trace. Never throws for what a target did. */
export function judge(trace: Trace, { strict = false, only = '*' }: JudgeOptions = {}): Judgement {
  const docket = buildDocket(trace)
  const makeWitness = witnessMaker(docket)
  const wanted = globMatcher(only)
  const dues = duesOf(docket, strict).filter(({ row }) => wanted(row.id))
  const judged = judgeDues(docket, dues, trace.notes, makeWitness)
  const observations = observationsOf(docket)
  const faults = suiteFaults(docket)
  const verdicts = [
    ...judged.verdicts,
    ...declaredVerdicts(observations).filter(({ requirement }) => wanted(requirement)),
    ...faults,
  ]
  const { outcome, reason } = outcomeOf(docket, trace, dues, verdicts, strict)
  return {
    outcome,
    exitCode: exitCodes[outcome],
    ...(reason === null ? {} : { reason }),
    verdicts,
    observations,
    notices: [...noticesOf(docket), ...judged.unclaimed],
    findings: findingsOf(docket, verdicts),
  }
}

const exitCodes = { conformant: 0, nonconformant: 1, incomplete: 2, invalid: 3 } as const

interface Judged {
  readonly verdicts: readonly Verdict[]
  readonly unclaimed: Judgement['notices']
}

function judgeDues(
  docket: Docket,
  dues: readonly Due[],
  notes: readonly ProbeNote[],
  makeWitness: WitnessMaker,
): Judged {
  const verdicts: Verdict[] = []
  const unclaimed: Judgement['notices'][number][] = []
  for (const [id, rowDues] of byRequirement(dues)) {
    const { testimony, failure } = hear(docket, oracles[id as keyof typeof oracles])
    for (const due of rowDues) {
      const tally = testimony.about(due.obligation.operation, due.obligation.facet)
      verdicts.push(failure === null ? verdictOf(due, tally, notes, makeWitness) : failedVerdict(due, failure))
      if (due.inapplicable !== null && tally !== null && tally.contradicted > 0)
        unclaimed.push(unclaimedNotice(due, tally))
    }
    verdicts.push(...unlistedVerdicts(rowDues, testimony, makeWitness))
  }
  return { verdicts, unclaimed }
}

function byRequirement(dues: readonly Due[]): ReadonlyMap<string, readonly Due[]> {
  const groups = new Map<string, Due[]>()
  for (const due of dues) {
    const group = groups.get(due.row.id)
    if (group === undefined) groups.set(due.row.id, [due])
    else group.push(due)
  }
  return groups
}

/** An oracle that fails is a fault of the suite, told as such; the other oracles still speak. */
function hear(docket: Docket, oracle: Oracle): { readonly testimony: Testimony; readonly failure: string | null } {
  const testimony = new Testimony()
  try {
    oracle(docket, testimony)
    return { testimony, failure: null }
  } catch (error) {
    return { testimony, failure: error instanceof Error ? error.message : String(error) }
  }
}

function verdictOf(due: Due, tally: Tally | null, notes: readonly ProbeNote[], makeWitness: WitnessMaker): Verdict {
  const base = baseOf(due)
  if (due.inapplicable !== null)
    return { ...base, outcome: 'inapplicable', witnesses: 0, reason: due.inapplicable, exchanges: [] }
  if (tally === null)
    return { ...base, outcome: 'unexercised', witnesses: 0, reason: whyUnexercised(due, notes), exchanges: [] }
  if (tally.contradicted > 0) return violatedVerdict(base, tally, makeWitness)
  if (tally.held > 0) return { ...base, outcome: 'upheld', witnesses: tally.held, exchanges: tally.heldBy }
  return {
    ...base,
    outcome: 'inconclusive',
    witnesses: tally.ambiguous,
    ...(tally.whyAmbiguous === null ? {} : { reason: tally.whyAmbiguous }),
    exchanges: tally.ambiguousIn,
  }
}

type VerdictBase = Pick<Verdict, 'requirement' | 'operation' | 'facet' | 'level' | 'basis'>

const baseOf = ({ row, obligation: { requirement, operation, facet } }: Due): VerdictBase => ({
  requirement,
  operation,
  facet,
  level: row.level,
  basis: row.basis,
})

function violatedVerdict(base: VerdictBase, tally: Tally, makeWitness: WitnessMaker): Verdict {
  const [contradiction] = tally.contradictions
  if (contradiction === undefined) return { ...base, outcome: 'violated', witnesses: tally.contradicted, exchanges: [] }
  return {
    ...base,
    outcome: 'violated',
    witnesses: tally.contradicted,
    exchanges: contradiction.exchanges,
    expected: contradiction.expected,
    actual: contradiction.actual,
    ...(contradiction.pointer === undefined ? {} : { pointer: contradiction.pointer }),
    witness: makeWitness(contradiction),
  }
}

const failedVerdict = (due: Due, failure: string): Verdict => ({
  ...baseOf(due),
  outcome: 'suite-fault',
  witnesses: 0,
  reason: `The oracle failed: ${failure}`,
  exchanges: [],
})

/** Contradictions in facets that no row lists, for example another page size: told, though nobody owes them. */
function unlistedVerdicts(
  rowDues: readonly Due[],
  testimony: Testimony,
  makeWitness: WitnessMaker,
): readonly Verdict[] {
  return testimony.tallies().flatMap((tally) => {
    const sibling = rowDues.find(({ obligation }) => obligation.operation === tally.operation)
    const isListed = rowDues.some(
      ({ obligation }) => obligation.operation === tally.operation && obligation.facet === tally.facet,
    )
    if (sibling === undefined || sibling.inapplicable !== null || isListed || tally.contradicted === 0) return []
    return [violatedVerdict({ ...baseOf(sibling), facet: tally.facet }, tally, makeWitness)]
  })
}

function whyUnexercised({ row, obligation }: Due, notes: readonly ProbeNote[]): string {
  const note = notes.find(
    ({ requirements, operation }) =>
      (operation === null || operation === obligation.operation) &&
      requirements.some((glob) => globMatcher(glob)(row.id)),
  )
  return note === undefined ? 'nothing in the trace shows it' : `${note.reason}: ${note.text}`
}

const unclaimedNotice = ({ obligation, inapplicable }: Due, tally: Tally): Judgement['notices'][number] => ({
  code: 'unclaimed-violation',
  text: `${obligation.requirement} is broken by ${obligation.operation}, and does not count: ${inapplicable}.`,
  exchanges: tally.contradictions[0]?.exchanges ?? [],
})
