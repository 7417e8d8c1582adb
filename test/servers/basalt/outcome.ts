/**
 * Results as values: every step gives an outcome, and a fault travels up to the gateway unchanged.
 * All rejections have status 400, except those about the state of a thread, which have 409.
 */

/** A field that does not hold what it should. */
export interface FieldViolation {
  readonly loc: readonly string[]
  readonly message: string
  readonly type: string
}

/** Why a request is rejected. */
export interface RequestFault {
  readonly status: 400 | 409
  readonly error_code: string
  readonly detail: string | readonly FieldViolation[]
}

/** A value or the reason why there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: RequestFault }

const details = {
  assistant_not_available: 'Assistant not available to the tenant',
  resource_not_found: 'Resource not found',
  thread_not_found: 'Thread not found',
  engine_does_not_support_streaming: 'The selected engine does not support streaming; use the non-streaming endpoint',
  rate_limit_gateway: 'Rate limit exceeded',
  api_timeout_error: 'An upstream model API request timed out',
  internal_service_error: 'An internal required service is unavailable; try again later',
  tool_message_has_no_matching_tool_call:
    "A tool message id is not found in a preceding assistant message's tool calls in the thread",
  message_content_empty: 'Message content cannot be empty',
  bad_request: 'Bad request',
  tenant_not_found: 'Tenant not found',
} as const

/** A code of the contract whose detail is a text. */
export type ContractCode = keyof typeof details

/** A success. */
export function success<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

/** A failure with a code and text of the contract. */
export function failure(error_code: ContractCode): Outcome<never> {
  return { ok: false, fault: { status: 400, error_code, detail: details[error_code] } }
}

/** A failure that the contract does not name. */
export function otherFailure(error_code: string, detail: string, status: 400 | 409 = 400): Outcome<never> {
  return { ok: false, fault: { status, error_code, detail } }
}

/** A failure because of the state that a thread is in. */
export function conflict(detail: string): Outcome<never> {
  return otherFailure('thread_state_conflict', detail, 409)
}

/** A failure with violations per field. */
export function violation(violations: readonly FieldViolation[]): Outcome<never> {
  return { ok: false, fault: { status: 400, error_code: 'validation_error', detail: violations } }
}
