/** The door of generators/: what may be sent, valid, wrong in one way, or as a conversation. */
export type { JsonObject, JsonType, JsonValue } from './json/json-value.ts'
export type { FaultClass, FaultLocation, Mutant, Strength, ValueMutant } from './mutants/mutant.ts'
export {
  allValueOperators,
  type MutantMaker,
  type MutantOptions,
  mutantMaker,
  mutantsOf,
} from './mutants/mutants-of.ts'
export type { GeneratedRequest, RequestParts } from './requests/generated-request.ts'
