/**
 * Collects the data for fixing a violated rule: the failure card. Text, HTML, Markdown and JUnit only format it.
 * Violations of one rule in several places are one card.
 */
import type { Verdict } from '../conformance/index.ts'
import type { OperationId } from '../spec/index.ts'
import { groupBy, obligationKey } from '../spec/index.ts'
import { type AskedCall, askedCall } from './asked-call.ts'
import { exchangeLine } from './body-text.ts'
import { brokenLineText } from './broken-line.ts'
import { shellWord } from './curl.ts'
import { chainLine, curlChain } from './curl-chain.ts'
import { showedNothing } from './excuse-text.ts'
import { fixText } from './fix-text.ts'
import { headerValue } from './header-value.ts'
import { type Headline, headlineOf } from './headline.ts'
import type { Report, ReportedExchange, ReportedReplay, RuleText } from './report.ts'
import { requestedName } from './requested-operation.ts'
import { chapterOf, type Excuse, excusesIn, failuresOf, outcomeOrder } from './severity.ts'

/** One exchange of the counterexample. */
export interface CardStep {
  readonly exchange: string
  /** Its name in the counterexample, `create thread`. */
  readonly name: string
  readonly shows: string
  /** `POST /v1/threads → 201, trace 4bf9…`, or `null` when the report does not hold the exchange. */
  readonly line: string | null
  /** The request as a line of a shell, with ids from the lines before it. */
  readonly curl: string | null
  /** Whether the verdict rests on it; the other steps only prepare it. */
  readonly cited: boolean
}

/** The evidence at one place where the rule is broken. */
export interface CardPlace {
  readonly obligation: string
  readonly operation: OperationId
  readonly facet: string | null
  readonly headline: Headline
  readonly expected: string
  readonly actual: string
  readonly pointer: string | null
  /** The text around a line feed inside of a string, where a line of a stream breaks off. */
  readonly lineBreak?: string | null
  readonly contradiction: string | null
  /** Of a tool message, the call that it answers. */
  readonly call: AskedCall | null
  /** The result of replaying it; `null` when nothing was replayed. */
  readonly replay: ReportedReplay | null
  readonly steps: readonly CardStep[]
}

/** The observation of a step beyond its status, without repeating the two sides. */
export function noteOf({ shows, line }: CardStep): string {
  const told = shows.replace(/(^|; )expected .*$/s, '')
  const [status = '', ...words] = told.split(' ')
  return / → (\d+)(?:, trace [0-9a-f]+)?$/.exec(line ?? '')?.[1] === status
    ? words.join(' ').replace(/^success$/, '')
    : told
}

export interface FailureCard {
  readonly requirement: string
  readonly chapter: string
  readonly level: Verdict['level']
  readonly basis: Verdict['basis']
  readonly outcome: 'violated' | 'suite-fault'
  /** Whether it makes the run nonconformant. */
  readonly blocking: boolean
  /** Why a violation that blocks fails nothing, when all its places are excused. */
  readonly excuse: Excuse | null
  readonly rule: RuleText
  /** At least one; the first is the one to look at. */
  readonly places: readonly [CardPlace, ...CardPlace[]]
  /** The command that sends the witness again. */
  readonly replay: string
  /** The next step, one sentence. */
  readonly next: string
}

export interface CardOptions {
  /** The path of the report in the replay command. */
  readonly reportPath?: string
  /** The profile of the run. */
  readonly targetFile?: string | undefined
}

/** One card for each broken rule, blocking ones first, then in the order of the verdicts. */
export function failureCards(report: Report, options: CardOptions = {}): readonly FailureCard[] {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  const faults = report.verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
  const byRule = groupBy(faults, ({ outcome, requirement }) => `${outcome} ${requirement}`)
  const cards = [...byRule.values()].map((verdicts) => cardOf(report, verdicts, exchanges, options))
  return cards.sort((a, b) => Number(b.blocking) - Number(a.blocking) || rank(a) - rank(b))
}

function rank(card: FailureCard): number {
  return outcomeOrder.indexOf(card.outcome)
}

function cardOf(
  report: Report,
  verdicts: readonly [Verdict, ...Verdict[]],
  exchanges: ReadonlyMap<string, ReportedExchange>,
  options: CardOptions,
): FailureCard {
  const [first, ...rest] = verdicts
  const rule = report.rules[first.requirement] ?? unknownRule(first)
  const replays = new Map((report.replays ?? []).map((replay) => [replay.obligation, replay]))
  const place = (verdict: Verdict): CardPlace => placeOf(verdict, rule, { report, exchanges, replays })
  return {
    requirement: first.requirement,
    chapter: chapterOf(first.requirement),
    level: first.level,
    basis: first.basis,
    outcome: first.outcome === 'suite-fault' ? 'suite-fault' : 'violated',
    blocking: verdicts.some(failuresOf(report)),
    excuse: excusesIn(report).get(obligationKey(first)) ?? null,
    rule,
    places: [place(first), ...rest.map(place)],
    replay: replayCommand(report, first.requirement, options),
    next:
      first.outcome === 'suite-fault'
        ? 'Report this run to the suite: it sent what it did not intend.'
        : fixText(first, rule, report.verdicts),
  }
}

/** The command that shows a failure again: its requests alone, or the probes of the rule where these showed nothing. */
export function replayCommand(report: Report, requirement: string, { reportPath, targetFile }: CardOptions): string {
  const target = targetFile === undefined ? '' : ` --target ${shellWord(targetFile)}`
  const replays = (report.replays ?? []).filter(({ obligation }) => obligation.split(' ', 1)[0] === requirement)
  if (replays.length > 0 && replays.every(showedNothing))
    return `acs test${target === '' ? ` ${shellWord(report.run.target)}` : target} --only ${shellWord(requirement)}`
  return `acs replay ${shellWord(reportPath ?? 'acs-report/report.json')} --only ${shellWord(requirement)}${target}`
}

interface Surroundings {
  readonly report: Report
  readonly exchanges: ReadonlyMap<string, ReportedExchange>
  readonly replays: ReadonlyMap<string, ReportedReplay>
}

function placeOf(verdict: Verdict, { rule }: RuleText, { report, exchanges, replays }: Surroundings): CardPlace {
  const told =
    verdict.witness?.steps ?? verdict.exchanges.slice(0, 3).map((exchange) => ({ exchange, name: '', shows: '' }))
  const sent = told.flatMap(({ exchange }) => exchanges.get(exchange) ?? [])
  const chain = curlChain(sent)
  return {
    obligation: obligationKey(verdict),
    operation: verdict.operation,
    facet: verdict.facet,
    headline: headlineOf(verdict, rule, requestedName(verdict, report)),
    expected: verdict.expected ?? 'the rule to hold',
    actual: verdict.actual ?? verdict.reason ?? 'see the exchanges',
    pointer: verdict.pointer ?? null,
    lineBreak: lastText(verdict.exchanges, exchanges, verdict.pointer ?? null),
    contradiction: verdict.witness?.contradiction ?? null,
    call: askedCall(sent),
    replay: replays.get(obligationKey(verdict)) ?? null,
    steps: told.map((step) => {
      const exchange = exchanges.get(step.exchange)
      const link = chain.get(step.exchange)
      return {
        ...step,
        line: exchange === undefined ? null : exchangeLine(exchange) + traceText(exchange),
        curl: link === undefined ? null : chainLine(step.exchange, link),
        cited: verdict.exchanges.includes(step.exchange),
      }
    }),
  }
}

function lastText(ids: readonly string[], exchanges: Surroundings['exchanges'], pointer: string | null): string | null {
  const exchange = exchanges.get(ids.at(-1) ?? '')
  return exchange === undefined ? null : brokenLineText(exchange, pointer)
}

/** The trace id of a `traceparent`, by which the request is found in the logs of the target. */
function traceText({ request }: ReportedExchange): string {
  const value = headerValue(request.headers, 'traceparent') ?? ''
  const [, id] = /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(value) ?? []
  return id === undefined ? '' : `, trace ${id}`
}

function unknownRule(verdict: Verdict): RuleText {
  const { level, basis, requirement } = verdict
  return { level, basis, rule: requirement, section: 'unknown', fix: 'Compare the exchanges with the contract.' }
}
