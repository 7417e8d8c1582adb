/**
 * Renders JUnit XML for CI systems: a suite for each chapter, a case for each obligation.
 * Only what fails the run is a failure, stale baseline entries included. What was violated without blocking, or not
 * tested, is skipped with its reason. A run that is invalid or incomplete is one case with an error.
 */
import type { Verdict } from '../conformance/index.ts'
import { reasonText } from '../conformance/judge/run-outcome.ts'
import { obligationKey } from '../spec/index.ts'
import { type CauseText, causeOfFollowing, likelyCauses, mostCauses } from './diagnosis/cause-text.ts'
import { baselineFailures, nonBlockingText } from './excuse-text.ts'
import { failuresText } from './failed-text.ts'
import { type CardOptions, type FailureCard, failureCards } from './failure-card.ts'
import { cardText } from './failure-text.ts'
import { headlineText } from './headline.ts'
import type { Report } from './report.ts'
import { visibleLine, visibleText } from './sanitize-text.ts'
import { type ChapterStanding, chapterStandings, type Excuse, excusesIn, failuresOf, outcomeWords } from './severity.ts'
import { undecidedReason } from './stop-reason.ts'
import { type XmlElement, xmlElement } from './xml-element.ts'

type CaseResult = 'failure' | 'error' | 'skipped' | 'passed'

/** The report as JUnit XML; of a run that could not begin, the reason as one case with an error, so that a CI system shows it. */
export function renderJunit(report: Report | { readonly unjudged: string }, options: CardOptions = {}): string {
  if ('unjudged' in report) return unjudged(report.unjudged)
  const entries = report.run.baseline === undefined ? [] : baselineFailures(report.run.baseline)
  const undecided = undecidedReason(report)
  const resultOf = resultsOf(report)
  const chapters = chapterStandings(report)
  const cards = new Map(failureCards(report, options).map((card) => [card.requirement, card]))
  const root = xmlElement('testsuites', {
    name: 'acs conformance',
    ...caseCounts([
      ...chapters.flatMap(({ verdicts }) => verdicts.filter(isCase).map(resultOf)),
      ...entries.map((): CaseResult => 'failure'),
      ...(undecided === null ? [] : (['error'] as const)),
    ]),
    time: seconds(report.run.durationMs),
  })
  const causes = likelyCauses(report, options)
  addFixFirst(root, causes, failuresText(report))
  const causeOf = causeOfFollowing(causes)
  for (const chapter of chapters) addSuite(root, chapter, { report, cards, resultOf, causeOf })
  if (entries.length > 0) addBaselineSuite(root, entries)
  if (undecided !== null) addRunSuite(root, undecided, report.run.outcome)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml()}\n`
}

function unjudged(reason: string): string {
  const counts = caseCounts(['error'])
  const root = xmlElement('testsuites', { name: 'acs conformance', ...counts, time: '0' })
  const suite = root.ele('testsuite', { name: 'settings', ...counts, time: '0' })
  const one = suite.ele('testcase', { classname: 'settings', name: 'The run can be judged', time: '0' })
  one.ele('error', { message: visibleLine(reason), type: 'invalid' })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml()}\n`
}

interface Surroundings {
  readonly report: Report
  readonly cards: ReadonlyMap<string, FailureCard>
  readonly resultOf: (verdict: Verdict) => CaseResult
  /** The requirement that a violation of another one follows from. */
  readonly causeOf: ReadonlyMap<string, string>
}

/** What a target does where the contract is silent is a property of the suite, not a case. */
const isCase = ({ outcome }: Verdict): boolean => outcome !== 'observed'

function addSuite(root: XmlElement, chapter: ChapterStanding, surroundings: Surroundings): void {
  const { report, resultOf } = surroundings
  const cases = chapter.verdicts.filter(isCase)
  const suite = root.ele('testsuite', {
    name: chapter.chapter,
    ...caseCounts(cases.map(resultOf)),
    time: '0',
    timestamp: report.run.startedAt.replace(/\.\d+|Z$/g, ''),
    hostname: visibleLine(hostOf(report.run.target)),
  })
  const properties = suite.ele('properties')
  for (const [name, value] of suiteProperties(chapter, report))
    properties.ele('property', { name, value: visibleLine(value) })
  for (const verdict of cases) addCase(suite, verdict, surroundings)
}

function addCase(suite: XmlElement, verdict: Verdict, { report, cards, resultOf, causeOf }: Surroundings): void {
  const place = verdict.facet === null ? verdict.operation : `${verdict.operation} ${verdict.facet}`
  const element = suite.ele('testcase', { classname: verdict.requirement, name: visibleLine(place), time: '0' })
  const result = resultOf(verdict)
  if (result === 'passed') return
  const card = cards.get(verdict.requirement)
  const cause = causeOf.get(verdict.requirement)
  const origin = cause === undefined || verdict.outcome !== 'violated' ? '' : `probably follows from ${cause}: `
  const reason = messageOf(verdict, result, excusesIn(report).get(obligationKey(verdict)) ?? null)
  const message = visibleLine(origin + reason)
  if (result === 'skipped') element.ele('skipped', { message })
  else
    element
      .ele(result, { message, type: `${verdict.level} ${verdict.basis}` })
      .txt(card === undefined ? message : visibleText(cardText(card)))
}

/** What to fix first, as the output of a suite without cases: readers of the format show it above all failures. */
function addFixFirst(root: XmlElement, causes: readonly CauseText[], failures: string): void {
  if (causes.length === 0) return
  const lines = causes
    .slice(0, mostCauses)
    .flatMap(({ requirement, headline, also, explains, fix, pattern, replay, seen }, index) => [
      `${index + 1}. ${visibleLine(headlineText(headline))}${seen}${also === '' ? '' : `, ${also}`}`,
      `   ${requirement}: ${explains}${pattern}`,
      `   how to fix: ${fix}`,
      `   reproduce: ${replay}`,
    ])
  root
    .ele('testsuite', { name: 'fix first', ...caseCounts([]), time: '0' })
    .ele('system-out')
    .txt(visibleText([failures, ...lines].join('\n')))
}

/** Entries that fail the run although their rule does not. */
function addBaselineSuite(root: XmlElement, entries: ReturnType<typeof baselineFailures>): void {
  const results = entries.map((): CaseResult => 'failure')
  const suite = root.ele('testsuite', { name: 'baseline', ...caseCounts(results), time: '0' })
  for (const { obligation, text } of entries) {
    suite
      .ele('testcase', { classname: 'baseline', name: obligation, time: '0' })
      .ele('failure', { message: text, type: 'baseline' })
      .txt(text)
  }
}

/** CI systems count cases and ignore the exit code: without this one, a run that tested nothing looks like one that failed nothing. */
function addRunSuite(root: XmlElement, reason: string, outcome: string): void {
  const message = visibleLine(reason)
  root
    .ele('testsuite', { name: 'run', ...caseCounts(['error']), time: '0' })
    .ele('testcase', { classname: 'acs.run', name: 'The run is valid and complete', time: '0' })
    .ele('error', { message, type: outcome })
    .txt(message)
}

function resultsOf(report: Report): (verdict: Verdict) => CaseResult {
  const isFailing = failuresOf(report)
  return (verdict) => {
    if (verdict.outcome === 'upheld') return 'passed'
    if (verdict.outcome === 'suite-fault') return 'error'
    return isFailing(verdict) ? 'failure' : 'skipped'
  }
}

function messageOf(verdict: Verdict, result: CaseResult, excuse: Excuse | null): string {
  if (result === 'failure')
    return verdict.witness?.contradiction ?? `expected ${verdict.expected}, actual ${verdict.actual}`
  const reason = verdict.reason ?? verdict.actual
  const prefix =
    verdict.outcome === 'violated'
      ? `failed, ${nonBlockingText(excuse)} (${verdict.level} ${verdict.basis})`
      : outcomeWords[verdict.outcome]
  return reason === undefined ? prefix : `${prefix}: ${reasonText(reason)}`
}

function caseCounts(results: readonly CaseResult[]): Readonly<Record<string, string>> {
  const count = (wanted: CaseResult): string => String(results.filter((result) => result === wanted).length)
  return {
    tests: String(results.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function suiteProperties(chapter: ChapterStanding, report: Report): readonly (readonly [string, string])[] {
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
