/**
 * Refuses a scenario whose fixtures break the contract: answers must have `meta_data` of the assistant's own schema.
 * Apart from cast.ts because it needs a schema compiler, which the built-in scenario (checked by a test) is spared.
 */
import { compileValidator, type Validator } from '../../spec/index.ts'
import { rootKey } from '../randomness/key.ts'
import { ScenarioError } from './cast.ts'
import { sampleMetaData } from './meta-data.ts'
import type { AssistantScript, Scenario } from './scenario.ts'

/** Throws a ScenarioError for the first fixture that breaks a rule. */
export async function checkScenario(scenario: Scenario): Promise<void> {
  for (const assistant of scenario.assistants) await checkAssistant(assistant)
}

async function checkAssistant(assistant: AssistantScript): Promise<void> {
  const place = `assistants.${assistant.name}`
  const schema = assistant.meta_data_response_schema
  const validate = await compiled(`${place}.meta_data_response_schema`, assistant)
  for (const [index, turn] of assistant.turns.entries()) {
    const given = turn.meta_data
    // Several seeds, since a sample may fit by luck.
    const candidates = given === undefined ? [0, 1, 2, 3].map((seed) => sampleMetaData(schema, rootKey(seed))) : [given]
    for (const candidate of candidates) {
      const [fault] = validate(candidate)
      if (fault === undefined) continue
      const hint = given === undefined ? '; none can be made from this schema, so write meta_data in the turn' : ''
      const problem = `meta_data${fault.instancePath} ${fault.message ?? 'does not fit'}${hint}`
      throw new ScenarioError(`${place}.turns[${index}]`, `${problem} (resources.meta-data-fits-schema)`)
    }
  }
}

async function compiled(place: string, assistant: AssistantScript): Promise<Validator> {
  try {
    return await compileValidator(assistant.meta_data_response_schema as Parameters<typeof compileValidator>[0])
  } catch (cause) {
    throw new ScenarioError(place, `is no JSON Schema: ${String(cause)}`)
  }
}
