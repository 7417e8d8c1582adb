/** Operations whose errors list `rate_limit_gateway` (contract: Errors); only these spend a key's quota. */
import type { OperationId } from '../../spec/index.ts'

const limited: ReadonlySet<OperationId> = new Set([
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
  'listMyApiKeys',
])

/** Whether a request for the operation counts against a quota. */
export function isLimited(operation: OperationId): boolean {
  return limited.has(operation)
}
