/**
 * Two reports of one target side by side, obligation by obligation. A violation that is merely not seen any more, because
 * nothing exercised it, is not fixed; and what was upheld and is not exercised now is lost cover, not silence.
 */
import type { Outcome, Verdict } from '../../conformance/index.ts'
import { isBlockingRule } from '../../conformance/judge/run-outcome.ts'
import { countText, obligationKey } from '../../spec/index.ts'
import type { Report } from '../report.ts'
import { failuresOf } from '../severity.ts'

export interface Change {
  readonly obligation: string
  readonly requirement: string
  readonly before: Outcome | null
  readonly after: Outcome | null
  /** Whether the violation in question fails a run; of what is lost, whether one would. */
  readonly blocking: boolean
}

interface AnswerChange {
  readonly gap: string
  readonly before: string | null
  readonly after: string | null
}

export interface Comparison {
  /** Violated before, upheld now. */
  readonly fixed: readonly Change[]
  /** Not violated before, violated now. */
  readonly broken: readonly Change[]
  /** Violated now, and the old report did not know the obligation. */
  readonly new: readonly Change[]
  /** Violated before and now. */
  readonly still: readonly Change[]
  /** Violated before, neither violated nor upheld now. */
  readonly unproven: readonly Change[]
  /** Upheld before, not exercised now; what the new report does not judge at all is counted in a caveat. */
  readonly lost: readonly Change[]
  /** Gaps that are answered differently. */
  readonly answers: readonly AnswerChange[]
  /** Why the two reports may not be comparable, in sentences. */
  readonly caveats: readonly string[]
  /** 1 when something that fails a run is broken or new, or lost where that was asked for; else 0. */
  readonly exitCode: 0 | 1
}

type Kind = 'fixed' | 'broken' | 'new' | 'still' | 'unproven' | 'lost'

/** What changed from the old report to the new one; `lost` cover fails only where the caller says so. */
export function compareReports(
  before: Report,
  after: Report,
  { failOn }: { readonly failOn?: 'lost' | undefined } = {},
): Comparison {
  const old = new Map(before.verdicts.map((verdict) => [obligationKey(verdict), verdict]))
  const now = new Map(after.verdicts.map((verdict) => [obligationKey(verdict), verdict]))
  const isFailing = { before: failuresOf(before), after: failuresOf(after), strict: after.run.strict }
  const kinds: Record<Kind, Change[]> = { fixed: [], broken: [], new: [], still: [], unproven: [], lost: [] }
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const kind = kindOf(old.get(key), now.get(key))
    if (kind !== null) kinds[kind].push(changeOf(key, old.get(key), now.get(key), isFailing))
  }
  const worse = [...kinds.broken, ...kinds.new, ...(failOn === 'lost' ? kinds.lost : [])]
  const failing = worse.some(({ blocking }) => blocking)
  return {
    ...kinds,
    answers: answerChanges(before, after),
    caveats: [...caveatsOf(before, after), ...unjudgedCaveat(old, now)],
    exitCode: failing ? 1 : 0,
  }
}

function kindOf(old: Verdict | undefined, now: Verdict | undefined): Kind | null {
  const wasViolated = old?.outcome === 'violated'
  if (now?.outcome === 'violated') return wasViolated ? 'still' : old === undefined ? 'new' : 'broken'
  if (wasViolated) return now?.outcome === 'upheld' ? 'fixed' : 'unproven'
  return old?.outcome === 'upheld' && now !== undefined && now.outcome !== 'upheld' ? 'lost' : null
}

/** Tells which verdicts fail each of the two runs. */
type Failing = Readonly<Record<'before' | 'after', (verdict: Verdict) => boolean>> & { readonly strict: boolean }

function changeOf(obligation: string, old: Verdict | undefined, now: Verdict | undefined, isFailing: Failing): Change {
  const blocking =
    now !== undefined && kindOf(old, now) === 'lost'
      ? isBlockingRule(now, isFailing.strict)
      : (now !== undefined && isFailing.after(now)) || (old !== undefined && isFailing.before(old))
  return {
    obligation,
    requirement: now?.requirement ?? old?.requirement ?? obligation,
    before: old?.outcome ?? null,
    after: now?.outcome ?? null,
    blocking,
  }
}

function answerChanges(before: Report, after: Report): readonly AnswerChange[] {
  const old = new Map(before.observations.map(({ gap, value }) => [gap, value]))
  const now = new Map(after.observations.map(({ gap, value }) => [gap, value]))
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((gap) => ({ gap, before: old.get(gap) ?? null, after: now.get(gap) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** A run with `--only` judges a part, and a line for each obligation of the rest would hide the changes. */
function unjudgedCaveat(old: ReadonlyMap<string, Verdict>, now: ReadonlyMap<string, Verdict>): readonly string[] {
  const count = [...old].filter(([key, { outcome }]) => outcome === 'upheld' && !now.has(key)).length
  return count === 0
    ? []
    : [`Not compared: ${countText(count, 'obligation')} that passed before and that the new report does not judge.`]
}

function caveatsOf(before: Report, after: Report): readonly string[] {
  const differences: readonly (readonly [boolean, string])[] = [
    [before.run.target !== after.run.target, `Another target: ${before.run.target} and ${after.run.target}.`],
    [before.run.contractDigest !== after.run.contractDigest, 'Another contract: requirements may have come or gone.'],
    [
      before.run.suiteVersion !== after.run.suiteVersion,
      `Another suite: ${before.run.suiteVersion} and ${after.run.suiteVersion}.`,
    ],
    [before.run.tier !== after.run.tier, `Another tier: ${before.run.tier} and ${after.run.tier}.`],
    [before.run.strict !== after.run.strict, 'Only one of the runs was strict.'],
    [!before.run.complete || !after.run.complete, 'At least one of the runs did not end by itself.'],
  ]
  return differences.filter(([differs]) => differs).map(([, sentence]) => sentence)
}
