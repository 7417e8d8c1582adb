/** Formats the likely causes of a report: the first fix, the failures it explains, the places, and the advice. */

import type { Verdict } from '../../conformance/index.ts'
import { type OperationId, obligationKey } from '../../spec/index.ts'
import { seenOnce } from '../excuse-text.ts'
import { type CardOptions, type FailureCard, replayCommand } from '../failure-card.ts'
import { fixText } from '../fix-text.ts'
import { type Headline, headlineOf, operationName } from '../headline.ts'
import type { Report } from '../report.ts'
import { requestedName } from '../requested-operation.ts'
import { visibleLine } from '../sanitize-text.ts'
import { type Cause, diagnose } from './diagnose.ts'

/** One cause, ready to be laid out by a rendering. */
export interface CauseText {
  readonly requirement: string
  /** The observation at the first operation that breaks the requirement itself. */
  readonly headline: Headline
  /** `explains 4 of 5 failures`, and whether none of them fails a build. */
  readonly explains: string
  /** `also GET /v1/assistants`: the other operations at which the cause shows, those of its own rule first; empty without any. */
  readonly also: string
  readonly fix: string
  /** ` (known pattern)` where known faults violate the same requirements; else empty. */
  readonly pattern: string
  /** Requirements that are broken because of it. */
  readonly follows: readonly string[]
  readonly blocking: boolean
  /** The command that shows it again. */
  readonly replay: string
  /** ` (seen once, not reproduced)` where the command did not show it again in this run; else empty. */
  readonly seen: string
  /** `expected a rejection, got 200 (E12)`; empty where the verdict has no sides. */
  readonly sides: string
}

/** Causes beyond this are only counted. */
export const mostCauses = 3

/** Every likely cause, the one to fix first in front. */
export function likelyCauses(report: Report, options: CardOptions = {}): readonly CauseText[] {
  const failures = report.verdicts.filter(({ outcome }) => outcome === 'violated').length
  return diagnose(report).map((cause) => ({
    ...causeText(cause, failures, report),
    replay: replayCommand(report, cause.requirement, options),
    seen: isNotReproduced(cause, report) ? seenOnce : '',
  }))
}

function isNotReproduced({ requirement, explains }: Cause, { replays = [] }: Report): boolean {
  const own = new Set(explains.filter((verdict) => verdict.requirement === requirement).map(obligationKey))
  const tried = replays.filter(({ obligation, outcome }) => own.has(obligation) && outcome !== 'not-tried')
  return tried.length > 0 && tried.every(({ outcome }) => outcome === 'not-reproduced')
}

function causeText(
  { requirement, example, explains, blocking }: Cause,
  failures: number,
  report: Report,
): Omit<CauseText, 'replay' | 'seen'> {
  const own = explains.filter((verdict) => verdict.requirement === requirement)
  const others = explains.map((verdict) => verdict.requirement).filter((id) => id !== requirement)
  const rule = report.rules[requirement]
  const [first = explains[0]] = own
  const shown = own.find(({ witness }) => witness !== undefined) ?? first
  if (shown === undefined) throw new Error(`the cause ${requirement} explains nothing`)
  return {
    requirement,
    headline: headlineOf(shown, rule?.rule ?? requirement, requestedName(shown, report)),
    explains: `${explainsText(explains, failures)}${blocking ? '' : ', none blocking'}`,
    also: alsoText([...own, ...explains].map(({ operation }) => operation).filter((id) => id !== shown.operation)),
    fix: fixText(shown, rule ?? { rule: requirement, fix: 'acs explain says what it asks for.' }, report.verdicts),
    // An example of the known faults would be taken for the finding, and their number for findings.
    pattern: example === null ? '' : ' (known pattern)',
    follows: [...new Set(others)],
    blocking,
    sides: sidesText(shown),
  }
}

function sidesText({ expected, actual, exchanges }: Verdict): string {
  if (expected === undefined || actual === undefined) return ''
  const where = exchanges.at(-1)
  return `expected ${visibleLine(expected, 120)}, got ${visibleLine(actual, 120)}${where === undefined ? '' : ` (${where})`}`
}

function explainsText(explained: readonly Verdict[], failures: number): string {
  if (failures === 1) return 'the only failure'
  const { length: count } = explained
  if (count < failures) return `explains ${count} of ${failures} failures`
  return `explains ${count === 2 ? 'both' : `all ${count}`} failures`
}

/** Operations that are named beside the first; more are counted. */
const namedOperations = 3

function alsoText(operations: readonly OperationId[]): string {
  const others = [...new Set(operations)]
  if (others.length === 0) return ''
  const named = others.slice(0, others.length === namedOperations + 1 ? others.length : namedOperations)
  const more = others.length - named.length
  return `also ${named.map(operationName).join(', ')}${more === 0 ? '' : ` and ${more} more operations`}`
}

/** For each requirement that follows from another one, that one. */
export function causeOfFollowing(causes: readonly CauseText[]): ReadonlyMap<string, string> {
  return new Map(causes.flatMap(({ requirement, follows }) => follows.map((id) => [id, requirement] as const)))
}

/** Each cause, followed by its consequences. */
export function inOrderOfCauses(cards: readonly FailureCard[], causes: readonly CauseText[]): readonly FailureCard[] {
  const order = causes.flatMap(({ requirement, follows }) => [requirement, ...follows])
  const rank = ({ requirement, outcome }: FailureCard): number =>
    outcome === 'violated' && order.includes(requirement) ? order.indexOf(requirement) : order.length
  return [...cards].sort((one, other) => rank(one) - rank(other))
}
