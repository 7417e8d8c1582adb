/**
 * Names the operations that spend a key's quota. They are those whose errors list `rate_limit_gateway` (contract: Errors),
 * and the events stream, whose errors the contract does not show.
 */
import { errorTable, type OperationId } from '../../spec/index.ts'

const limited: ReadonlySet<OperationId> = new Set([
  ...errorTable.rate_limit_gateway.operations,
  'streamChatCompletionEvents',
])

/** Whether a request for the operation counts against a quota. */
export function isLimited(operation: OperationId): boolean {
  return limited.has(operation)
}
