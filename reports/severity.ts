/**
 * Names, counts and groups verdicts for readers: obligation keys, outcome counts, chapters.
 * Whether a verdict blocks is decided by the judge; nothing here decides it again.
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
export function chapterStandings(report: Pick<Report, 'verdicts'>): readonly ChapterStanding[] {
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
      return { chapter, verdicts, counts, standing: standingOf(verdicts, counts) }
    })
}

function rankOf(chapter: string): number {
  const rank = chapters.indexOf(chapter as Chapter)
  return rank === -1 ? chapters.length : rank
}

function standingOf(verdicts: readonly Verdict[], counts: OutcomeCounts): Standing {
  if (verdicts.some(({ blocking }) => blocking)) return 'failed'
  if (counts.violated + counts['suite-fault'] + counts.inconclusive > 0) return 'questioned'
  return counts.upheld > 0 ? 'passed' : 'empty'
}
