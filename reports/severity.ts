/**
 * Names, counts and groups verdicts for readers: obligation keys, outcome counts, chapters.
 * Whether a verdict blocks is decided by the judge; nothing here decides it again.
 */
import type { Outcome, RunOutcome, Verdict } from '../conformance/index.ts'
import { type Chapter, chapters, obligationKey } from '../spec/index.ts'
import type { Report } from './report.ts'

/** In the order in which a reader wants them. */
export const outcomeOrder = [
  'violated',
  'suite-fault',
  'inconclusive',
  'unexercised',
  'upheld',
  'observed',
  'inapplicable',
] as const satisfies readonly Outcome[]

/** A sign for each outcome, so that none rests on colour alone. */
export const outcomeSigns: Readonly<Record<Outcome, string>> = {
  violated: '×',
  'suite-fault': '!',
  inconclusive: '?',
  unexercised: '–',
  upheld: '✓',
  observed: 'o',
  inapplicable: '·',
}

/** The display texts of outcomes; JSON keeps the ids. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  violated: 'failed',
  'suite-fault': 'fault of the suite',
  inconclusive: 'inconclusive',
  unexercised: 'not tested',
  upheld: 'passed',
  observed: 'observed',
  inapplicable: 'not applicable',
}

/** The result of a run for one requirement. */
export interface RuleStanding {
  /** The worst outcome of the tested obligations; `unexercised` when none was, `null` without a verdict. */
  readonly outcome: Outcome | null
  /** Obligations that were not tested, such as those of unclaimed operations. */
  readonly untested: number
}

/** The result of a report for a requirement: untested obligations do not affect the tested ones. */
export function ruleStanding({ verdicts }: Pick<Report, 'verdicts'>, requirement: string): RuleStanding {
  const outcomes = verdicts.flatMap((verdict) => (verdict.requirement === requirement ? [verdict.outcome] : []))
  const tested = outcomes.filter((outcome) => outcome !== 'unexercised' && outcome !== 'inapplicable')
  const shown = tested.length === 0 ? outcomes : tested
  const outcome = outcomeOrder.find((one) => shown.includes(one)) ?? null
  const untested = outcomes.filter((one) => one === 'unexercised').length
  return { outcome, untested: tested.length === 0 ? 0 : untested }
}

/** The outcome of a run in the words of every rendering for people. */
export const runWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'conformant',
  nonconformant: 'not conformant',
  incomplete: 'incomplete',
  invalid: 'invalid run',
}

/** The mark before such words where there is no picture. */
export const runMarks: Readonly<Record<RunOutcome, string>> = {
  conformant: '✓',
  nonconformant: '×',
  incomplete: '!',
  invalid: '○',
}

type OutcomeCounts = Readonly<Record<Outcome, number>>

/** One chapter of the contract in one run. */
export interface ChapterStanding {
  readonly chapter: string
  readonly verdicts: readonly Verdict[]
  readonly counts: OutcomeCounts
  readonly standing: Standing
}

/**
 * `failed`: a blocking violation; `questioned`: an observation that a reader should see; `partial`: more was not tested
 * than passed; `empty`: nothing was judged.
 */
export type Standing = 'failed' | 'questioned' | 'partial' | 'passed' | 'empty'

/** Why a blocking violation fails nothing: a baseline knows it, or a disturbed run shows it only once. */
export type Excuse = 'known' | 'flaky'

/** The excused obligations of a report, by key. */
export function excusesIn({ run, replays = [] }: Pick<Report, 'run' | 'replays'>): ReadonlyMap<string, Excuse> {
  const flaky = run.failOnFlaky === true ? [] : replays.filter((replay) => replay.flaky)
  return new Map<string, Excuse>([
    ...flaky.map(({ obligation }) => [obligation, 'flaky'] as const),
    ...(run.baseline?.known ?? []).map((obligation) => [obligation, 'known'] as const),
  ])
}

/** Decides for each verdict of the report whether it fails the run: it blocks, and nothing excuses it. */
export function failuresOf(report: Pick<Report, 'run' | 'replays'>): (verdict: Verdict) => boolean {
  const excuses = excusesIn(report)
  return (verdict) => verdict.blocking && !excuses.has(obligationKey(verdict))
}

/** The number of verdicts with each outcome; every outcome is present. */
export function countOutcomes(verdicts: readonly Verdict[]): OutcomeCounts {
  const counts: Record<Outcome, number> = {
    violated: 0,
    upheld: 0,
    unexercised: 0,
    inapplicable: 0,
    inconclusive: 0,
    observed: 0,
    'suite-fault': 0,
  }
  for (const verdict of verdicts) counts[verdict.outcome] += 1
  return counts
}

/** The chapter of a requirement id; ids of other suites keep their own first segment. */
export function chapterOf(requirement: string): string {
  return requirement.split('.', 1)[0] ?? requirement
}

/** The chapters that have verdicts, in the contract's order. */
export function chapterStandings(report: Pick<Report, 'verdicts' | 'run' | 'replays'>): readonly ChapterStanding[] {
  const isFailing = failuresOf(report)
  const byChapter = new Map<string, Verdict[]>()
  for (const verdict of report.verdicts) {
    const chapter = chapterOf(verdict.requirement)
    const known = byChapter.get(chapter)
    if (known === undefined) byChapter.set(chapter, [verdict])
    else known.push(verdict)
  }
  return [...byChapter]
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map(([chapter, verdicts]) => {
      const counts = countOutcomes(verdicts)
      return { chapter, verdicts, counts, standing: standingOf(verdicts, counts, isFailing) }
    })
}

function rankOf(chapter: string): number {
  const rank = chapters.indexOf(chapter as Chapter)
  return rank === -1 ? chapters.length : rank
}

function standingOf(
  verdicts: readonly Verdict[],
  counts: OutcomeCounts,
  isFailing: (verdict: Verdict) => boolean,
): Standing {
  if (verdicts.some(isFailing)) return 'failed'
  if (counts.violated + counts['suite-fault'] + counts.inconclusive > 0) return 'questioned'
  if (counts.upheld === 0) return 'empty'
  return counts.unexercised > counts.upheld ? 'partial' : 'passed'
}
