/** Caches which scenarios are valid, so that a mock for a known object starts at once. */
import { OptionError } from '../option-error.ts'
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

/** Checks a scenario unless it is known. Throws a ScenarioError, an OptionError for what is no object of a scenario. */
export async function checkOnce(scenario: Scenario): Promise<void> {
  refuseUnloaded(scenario)
  if (scenario === defaultScenario || sound.get(scenario) === textOf(scenario)) return
  await checkScenario(scenario)
  noteSound(scenario)
}

/** Paths and promises are what `loadScenario` takes and gives, so they need its name and not the fields of a scenario. */
function refuseUnloaded(scenario: unknown): void {
  if (typeof scenario === 'string') {
    throw new OptionError(
      'scenario',
      'must be an object, not a text; load a file with scenario: await loadScenario(readFileSync(path, "utf8"))',
    )
  }
  if (scenario instanceof Promise) {
    throw new OptionError('scenario', 'must be an object, not a promise; write scenario: await loadScenario(text)')
  }
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
