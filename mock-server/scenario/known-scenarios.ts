/** Caches which scenarios are valid, so that a mock for a known object starts at once. */
import { checkScenario } from './check-scenario.ts'
import { defaultScenario } from './default-scenario.ts'
import type { Scenario } from './scenario.ts'

/** By object, with the text of then: one that was changed since is checked again. */
const sound = new WeakMap<Scenario, string>()
const functions = new WeakMap<object, number>()
let seen = 0

/** Notes that a scenario was checked. */
export function noteSound(scenario: Scenario): void {
  sound.set(scenario, textOf(scenario))
}

/** Checks a scenario unless it is known. Throws a ScenarioError. */
export async function checkOnce(scenario: Scenario): Promise<void> {
  if (scenario === defaultScenario || sound.get(scenario) === textOf(scenario)) return
  await checkScenario(scenario)
  noteSound(scenario)
}

/** A function is compared by identity: its text does not determine its behaviour. */
function textOf(scenario: Scenario): string {
  return JSON.stringify(scenario, (_name, value: unknown) => (typeof value === 'function' ? numberOf(value) : value))
}

function numberOf(one: object): number {
  const known = functions.get(one)
  if (known !== undefined) return known
  seen += 1
  functions.set(one, seen)
  return seen
}
