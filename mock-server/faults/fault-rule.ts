/**
 * Rules that choose faults: matching exchanges, number of uses, probability. Counts and draws are kept for each world, so
 * that no test uses up the faults of another.
 */
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { type Fault, parseFaults } from '../fault-catalogue/fault-expression.ts'
import type { FaultCounts, Tally } from '../fault-catalogue/injection-record.ts'
import { type OptionNames, suggestionFor } from '../option-error.ts'
import { derive, drawsFrom } from '../randomness/key.ts'
import { FaultError } from './fault-error.ts'
import { checkMatch, type FaultMatch, type MatchableRequests, matches, matchFields } from './fault-match.ts'

export interface FaultRuleDraft {
  /** A fault expression: `stall:after=2,ms=500; cut-after-chunk:4`. */
  readonly fault: string
  readonly match?: FaultMatch
  /** How often it acts in each world; default: always. */
  readonly times?: number
  /** Share of the matching requests, drawn from the world's seed and the request; default 1. */
  readonly probability?: number
}

export interface FaultRule extends FaultRuleDraft {
  readonly id: string
  /** Requests that it matched, whether it acted or not. */
  readonly matched: number
  readonly counts: FaultCounts
}

/** An active rule. */
export interface ArmedRule {
  readonly id: string
  readonly draft: FaultRuleDraft
  readonly faults: readonly Fault[]
  readonly tally: Tally
  matched: number
}

/** Checks a draft and makes it a rule; throws a FaultError for one that is wrong or can never act. */
export function armRule(id: string, draft: FaultRuleDraft, requests: MatchableRequests): ArmedRule {
  ensureKnown('', draft, draftFields)
  ensureKnown('match.', draft.match ?? {}, matchFields)
  const parsed = parseFaults(draft.fault)
  if (parsed.kind === 'unreadable') throw new FaultError('fault', parsed.problem)
  const { times, probability, match = {} } = draft
  if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
    throw new FaultError('times', `times is a whole number of at least 1, not ${times}`)
  }
  if (probability !== undefined && !(probability > 0 && probability <= 1)) {
    throw new FaultError('probability', `probability is a number above 0 and at most 1, not ${probability}`)
  }
  checkMatch(match, parsed.faults, requests)
  return armedRule(id, draft, parsed.faults)
}

/** A rule that was checked, not yet counted. */
export function armedRule(id: string, draft: FaultRuleDraft, faults: readonly Fault[]): ArmedRule {
  return { id, draft, faults, tally: { chosen: 0, applied: 0, missed: 0 }, matched: 0 }
}

const draftFields: OptionNames<FaultRuleDraft> = { fault: true, match: true, times: true, probability: true }

function ensureKnown(place: string, given: object, names: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(names, name)) continue
    throw new FaultError(place + name, `"${name}" is unknown; ${suggestionFor(name, Object.keys(names))}`)
  }
}

/** The rule in its public form. */
export function ruleView({ id, draft, tally, matched }: ArmedRule): FaultRule {
  return { ...draft, id, matched, counts: { ...tally } }
}

/** Whether the rule acts on this exchange; counts it if so. */
export function chooses(rule: ArmedRule, exchange: InFlightRequest): boolean {
  if (!matches(rule.draft.match ?? {}, exchange)) return false
  rule.matched += 1
  const { times, probability } = rule.draft
  const { faultTimes } = exchange.world
  const acted = faultTimes.get(rule.id) ?? 0
  if (times !== undefined && acted >= times) return false
  if (probability !== undefined && chanceOf(rule, exchange) >= probability) return false
  if (times !== undefined) faultTimes.set(rule.id, acted + 1)
  return true
}

/** The number of different requests that are distinguished; beyond it the counts restart, to bound memory. */
const mostRepeats = 50_000

/**
 * A draw from seed, rule, request and how often that request came before: the same regardless of concurrent requests.
 */
function chanceOf(rule: ArmedRule, exchange: InFlightRequest): number {
  const { request, world } = exchange
  const body = request.body.kind === 'bytes' ? Buffer.from(request.body.bytes).toString('latin1') : ''
  const key = derive(world.machine.root, `fault ${rule.id} ${request.method} ${request.target} ${body}`)
  const name = `${key.a} ${key.b} ${key.c} ${key.d}`
  const { faultRepeats } = world
  const repeats = faultRepeats.get(name) ?? 0
  if (faultRepeats.size >= mostRepeats) faultRepeats.clear()
  faultRepeats.set(name, repeats + 1)
  return drawsFrom(derive(key, 'repeat', repeats))()
}
