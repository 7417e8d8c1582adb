/**
 * Generates requests: valid ones, requests with one fault, and conversations. Everything is reproducible: the same seed
 * gives the same values.
 */
export {
  type AnswerTool,
  type Conversation,
  type ConversationCommand,
  callsModel,
  openingThreads,
} from './conversations/command.ts'
export { conversationArbitrary } from './conversations/conversation-arbitrary.ts'
export {
  admissible,
  advance,
  type ConversationState,
  callFor,
  isPlayable,
  openingState,
} from './conversations/conversation-model.ts'
export { enumerateConversations } from './conversations/enumerate-conversations.ts'
export { nextMove } from './conversations/state-walk.ts'
export {
  emptyThread,
  expectationOf,
  isRefusedRun,
  nextState,
  pairKey,
  rulesFor,
  type StatePair,
  stateKey,
  statePairs,
  type ThreadCommand,
  type ThreadState,
  threadStates,
} from './conversations/thread-states.ts'
export { cellKey, cellOf, oneForEachCell } from './mutants/coverage.ts'
export type { Mutant } from './mutants/mutant.ts'
export { requestMutants } from './mutants/request-mutants.ts'
export { sample, sampler, splitSeed } from './random/sampler.ts'
export { boundaryCases, userIdAlphabet } from './requests/boundary-cases.ts'
export { encodeRequest } from './requests/encode-request.ts'
export type { GeneratedRequest, RequestParts } from './requests/generated-request.ts'
export { inputsOf } from './requests/operation-inputs.ts'
export { requestArbitrary } from './requests/request-arbitrary.ts'
export type { TargetFacts } from './requests/target-facts.ts'
export { trickyUnicode } from './requests/tricky-unicode.ts'
export { requestValidator } from './requests/validate-request.ts'
export { arbitraryFromSchema, compileSchema } from './schema/compile-schema.ts'
export type { Schema } from './schema/schema-documents.ts'
export { type SchemaValidator, validatorOf } from './schema/schema-validator.ts'
