/**
 * Keeps the fault rules of a mock and chooses the faults of each exchange.
 * A request header chooses first, then rules in the order in which they were added; no chosen fault is dropped silently.
 */
import type { OperationId } from '../../spec/index.ts'
import type { FaultHook, Interference } from '../exchange/fault-hook.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import {
  type FaultName,
  type FaultParameter,
  type FaultScope,
  faultNames,
  faultRow,
  operationsOf,
} from '../fault-catalogue/fault-catalogue.ts'
import { mostFaults, parseFaults } from '../fault-catalogue/fault-expression.ts'
import {
  createInjectionRecord,
  type FaultCounts,
  type InjectionRecord,
  type Tally,
} from '../fault-catalogue/injection-record.ts'
import type { Tenant } from '../scenario/resolved-scenario.ts'
import { FaultError } from './fault-error.ts'
import { interferenceOf } from './fault-interference.ts'
import type { MatchableRequests } from './fault-match.ts'
import {
  type ArmedRule,
  armedRule,
  armRule,
  chooses,
  type FaultRule,
  type FaultRuleDraft,
  ruleView,
} from './fault-rule.ts'

/** The header that chooses faults for one request. */
const faultHeader = 'x-acs-fault'

/** One fault of the catalogue, with its outcomes so far. */
export interface FaultEntry {
  readonly name: FaultName
  readonly scope: FaultScope
  readonly description: string
  readonly parameters: Readonly<Record<string, FaultParameter>>
  readonly operations: readonly OperationId[]
  readonly counts: FaultCounts
}

export interface Faults {
  /** Every fault there is, where it applies, and how often it was chosen, applied and missed. */
  faultCatalogue(): readonly FaultEntry[]
  /** Activates a rule; throws a FaultError for one without effect. */
  add(draft: FaultRuleDraft): FaultRule
  remove(id: string): boolean
  rules(): readonly FaultRule[]
  /** Removes every rule, or those of one world. */
  clear(world?: string): void
}

export interface FaultRegistry extends Faults {
  /** The hook of the engine; `others`, a hook of the mock's user, is also called. */
  hook(others: FaultHook | null): FaultHook
  /** Takes the rules and tenants of another scenario; rules that were added stay. */
  reload(fixed: readonly FaultRuleDraft[], tenants: readonly Tenant[]): void
  /** Gives a forked world the rules that its origin has for itself. */
  inherit(fromWorld: string, toWorld: string): void
}

/** Rules at once: each exchange asks all of them. */
const mostRules = 1000

/** The registry of a mock; `fixed` are the rules of its scenario, which was checked. */
export function createFaultRegistry(fixed: readonly FaultRuleDraft[], known: MatchableRequests): FaultRegistry {
  let requests = known
  const rules = new Map<string, ArmedRule>()
  const tallies = new Map<FaultName, Tally>(faultNames.map((name) => [name, { chosen: 0, applied: 0, missed: 0 }]))
  let made = 0
  const arm = (drafts: readonly FaultRuleDraft[]) => {
    for (const [index, draft] of drafts.entries()) {
      const id = `scenario-${index + 1}`
      // The check of a scenario does not know whether the mock makes all assistants stream.
      rules.set(id, armRule(id, draft, { ...requests, mayAllStream: true }))
    }
  }
  arm(fixed)
  const addMade = (make: (id: string) => ArmedRule): FaultRule => {
    if (rules.size >= mostRules) throw new FaultError('fault', `there are ${mostRules} rules already; remove some`)
    const rule = make(`rule-${made + 1}`)
    made += 1
    rules.set(rule.id, rule)
    return ruleView(rule)
  }
  const marksOf = (faults: ArmedRule['faults'], by: string, own: readonly Tally[]) =>
    faults.map((fault) =>
      createInjectionRecord(fault, by, [...own, ...(tallies.has(fault.name) ? [tallyOf(tallies, fault.name)] : [])]),
    )
  const chosenBy = (exchange: InFlightRequest, header: string | readonly string[] | undefined): Chosen => {
    const marks: InjectionRecord[] = []
    if (header !== undefined) {
      const parsed = parseFaults(typeof header === 'string' ? header : header.join(';'))
      if (parsed.kind === 'unreadable') return { marks, problem: parsed.problem }
      marks.push(...marksOf(parsed.faults, 'header', []))
    }
    for (const rule of rules.values()) {
      if (chooses(rule, exchange)) marks.push(...marksOf(rule.faults, rule.id, [rule.tally]))
    }
    for (const mark of marks.slice(mostFaults)) mark.miss(`an exchange takes at most ${mostFaults} faults`)
    return { marks, problem: null }
  }
  const hook: FaultRegistry['hook'] = (others) => (exchange) => {
    const header = exchange.request.headers[faultHeader]
    const other = others === null ? null : others(exchange)
    if (header === undefined && rules.size === 0) return other
    const { marks, problem } = chosenBy(exchange, header)
    if (problem !== null) return unreadable(problem)
    if (marks.length === 0) return other
    exchange.injected = marks.map(({ view }) => view)
    return interferenceOf(marks.slice(0, mostFaults), exchange, other)
  }
  return {
    hook,
    add: (draft) => addMade((id) => armRule(id, draft, requests)),
    faultCatalogue: () => faultNames.map((name) => entryOf(name, tallyOf(tallies, name))),
    remove: (id) => rules.delete(id),
    rules: () => [...rules.values()].map(ruleView),
    clear(world) {
      for (const [id, { draft }] of rules) if (world === undefined || draft.match?.world === world) rules.delete(id)
    },
    reload(drafts, tenants) {
      requests = { ...requests, tenants }
      for (const id of rules.keys()) if (id.startsWith('scenario-')) rules.delete(id)
      arm(drafts)
    },
    inherit(fromWorld, toWorld) {
      // Not checked again: a rule stays in its world even if the scenario changes.
      for (const { draft, faults } of [...rules.values()]) {
        if (draft.match?.world !== fromWorld) continue
        addMade((id) => armedRule(id, { ...draft, match: { ...draft.match, world: toWorld } }, faults))
      }
    },
  }
}

interface Chosen {
  readonly marks: readonly InjectionRecord[]
  /** The problem with the header. */
  readonly problem: string | null
}

function unreadable(problem: string): Interference {
  const faults = [{ loc: ['header', faultHeader], message: problem, type: 'value_error' }]
  return { rejection: { reason: 'unknown-fault', faults } }
}

function tallyOf(tallies: ReadonlyMap<FaultName, Tally>, name: FaultName): Tally {
  return tallies.get(name) ?? { chosen: 0, applied: 0, missed: 0 }
}

function entryOf(name: FaultName, tally: Tally): FaultEntry {
  const { scope = 'any', description = '', parameters = {} } = faultRow(name) ?? {}
  return { name, scope, description, parameters, operations: operationsOf(name), counts: { ...tally } }
}
