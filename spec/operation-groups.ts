/**
 * Sets of operations that several rows share, so that "both completions" is said once.
 * Each maps operation → facets; an empty list means the operation as a whole.
 */
import type { OperationId } from './operations.ts'

/** The same facets for every operation named. */
export const owedByEach = <const Op extends OperationId, const Facets extends readonly string[] = readonly []>(
  operations: readonly Op[],
  facets?: Facets,
): Readonly<Record<Op, Facets | readonly []>> =>
  Object.fromEntries(operations.map((operation) => [operation, facets ?? []])) as Record<Op, Facets | readonly []>

export const completionOperations = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
] as const
/** The error table's "chat completions (both)". */
export const bothCompletions = ['createChatCompletion', 'streamChatCompletion'] as const
export const bothRuns = ['runThread', 'streamThreadRun'] as const
export const threadOperations = ['runThread', 'streamThreadRun', 'listMessages', 'createMessage'] as const
export const streamOperations = ['streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun'] as const
export const textStreams = ['streamChatCompletion', 'streamThreadRun'] as const
export const documentOperations = [
  'createChatCompletion',
  'runThread',
  'listMessages',
  'createMessage',
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const
export const everyOperation = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const
