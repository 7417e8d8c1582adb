/** Words for the likely causes of a report: what to fix first, what it explains, where, and how. */

import type { Verdict } from '../../conformance/index.ts'
import { obligationKey } from '../../spec/index.ts'
import { countText } from '../count-text.ts'
import { type CardOptions, type FailureCard, replayCommand } from '../failure-card.ts'
import type { Report } from '../report.ts'
import { type Cause, diagnose } from './diagnose.ts'

/** One cause, ready to be laid out by a rendering. */
export interface CauseText {
  readonly requirement: string
  /** What was seen, in one sentence, with ids cut to their beginning. */
  readonly diagnosis: string
  /** `explains 4 of 5 failures`, and whether none of them fails a build. */
  readonly explains: string
  /** The operations at which the requirement itself is broken, separated by commas. */
  readonly where: string
  readonly fix: string
  /** A known fault that violates the same requirements, or that there is none. */
  readonly pattern: string
  /** Requirements that are broken because of it. */
  readonly follows: readonly string[]
  readonly blocking: boolean
  /** The command that shows it again. */
  readonly replay: string
  /** That the command did not show it again in this run; else empty. */
  readonly replayed: string
}

/** Causes beyond this are only counted. */
export const mostCauses = 3

/** Every likely cause, the one to fix first at the head. */
export function likelyCauses(report: Report, options: CardOptions = {}): readonly CauseText[] {
  const failures = report.verdicts.filter(({ outcome }) => outcome === 'violated').length
  return diagnose(report).map((cause) => ({
    ...causeText(cause, failures, report),
    replay: replayCommand(report, cause.requirement, options),
    replayed: isNotReproduced(cause, report) ? 'not reproduced when it was replayed' : '',
  }))
}

function isNotReproduced({ requirement, explains }: Cause, { replays = [] }: Report): boolean {
  const own = new Set(explains.filter((verdict) => verdict.requirement === requirement).map(obligationKey))
  const tried = replays.filter(({ obligation, outcome }) => own.has(obligation) && outcome !== 'not-tried')
  return tried.length > 0 && tried.every(({ outcome }) => outcome === 'not-reproduced')
}

function causeText(
  { requirement, example, faults, explains, blocking }: Cause,
  failures: number,
  report: Report,
): Omit<CauseText, 'replay' | 'replayed'> {
  const own = explains.filter((verdict) => verdict.requirement === requirement)
  const others = explains.map((verdict) => verdict.requirement).filter((id) => id !== requirement)
  const rule = report.rules[requirement]
  return {
    requirement,
    diagnosis: shortIds(contradictionOf(own) ?? rule?.rule ?? requirement),
    explains: `explains ${explains.length} of ${countText(failures, 'failure')}${blocking ? '' : ', none blocking'}`,
    where: [...new Set(own.map(({ operation }) => operation))].join(', '),
    fix: rule?.fix ?? 'acs explain says what it asks for.',
    // Where several known faults look alike, an example of them would be taken for the finding.
    pattern: patternText(example, faults),
    follows: [...new Set(others)],
    blocking,
  }
}

function patternText(example: string | null, faults: number): string {
  if (example === null) return 'no known fault looks like this'
  return faults === 1 ? `looks like: ${example}` : `${faults} known faults look like this`
}

function contradictionOf(verdicts: readonly Verdict[]): string | undefined {
  return verdicts.find(({ witness }) => witness !== undefined)?.witness?.contradiction
}

/** Ids are whole on the card; here their beginning tells them apart. */
function shortIds(text: string): string {
  return text.replace(/\b([0-9a-f]{8})(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})\b/gi, '$1…')
}

/** For each requirement that follows from another one, that one. */
export function causeOfFollowing(causes: readonly CauseText[]): ReadonlyMap<string, string> {
  return new Map(causes.flatMap(({ requirement, follows }) => follows.map((id) => [id, requirement] as const)))
}

/** Each cause with what follows from it behind it. */
export function inOrderOfCauses(cards: readonly FailureCard[], causes: readonly CauseText[]): readonly FailureCard[] {
  const order = causes.flatMap(({ requirement, follows }) => [requirement, ...follows])
  const rank = ({ requirement, outcome }: FailureCard): number =>
    outcome === 'violated' && order.includes(requirement) ? order.indexOf(requirement) : order.length
  return [...cards].sort((one, other) => rank(one) - rank(other))
}
