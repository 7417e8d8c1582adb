/** The faults that a scenario gives to its tenants and assistants, as fault rules. */
import type { FaultScript, Scenario } from '../scenario/scenario.ts'
import type { FaultMatch } from './fault-match.ts'
import type { FaultRuleDraft } from './fault-rule.ts'

/** Rules in the order of the scenario: those of tenants, then those of assistants. */
export function scenarioFaults({ tenants, assistants }: Scenario): readonly FaultRuleDraft[] {
  return [
    ...tenants.flatMap(({ name, faults = [] }) => faults.map((script) => ruleOf(script, { tenant: name }))),
    ...assistants.flatMap(({ name, faults = [] }) => faults.map((script) => ruleOf(script, { assistant: name }))),
  ]
}

function ruleOf({ operation, ...script }: FaultScript, match: FaultMatch): FaultRuleDraft {
  return { ...script, match: operation === undefined ? match : { ...match, operation } }
}
