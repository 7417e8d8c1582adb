/**
 * Defines the parts of the reason tables: the contract's error codes, and the row of one reason.
 * They stand apart from the tables, because each part of the mock has a table of its own.
 */
import { errorTable } from '../../spec/index.ts'

/** One entry of the `detail` array of a validation error (contract: Errors). */
export interface FieldFault {
  readonly loc: readonly (string | number)[]
  readonly message: string
  readonly type: string
}

/** Status and text of every error code: texts by the contract's table, statuses by the reference profile. */
export const errorCodes = {
  assistant_not_available: { status: 403, detail: errorTable.assistant_not_available.detail },
  resource_not_found: { status: 404, detail: errorTable.resource_not_found.detail },
  thread_not_found: { status: 404, detail: errorTable.thread_not_found.detail },
  engine_does_not_support_streaming: { status: 400, detail: errorTable.engine_does_not_support_streaming.detail },
  rate_limit_gateway: { status: 429, detail: errorTable.rate_limit_gateway.detail },
  api_timeout_error: { status: 504, detail: errorTable.api_timeout_error.detail },
  internal_service_error: { status: 503, detail: errorTable.internal_service_error.detail },
  tool_message_has_no_matching_tool_call: {
    status: 400,
    detail: errorTable.tool_message_has_no_matching_tool_call.detail,
  },
  message_content_empty: { status: 400, detail: errorTable.message_content_empty.detail },
  validation_error: { status: 422, detail: 'See the faults' },
  bad_request: { status: 400, detail: errorTable.bad_request.detail },
  tenant_not_found: { status: 404, detail: errorTable.tenant_not_found.detail },
  unauthorized: { status: 401, detail: 'Missing or unknown API key' },
  method_not_allowed: { status: 405, detail: 'Method not allowed' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly detail: string }>>

export type ErrorCode = keyof typeof errorCodes

/** One row of a reason table. */
export interface Reason {
  readonly code: ErrorCode
  /** The rule that was broken, in our own words. */
  readonly rule: string
  /** Heading path in the contract, or the gap that it leaves. */
  readonly section: string
  /** The advice to the caller. */
  readonly fix: string
}

/** Why a request is refused, with the contents of the error body beside the code. */
export interface RejectionFor<Id extends string> {
  readonly reason: Id
  /** Another code than the reason's own; only for injected errors. */
  readonly code?: ErrorCode
  /** Every invalid field, in document order; only for `validation_error`. */
  readonly faults?: readonly FieldFault[]
  /** Seconds until it is worth trying again; only for the rate limit. */
  readonly retryAfterSeconds?: number
  /** Status of a gateway's page, which is sent instead of the error body; only for injected errors. */
  readonly gatewayStatus?: number
}
