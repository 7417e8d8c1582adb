/** The schema of scenario files in a browser, where it is part of the bundle. */
import schema from '../scenario/scenario.schema.json' with { type: 'json' }

/** As the module of this name in scenario/. */
export const scenarioSchema = (): object => schema
