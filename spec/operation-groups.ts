/**
 * Names the groups of operations that rules, gaps, oracles and deviations speak about.
 * The order within a group is that of the contract.
 */
import type { OperationId } from './operations.ts'

/** The error table's "chat completions (both)". */
export const bothCompletions = ['createChatCompletion', 'streamChatCompletion'] as const
export const completionOperations = [...bothCompletions, 'streamChatCompletionEvents'] as const
export const bothRuns = ['runThread', 'streamThreadRun'] as const
/** Operations that call a model and have an entry in the error table. */
export const modelOperations = [...bothCompletions, ...bothRuns] as const
export const messageOperations = ['listMessages', 'createMessage'] as const
/** Operations with a thread in their path. */
export const threadOperations = [...bothRuns, ...messageOperations] as const
export const streamOperations = ['streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun'] as const
/** Streams whose chunks carry text, not content blocks. */
export const textStreams = ['streamChatCompletion', 'streamThreadRun'] as const
/** Operations that answer with one JSON document. */
export const documentOperations = [
  'createChatCompletion',
  'runThread',
  ...messageOperations,
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const
/** Every operation of the contract, but for the upload, whose URL is not part of the API. */
export const everyOperation = [
  ...completionOperations,
  ...threadOperations,
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const satisfies readonly OperationId[]

/** Maps each operation to the same facets; without facets the operation is owed as a whole. */
export const owedByEach = <const Op extends OperationId, const Facets extends readonly string[] = readonly []>(
  operations: readonly Op[],
  facets?: Facets,
): Readonly<Record<Op, Facets | readonly []>> =>
  Object.fromEntries(operations.map((operation) => [operation, facets ?? []])) as Record<Op, Facets | readonly []>
