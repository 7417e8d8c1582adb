/**
 * Rules that choose faults: which exchanges they match, how often they act, with which probability. Counts and chances are
 * kept for each world, so that no test spends the faults of another.
 */
import { type OperationId, operationIds } from '../../spec/index.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { type Fault, parseFaults } from '../fault-catalogue/fault-expression.ts'
import type { FaultCounts, Tally } from '../fault-catalogue/injection-record.ts'
import { misplacedFaults } from '../fault-catalogue/misplaced-fault.ts'
import { type OptionNames, suggestionFor } from '../option-error.ts'
import { derive, drawsFrom } from '../randomness/key.ts'
import { subjectOf } from './fault-target.ts'

/** What a request must be for a rule to act; every given field must fit. Tenants and assistants by name or id. */
export interface FaultMatch {
  readonly world?: string
  readonly operation?: OperationId
  readonly tenant?: string
  readonly assistant?: string
  readonly thread?: string
}

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

/** A rule at work. */
export interface ArmedRule {
  readonly id: string
  readonly draft: FaultRuleDraft
  readonly faults: readonly Fault[]
  readonly tally: Tally
  matched: number
}

/** A fault that there is not, or a rule that means nothing. */
export class FaultError extends Error {
  readonly code = 'fault-invalid'
  /** Field of the rule that is wrong. */
  readonly field: string
  /** What is wrong with it, to stand behind its name. */
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`fault: ${problem}`)
    this.name = 'FaultError'
    this.field = field
    this.problem = problem
  }
}

/** The names and ids that a rule may match by. */
export interface MatchableNames {
  readonly tenant: ReadonlySet<string>
  readonly assistant: ReadonlySet<string>
}

/** Checks a draft and makes it a rule; throws a FaultError for one that is wrong or can never act. */
export function armRule(id: string, draft: FaultRuleDraft, names: MatchableNames): ArmedRule {
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
  const { operation } = match
  if (operation !== undefined && !operationIds.includes(operation)) {
    const problem = `no operation is called "${operation}"; ${suggestionFor(operation, operationIds)}`
    throw new FaultError('match.operation', problem)
  }
  ensureMatchable(match, names)
  ensureApplicable(parsed.faults, operation)
  return { id, draft, faults: parsed.faults, tally: { chosen: 0, applied: 0, missed: 0 }, matched: 0 }
}

const draftFields: OptionNames<FaultRuleDraft> = { fault: true, match: true, times: true, probability: true }
const matchFields: OptionNames<FaultMatch> = {
  world: true,
  operation: true,
  tenant: true,
  assistant: true,
  thread: true,
}

function ensureKnown(place: string, given: object, names: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(names, name)) continue
    throw new FaultError(place + name, `"${name}" is unknown; ${suggestionFor(name, Object.keys(names))}`)
  }
}

function ensureMatchable(match: FaultMatch, names: MatchableNames): void {
  for (const field of ['tenant', 'assistant'] as const) {
    const wanted = match[field]
    if (wanted === undefined || names[field].has(wanted)) continue
    const problem = `no ${field} is called "${wanted}"; ${suggestionFor(wanted, [...names[field]])}`
    throw new FaultError(`match.${field}`, problem)
  }
}

function ensureApplicable(faults: readonly Fault[], operation: OperationId | undefined): void {
  const [misplaced] = misplacedFaults(faults, operation)
  if (misplaced !== undefined) throw new FaultError('match.operation', `${misplaced.problem}; ${misplaced.fix}`)
}

/** The rule as its user sees it. */
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

function matches(match: FaultMatch, exchange: InFlightRequest): boolean {
  const { world, operation, caller } = exchange
  if (match.world !== undefined && match.world !== world.name) return false
  if (match.operation !== undefined && match.operation !== operation) return false
  if (match.tenant !== undefined && caller?.tenant.name !== match.tenant && caller?.tenant.id !== match.tenant)
    return false
  if (match.thread === undefined && match.assistant === undefined) return true
  const { threadId, assistant } = subjectOf(exchange)
  if (match.thread !== undefined && match.thread.toLowerCase() !== threadId) return false
  return match.assistant === undefined || assistant?.name === match.assistant || assistant?.id === match.assistant
}

/** So many different requests are told apart; after that the counts begin again, to bound memory. */
const mostRepeats = 50_000

/**
 * A draw from seed, rule, request and how often that request came before: the same whatever else goes on at the time.
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
