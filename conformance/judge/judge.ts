/**
 * Judges one trace and returns one judgement. Pure: the same trace gives the same judgement on any machine at any time,
 * and no clock, locale or hash order decides anything.
 */

import { globMatcher } from '../profile/glob.ts'
import type { Trace } from '../trace/exchange.ts'
import { unsupportedSetting } from './contradicted-settings.ts'
import { type CounterexampleBuilder, counterexampleBuilder } from './counterexample/counterexample.ts'
import { contradictedDeclaration, declaredVerdicts, observationsOf } from './gaps/gap-observations.ts'
import { noticesOf } from './notices.ts'
import { type ObligationStatus, obligationStatuses } from './obligations.ts'
import { ObservationLog, type Tally } from './observation-log.ts'
import { oracles } from './oracles/oracles.ts'
import type { Oracle } from './oracles/support/oracle.ts'
import { runFacts } from './run-facts.ts'
import { goneCode, isOpen, runOutcome, wrongSettingCode } from './run-outcome.ts'
import { suiteFaults } from './suite-faults.ts'
import { analyzeTrace, type TraceAnalysis } from './trace-analysis.ts'
import { type ReasonFinder, reasonFinder } from './unexercised-reason.ts'
import type { Judgement, Verdict } from './verdict.ts'

export interface JudgeOptions {
  /** Whether what the contract implies counts like what it states. */
  readonly strict?: boolean
  /** A glob over requirement ids, `*` for any characters; other verdicts are left out. */
  readonly only?: string
}

/** Judges a trace. Never throws for what a target did. */
export function judge(trace: Trace, { strict = false, only = '*' }: JudgeOptions = {}): Judgement {
  const analysis = analyzeTrace(trace)
  const buildCounterexample = counterexampleBuilder(analysis)
  const wanted = globMatcher(only)
  const statuses = obligationStatuses(analysis, strict).filter(({ row }) => wanted(row.id))
  const judged = judgeObligations(analysis, statuses, reasonFinder(analysis, trace), buildCounterexample)
  const observations = observationsOf(analysis)
  const faults = suiteFaults(analysis)
  const asked = observations.filter(({ gap }) => wanted(`gap.${gap}`))
  const verdicts = [...judged.verdicts, ...declaredVerdicts(asked), ...faults]
  const known = runFacts(analysis, trace)
  const unsupported = verdicts.some(isOpen) ? unsupportedSetting(analysis) : null
  const wrongSetting = known.wrongSetting ?? contradictedDeclaration(asked) ?? unsupported
  const { outcome, exitCode, reason } = runOutcome(verdicts, { ...known, wrongSetting })
  return {
    outcome,
    exitCode,
    ...(reason === null ? {} : { reason }),
    verdicts,
    observations,
    notices: [
      ...noticesOf(analysis),
      ...judged.unclaimed,
      ...untold(wrongSettingCode, wrongSetting, reason),
      ...untold(goneCode, known.gone, reason),
    ],
  }
}

/** Facts that a violation outranks as the reason of the run are reported as notices. */
const untold = (code: string, text: string | null | undefined, reason: string | null): Judgement['notices'] =>
  text === null || text === undefined || text === reason ? [] : [{ code, text, exchanges: [] }]

interface Judged {
  readonly verdicts: readonly Verdict[]
  readonly unclaimed: Judgement['notices']
}

function judgeObligations(
  analysis: TraceAnalysis,
  statuses: readonly ObligationStatus[],
  whyUnexercised: ReasonFinder,
  buildCounterexample: CounterexampleBuilder,
): Judged {
  const verdicts: Verdict[] = []
  const unclaimed: Judgement['notices'][number][] = []
  for (const [id, rowStatuses] of byRequirement(statuses)) {
    const { log, failure } = observe(analysis, oracles[id as keyof typeof oracles].judge)
    for (const status of rowStatuses) {
      const tally = log.about(status.obligation.operation, status.obligation.facet)
      verdicts.push(
        failure === null
          ? verdictOf(status, tally, whyUnexercised, buildCounterexample)
          : failedVerdict(status, failure),
      )
      if (status.inapplicable !== null && tally !== null && tally.contradicted > 0)
        unclaimed.push(unclaimedNotice(status, tally))
    }
    verdicts.push(...unlistedVerdicts(rowStatuses, log, buildCounterexample))
  }
  return { verdicts, unclaimed }
}

function byRequirement(statuses: readonly ObligationStatus[]): ReadonlyMap<string, readonly ObligationStatus[]> {
  const groups = new Map<string, ObligationStatus[]>()
  for (const status of statuses) {
    const group = groups.get(status.row.id)
    if (group === undefined) groups.set(status.row.id, [status])
    else group.push(status)
  }
  return groups
}

/** Runs one oracle. An oracle that throws is a fault of the suite and is reported as such; the others still run. */
function observe(
  analysis: TraceAnalysis,
  oracle: Oracle,
): { readonly log: ObservationLog; readonly failure: string | null } {
  const log = new ObservationLog()
  try {
    oracle(analysis, log)
    return { log, failure: null }
  } catch (error) {
    return { log, failure: error instanceof Error ? error.message : String(error) }
  }
}

function verdictOf(
  status: ObligationStatus,
  tally: Tally | null,
  whyUnexercised: ReasonFinder,
  buildCounterexample: CounterexampleBuilder,
): Verdict {
  const base = baseOf(status)
  if (status.inapplicable !== null)
    return { ...base, outcome: 'inapplicable', witnesses: 0, reason: status.inapplicable, exchanges: [] }
  if (tally === null)
    return { ...base, outcome: 'unexercised', witnesses: 0, reason: whyUnexercised(status), exchanges: [] }
  if (tally.contradicted > 0)
    return violatedVerdict({ ...base, blocking: status.isBlocking }, tally, buildCounterexample)
  if (tally.held > 0) return { ...base, outcome: 'upheld', witnesses: tally.held, exchanges: tally.heldBy }
  return {
    ...base,
    outcome: 'inconclusive',
    witnesses: tally.ambiguous,
    ...(tally.whyAmbiguous === null ? {} : { reason: tally.whyAmbiguous }),
    exchanges: tally.ambiguousIn,
  }
}

type VerdictBase = Omit<Verdict, 'outcome' | 'witnesses' | 'exchanges'>

const baseOf = ({ row, obligation: { requirement, operation, facet }, isOwed }: ObligationStatus): VerdictBase => ({
  requirement,
  operation,
  facet,
  level: row.level,
  basis: row.basis,
  owed: isOwed,
  blocking: false,
})

function violatedVerdict(base: VerdictBase, tally: Tally, buildCounterexample: CounterexampleBuilder): Verdict {
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
    headline: contradiction.headline,
    witness: buildCounterexample(contradiction),
  }
}

const failedVerdict = (status: ObligationStatus, failure: string): Verdict => ({
  ...baseOf(status),
  outcome: 'suite-fault',
  witnesses: 0,
  reason: `The oracle failed: ${failure}`,
  exchanges: [],
})

/** Contradictions in facets that no row lists, for example another page size: reported although no obligation covers them. */
function unlistedVerdicts(
  rowStatuses: readonly ObligationStatus[],
  log: ObservationLog,
  buildCounterexample: CounterexampleBuilder,
): readonly Verdict[] {
  return log.tallies().flatMap((tally) => {
    const sibling = rowStatuses.find(({ obligation }) => obligation.operation === tally.operation)
    const isListed = rowStatuses.some(
      ({ obligation }) => obligation.operation === tally.operation && obligation.facet === tally.facet,
    )
    if (sibling === undefined || sibling.inapplicable !== null || isListed || tally.contradicted === 0) return []
    const base = { ...baseOf(sibling), facet: tally.facet, owed: false, blocking: sibling.isBlocking }
    return [violatedVerdict(base, tally, buildCounterexample)]
  })
}

const unclaimedNotice = (
  { obligation, inapplicable }: ObligationStatus,
  tally: Tally,
): Judgement['notices'][number] => ({
  code: 'unclaimed-violation',
  text: `${obligation.requirement} is broken by ${obligation.operation}, and does not count: ${inapplicable}.`,
  exchanges: tally.contradictions[0]?.exchanges ?? [],
})
