/** The door of generators/: what may be sent, valid, wrong in one way, or as a conversation. */
export { GenerationStuck, type GuardCount } from './arbitraries/guarded.ts'
export type { JsonObject, JsonType, JsonValue } from './json/json-value.ts'
export { type Fault, type JudgeOptions, judgeOf, type SchemaJudge } from './judge/schema-judge.ts'
export type { FaultClass, FaultLocation, Mutant, Strength, ValueMutant } from './mutants/mutant.ts'
export {
  allValueOperators,
  type MutantMaker,
  type MutantOptions,
  mutantMaker,
  mutantsOf,
} from './mutants/mutants-of.ts'
export type { GeneratedRequest, RequestParts } from './requests/generated-request.ts'
export {
  arbitraryFromSchema,
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
  type Support,
  supportOf,
  UnsupportedSchema,
} from './schema/compile-schema.ts'
export type { UnsupportedKeyword } from './schema/graph.ts'
export type { Schema } from './schema/schema-documents.ts'
