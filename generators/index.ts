/** The door of generators/: what may be sent, valid, wrong in one way, or as a conversation. */
export { GenerationStuck, type GuardCount } from './arbitraries/guarded.ts'
export {
  type AddMessage,
  type AddToClosed,
  type AnswerTool,
  type AskTool,
  type CommandKind,
  type Complete,
  type Conversation,
  type ConversationCommand,
  callsModel,
  type ListThread,
  openingThreads,
  type RunThread,
  type Speaker,
} from './conversations/command.ts'
export { type ConversationOptions, conversationArbitrary } from './conversations/conversation-arbitrary.ts'
export {
  type Admissible,
  admissible,
  advance,
  advanceAsExpected,
  type ConversationState,
  callFor,
  isPlayable,
  type ModelEntry,
  type ModelThread,
  openCalls,
  openingState,
} from './conversations/conversation-model.ts'
export { abstractCommands, enumerateConversations } from './conversations/enumerate-conversations.ts'
export type { JsonObject, JsonType, JsonValue } from './json/json-value.ts'
export {
  type Cell,
  type CoverageReport,
  cellKey,
  cellOf,
  coverageReport,
  oneForEachCell,
  sampleOverPlaces,
} from './mutants/coverage.ts'
export type { FaultClass, FaultLocation, Mutant, Strength, ValueMutant } from './mutants/mutant.ts'
export {
  allValueOperators,
  type MutantMaker,
  type MutantOptions,
  mutantMaker,
  mutantsOf,
} from './mutants/mutants-of.ts'
export { bodyMutantMaker, requestMutants } from './mutants/request-mutants.ts'
export { type SampleOptions, type Sampler, sample, sampler, splitSeed } from './random/sampler.ts'
export { type BoundaryCase, boundaryCases, userIdAlphabet } from './requests/boundary-cases.ts'
export { encodeRequest } from './requests/encode-request.ts'
export type { GeneratedRequest, RequestParts } from './requests/generated-request.ts'
export { inputsOf, type OperationInputs, type RequestProfile } from './requests/operation-inputs.ts'
export { requestArbitrary, uploadTypes } from './requests/request-arbitrary.ts'
export { type Respelling, respellings } from './requests/respell-json.ts'
export type { TargetFacts } from './requests/target-facts.ts'
export { type TrickyText, trickyUnicode } from './requests/tricky-unicode.ts'
export { type RequestFault, requestValidator } from './requests/validate-request.ts'
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
export { type Fault, type JudgeOptions, type SchemaValidator, validatorOf } from './schema/schema-validator.ts'
export { giantLine, twoPieceSplits } from './streams/framing-mutants.ts'
export type { StreamMutant, StreamPiece } from './streams/stream-mutant.ts'
export { streamMutants } from './streams/stream-mutants.ts'
