/** Loads scenario files; YAML parser and schema are loaded only if there is a file. */
import type { Scenario } from './scenario.ts'

interface LoadScenarioOptions {
  /** Name of the file in messages. Default `scenario`. */
  readonly file?: string
}

/** The scenario in a text of YAML. Throws a ScenarioError with file, line and column of every problem. */
export async function loadScenario(text: string, { file = 'scenario' }: LoadScenarioOptions = {}): Promise<Scenario> {
  const { readScenario } = await import('./yaml-scenario.ts')
  return readScenario(text, file)
}

/** A scenario as YAML that `loadScenario` reads back. */
export async function scenarioYaml(scenario: Scenario): Promise<string> {
  const { writeScenario } = await import('./yaml-scenario.ts')
  return writeScenario(scenario)
}
