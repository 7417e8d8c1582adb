/**
 * Reports of the parts of one divided run, as one report. Each part names its exchanges on its own, so the names get
 * the part in front; an obligation takes the verdict that says most, a violation first.
 */

import type { Counterexample, Notice, Observation, Outcome, Verdict } from '../../conformance/index.ts'
import { runOutcome } from '../../conformance/judge/run-outcome.ts'
import { grantedLevels } from '../granted-levels.ts'
import { isoTime } from '../iso-time.ts'
import type { Report, ReportCost, ReportedReplay, ReportRun } from '../report.ts'
import { settleReport } from '../report-ending.ts'
import { obligationKey } from '../severity.ts'

/** Why reports cannot be merged. */
export class MergeError extends Error {
  override readonly name = 'MergeError'
  readonly code = 'cannot-merge'
}

/** The verdict that says most comes first; a part that knows why a rule does not apply says more than one without evidence. */
const strength: readonly Outcome[] = [
  'violated',
  'suite-fault',
  'upheld',
  'inconclusive',
  'observed',
  'inapplicable',
  'unexercised',
]

/** One report out of the parts; throws MergeError when they are not parts of one run. */
export function mergeReports(parts: readonly Report[]): Report {
  const [first] = parts
  if (first === undefined) throw new MergeError('there is nothing to merge')
  for (const part of parts) assertSameRun(first, part)
  const renamed = parts.map((part, index) => prefixed(part, `s${part.run.shard?.index ?? index + 1}.`))
  const verdicts = mergedVerdicts(renamed)
  const replays = renamed.flatMap((part) => part.replays ?? [])
  return settleReport({
    schemaVersion: 1,
    run: mergedRun(parts, verdicts),
    cost: mergedCost(parts),
    verdicts,
    observations: mergedObservations(renamed),
    notices: renamed.flatMap(({ notices }) => notices),
    rules: Object.assign({}, ...parts.map(({ rules }) => rules)),
    questions: Object.assign({}, ...parts.map(({ questions }) => questions)),
    exchanges: renamed.flatMap(({ exchanges }) => exchanges),
    ...(replays.length === 0 ? {} : { replays }),
  })
}

const mustAgree = [
  'target',
  'contractDigest',
  'profileDigest',
  'suiteVersion',
  'strict',
  'tier',
] as const satisfies readonly (keyof ReportRun)[]

function assertSameRun(first: Report, part: Report): void {
  const differing = mustAgree.find((field) => first.run[field] !== part.run[field])
  if (differing !== undefined)
    throw new MergeError(`not parts of one run: ${differing} is ${first.run[differing]} and ${part.run[differing]}`)
  const twice = part !== first && first.run.shard !== undefined && first.run.shard.index === part.run.shard?.index
  if (twice) throw new MergeError(`part ${part.run.shard?.index} is there twice`)
}

function prefixed(report: Report, prefix: string): Report {
  const rename = (ids: readonly string[]): readonly string[] => ids.map((id) => prefix + id)
  const withIds = <T extends Notice | Observation>(told: T): T => ({
    ...told,
    exchanges: rename(told.exchanges),
  })
  return {
    ...report,
    verdicts: report.verdicts.map((verdict) => ({
      ...verdict,
      exchanges: rename(verdict.exchanges),
      ...(verdict.witness === undefined ? {} : { witness: prefixedWitness(verdict.witness, prefix) }),
    })),
    observations: report.observations.map(withIds),
    notices: report.notices.map(withIds),
    ...(report.replays === undefined ? {} : { replays: report.replays.map((one) => prefixedReplay(one, rename)) }),
    exchanges: report.exchanges.map((exchange) => ({ ...exchange, id: prefix + exchange.id })),
  }
}

function prefixedReplay(replay: ReportedReplay, rename: (ids: readonly string[]) => readonly string[]): ReportedReplay {
  return replay.disturbances === undefined ? replay : { ...replay, disturbances: rename(replay.disturbances) }
}

function prefixedWitness(witness: Counterexample, prefix: string): Counterexample {
  const named = new Set(witness.steps.map(({ exchange }) => exchange))
  const contradiction = witness.contradiction.replace(/\bE\d+\b/g, (id) => (named.has(id) ? prefix + id : id))
  return {
    ...witness,
    contradiction,
    steps: witness.steps.map((step) => ({ ...step, exchange: prefix + step.exchange })),
  }
}

function mergedVerdicts(parts: readonly Report[]): readonly Verdict[] {
  const byObligation = new Map<string, Verdict>()
  for (const verdict of parts.flatMap(({ verdicts }) => verdicts)) {
    const key = obligationKey(verdict)
    const known = byObligation.get(key)
    byObligation.set(key, known === undefined ? verdict : stronger(known, verdict))
  }
  return [...byObligation.values()]
}

function stronger(a: Verdict, b: Verdict): Verdict {
  const order = rankOf(a) - rankOf(b)
  if (order !== 0) return order < 0 ? a : b
  return { ...a, witnesses: a.witnesses + b.witnesses, exchanges: [...a.exchanges, ...b.exchanges] }
}

/** Whether the obligation was left out on purpose, by a filter or because another part has it. */
function isLeftOut({ outcome, reason }: Verdict): boolean {
  return outcome === 'unexercised' && (reason?.startsWith('not-selected') ?? false)
}

/** What a part left to another part says least of all. */
function rankOf(verdict: Verdict): number {
  return isLeftOut(verdict) ? strength.length : strength.indexOf(verdict.outcome)
}

function mergedObservations(parts: readonly Report[]): readonly Observation[] {
  const byGap = new Map<string, Observation>()
  for (const seen of parts.flatMap(({ observations }) => observations)) {
    const known = byGap.get(seen.gap)
    byGap.set(seen.gap, known === undefined ? seen : agreed(known, seen))
  }
  return [...byGap.values()]
}

function agreed(a: Observation, b: Observation): Observation {
  const same = a.value === b.value
  return {
    ...a,
    value: same ? a.value : `${a.value}; ${b.value}`,
    consistent: same && a.consistent && b.consistent,
    exchanges: [...a.exchanges, ...b.exchanges],
  }
}

function mergedCost(parts: readonly Report[]): ReportCost {
  const sum = (pick: (cost: ReportCost) => number): number => parts.reduce((total, { cost }) => total + pick(cost), 0)
  const cap = (pick: (cost: ReportCost) => number | null): number | null =>
    parts.reduce<number | null>((total, { cost }) => addCaps(total, pick(cost)), 0)
  return {
    exchanges: sum(({ exchanges }) => exchanges),
    modelCalls: sum(({ modelCalls }) => modelCalls),
    maxExchanges: cap(({ maxExchanges }) => maxExchanges),
    maxModelCalls: cap(({ maxModelCalls }) => maxModelCalls),
  }
}

function addCaps(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function mergedRun(parts: readonly Report[], verdicts: readonly Verdict[]): ReportRun {
  const runs = parts.map(({ run }) => run)
  const [first] = runs
  if (first === undefined) throw new MergeError('there is nothing to merge')
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt))
  const ends = runs.map(({ durationMs }, index) => (starts[index] ?? 0) + durationMs)
  const missing = missingShards(runs)
  const reason = missing === '' ? runs.find(({ complete }) => !complete)?.incompleteReason : missing
  const complete = missing === '' && runs.every((run) => run.complete)
  const { shard: _, incompleteReason: __, baseline: ___, ...rest } = first
  const { outcome, exitCode } = runOutcome(verdicts, {
    invalid: null,
    unfinished: complete ? null : (reason ?? 'a part was not finished'),
    acceptedAny: true,
  })
  return {
    ...rest,
    outcome,
    exitCode,
    startedAt: isoTime(Math.min(...starts)),
    durationMs: Math.max(...ends) - Math.min(...starts),
    granted: complete ? grantedLevels({ outcome, verdicts }, first.claimed) : [],
    complete,
    ...(reason === undefined ? {} : { incompleteReason: reason }),
  }
}

function missingShards(runs: readonly ReportRun[]): string {
  const count = Math.max(0, ...runs.map(({ shard }) => shard?.count ?? 0))
  const here = new Set(runs.map(({ shard }) => shard?.index))
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !here.has(index))
  return missing.length === 0 ? '' : `without part ${missing.join(', ')} of ${count}`
}
