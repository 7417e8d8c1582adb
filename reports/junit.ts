/**
 * JUnit XML for CI systems: a suite for each chapter, a case for each obligation. Only what fails the run is a
 * failure; what was violated without blocking, or never exercised, is skipped with its reason, never silently green.
 */
import { create } from 'xmlbuilder2'
import type { Verdict } from '../conformance/index.ts'
import { type CardOptions, type FailureCard, failureCards } from './failure-card.ts'
import { cardText } from './failure-text.ts'
import type { Report } from './report.ts'
import { visibleLine, visibleText } from './sanitize-text.ts'
import { type ChapterStanding, chapterStandings, obligationKey } from './severity.ts'

interface KnownReport extends Report {
  readonly known: ReadonlySet<string>
}

type Element = ReturnType<ReturnType<typeof create>['ele']>
type CaseResult = 'failure' | 'error' | 'skipped' | 'passed'

export interface JunitOptions extends CardOptions {
  /** Obligations whose violations a baseline knows: they fail nothing. */
  readonly known?: ReadonlySet<string>
}

/** The report as JUnit XML. */
export function renderJunit(given: Report, options: JunitOptions = {}): string {
  const report: KnownReport = { ...given, known: options.known ?? new Set() }
  const chapters = chapterStandings(report)
  const cards = new Map(failureCards(report, options).map((card) => [card.requirement, card]))
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: 'acs conformance',
    ...caseCounts(
      chapters.flatMap((chapter) => chapter.verdicts),
      report,
    ),
    time: seconds(report.run.durationMs),
  })
  for (const chapter of chapters) addSuite(root, chapter, report, cards)
  return `${root.end({ prettyPrint: true })}\n`
}

function addSuite(
  root: Element,
  chapter: ChapterStanding,
  report: KnownReport,
  cards: ReadonlyMap<string, FailureCard>,
): void {
  const cases = chapter.verdicts.filter(({ outcome }) => outcome !== 'observed')
  const suite = root.ele('testsuite', {
    name: chapter.chapter,
    ...caseCounts(cases, report),
    time: '0',
    timestamp: report.run.startedAt.replace(/\.\d+|Z$/g, ''),
    hostname: visibleLine(hostOf(report.run.target)),
  })
  const properties = suite.ele('properties')
  for (const [name, value] of suiteProperties(chapter, report))
    properties.ele('property', { name, value: visibleLine(value) })
  for (const verdict of cases) addCase(suite, verdict, report, cards)
}

function addCase(suite: Element, verdict: Verdict, report: KnownReport, cards: ReadonlyMap<string, FailureCard>): void {
  const place = verdict.facet === null ? verdict.operation : `${verdict.operation} ${verdict.facet}`
  const element = suite.ele('testcase', { classname: verdict.requirement, name: visibleLine(place), time: '0' })
  const result = resultOf(verdict, report)
  if (result === 'passed') return
  const card = cards.get(verdict.requirement)
  const message = visibleLine(messageOf(verdict, result))
  if (result === 'skipped') element.ele('skipped', { message })
  else
    element
      .ele(result, { message, type: `${verdict.level} ${verdict.basis}` })
      .txt(card === undefined ? message : visibleText(cardText(card)))
}

function resultOf(verdict: Verdict, { known }: KnownReport): CaseResult {
  if (verdict.outcome === 'upheld') return 'passed'
  if (verdict.outcome === 'suite-fault') return 'error'
  return verdict.blocking && !known.has(obligationKey(verdict)) ? 'failure' : 'skipped'
}

function messageOf(verdict: Verdict, result: CaseResult): string {
  if (result === 'failure')
    return verdict.witness?.contradiction ?? `expected ${verdict.expected}, actual ${verdict.actual}`
  const reason = verdict.reason ?? verdict.actual
  const prefix =
    verdict.outcome === 'violated'
      ? `violated, does not fail the run (${verdict.level} ${verdict.basis})`
      : verdict.outcome
  return reason === undefined ? prefix : `${prefix}: ${reason}`
}

function caseCounts(verdicts: readonly Verdict[], report: KnownReport): Readonly<Record<string, string>> {
  const results = verdicts.filter(({ outcome }) => outcome !== 'observed').map((verdict) => resultOf(verdict, report))
  const count = (wanted: CaseResult): string => String(results.filter((result) => result === wanted).length)
  return {
    tests: String(results.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function suiteProperties(chapter: ChapterStanding, report: KnownReport): readonly (readonly [string, string])[] {
  const { run } = report
  const gaps = report.observations.filter(({ gap }) => gap.startsWith(`${chapter.chapter}.`))
  return [
    ['acs.outcome', run.outcome],
    ['acs.seed', String(run.seed)],
    ['acs.contract', run.contractDigest],
    ...gaps.map(({ gap, value }) => [`acs.gap.${gap}`, value] as const),
  ]
}

function hostOf(target: string): string {
  try {
    return new URL(target).host
  } catch {
    return 'unknown'
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
