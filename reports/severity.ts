/**
 * How a verdict stands in its run: which obligation it answers, whether it blocks, how a chapter looks as a whole.
 * Outcome, severity and cause are three fields; this is the one place that reads them together for a reader.
 */
import type { Outcome, Verdict } from '../conformance/index.ts'
import { type Chapter, chapters } from '../spec/index.ts'
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

export type OutcomeCounts = Readonly<Record<Outcome, number>>

/** One chapter of the contract in one run. */
export interface ChapterStanding {
  readonly chapter: string
  readonly verdicts: readonly Verdict[]
  readonly counts: OutcomeCounts
  readonly standing: Standing
}

/** `failed`: a blocking violation; `questioned`: something that a reader should see; `empty`: nothing was judged. */
export type Standing = 'failed' | 'questioned' | 'passed' | 'empty'

/** `requirement operation facet`, the name of an obligation in findings, baselines and comparisons. */
export function obligationKey(verdict: Pick<Verdict, 'requirement' | 'operation' | 'facet'>): string {
  const { requirement, operation, facet } = verdict
  return facet === null ? `${requirement} ${operation}` : `${requirement} ${operation} ${facet}`
}

/** Whether this verdict alone makes the run nonconformant. */
export function isBlocking(verdict: Verdict, run: { readonly strict: boolean }): boolean {
  return verdict.outcome === 'violated' && wouldBlock(verdict, run)
}

/** Whether a violation of this rule makes a run nonconformant: what is stated as a must, in a strict run every must. */
export function wouldBlock(
  { level, basis }: Pick<Verdict, 'level' | 'basis'>,
  run: { readonly strict: boolean },
): boolean {
  return level === 'must' && (basis === 'stated' || run.strict)
}

/** How many verdicts have each outcome; every outcome is present. */
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
export function chapterStandings(report: Pick<Report, 'verdicts' | 'run'>): readonly ChapterStanding[] {
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
      return { chapter, verdicts, counts, standing: standingOf(verdicts, counts, report.run) }
    })
}

function rankOf(chapter: string): number {
  const rank = chapters.indexOf(chapter as Chapter)
  return rank === -1 ? chapters.length : rank
}

function standingOf(verdicts: readonly Verdict[], counts: OutcomeCounts, run: Report['run']): Standing {
  if (verdicts.some((verdict) => isBlocking(verdict, run))) return 'failed'
  if (counts.violated + counts['suite-fault'] + counts.inconclusive > 0) return 'questioned'
  return counts.upheld > 0 ? 'passed' : 'empty'
}
