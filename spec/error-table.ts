/**
 * Holds the contract's table of errors: code, detail text and the operations that list it.
 * The contract does not say that the texts are exact or that the lists are complete.
 */

import { bothCompletions, bothRuns, messageOperations, modelOperations, threadOperations } from './operation-groups.ts'
import type { OperationId } from './operations.ts'

export interface ErrorRow {
  /** `null` where detail is an array of field errors. */
  readonly detail: string | null
  readonly operations: readonly OperationId[]
}

/** Errors / the table. */
export const errorTable = {
  assistant_not_available: { detail: 'Assistant not available to the tenant', operations: modelOperations },
  resource_not_found: { detail: 'Resource not found', operations: bothCompletions },
  thread_not_found: { detail: 'Thread not found', operations: threadOperations },
  engine_does_not_support_streaming: {
    detail: 'The selected engine does not support streaming; use the non-streaming endpoint',
    operations: bothRuns,
  },
  rate_limit_gateway: {
    detail: 'Rate limit exceeded',
    operations: [...modelOperations, ...messageOperations, 'listMyApiKeys'],
  },
  api_timeout_error: { detail: 'An upstream model API request timed out', operations: modelOperations },
  internal_service_error: {
    detail: 'An internal required service is unavailable; try again later',
    operations: [...modelOperations, ...messageOperations],
  },
  tool_message_has_no_matching_tool_call: {
    detail: "A tool message id is not found in a preceding assistant message's tool calls in the thread",
    operations: messageOperations,
  },
  message_content_empty: { detail: 'Message content cannot be empty', operations: messageOperations },
  validation_error: { detail: null, operations: [...bothCompletions, 'listMyApiKeys'] },
  bad_request: { detail: 'Bad request', operations: ['listMyApiKeys'] },
  tenant_not_found: { detail: 'Tenant not found', operations: ['listMyApiKeys'] },
} as const satisfies Readonly<Record<string, ErrorRow>>

export type ErrorCode = keyof typeof errorTable

/** The row of a code; a service may have other codes, which the contract does not show. */
export function errorRowOf(code: string | null): ErrorRow | undefined {
  const table: Readonly<Record<string, ErrorRow>> = errorTable
  return code !== null && Object.hasOwn(table, code) ? table[code] : undefined
}
