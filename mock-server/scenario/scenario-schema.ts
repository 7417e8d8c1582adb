/** Reads the schema of scenario files as it is shipped. The browser build has its own module in this place. */
import { readFileSync } from 'node:fs'

/** The JSON Schema of a scenario file. */
export const scenarioSchema = (): object =>
  JSON.parse(readFileSync(new URL('./scenario.schema.json', import.meta.url), 'utf8')) as object
