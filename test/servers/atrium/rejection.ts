/**
 * Defines the exception with which Atrium refuses a request; app.ts turns it into a response.
 * Codes and texts are those of the contract's error table; statuses are Atrium's own choice.
 */

/** One field error; the words of `type` are those of pydantic. */
export interface Issue {
  readonly loc: readonly (string | number)[]
  readonly message: string
  readonly type: string
}

const table = {
  assistant_not_available: [403, 'Assistant not available to the tenant'],
  resource_not_found: [404, 'Resource not found'],
  thread_not_found: [404, 'Thread not found'],
  engine_does_not_support_streaming: [
    400,
    'The selected engine does not support streaming; use the non-streaming endpoint',
  ],
  rate_limit_gateway: [429, 'Rate limit exceeded'],
  api_timeout_error: [504, 'An upstream model API request timed out'],
  internal_service_error: [503, 'An internal required service is unavailable; try again later'],
  tool_message_has_no_matching_tool_call: [
    422,
    "A tool message id is not found in a preceding assistant message's tool calls in the thread",
  ],
  message_content_empty: [422, 'Message content cannot be empty'],
  bad_request: [400, 'Bad request'],
  tenant_not_found: [404, 'Tenant not found'],
} as const satisfies Record<string, readonly [number, string]>

/** A code of the contract's error table whose detail is a text. */
export type TableCode = keyof typeof table

/** A refused request: status, and what the body says. */
export class Rejection extends Error {
  readonly status: number
  readonly code: string | null
  readonly issues: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string | null, detail: string, issues: readonly Issue[] = [], headers = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.issues = issues
    this.headers = headers
  }

  /** The response body; framework routes answer in the framework's own shape. */
  toBody(frameworkShape: boolean): unknown {
    const isValidation = this.issues.length > 0
    if (isValidation && frameworkShape) {
      return { detail: this.issues.map(({ loc, message, type }) => ({ type, loc, msg: message })) }
    }
    const detail = isValidation ? this.issues : this.message
    return this.code === null ? { detail } : { error_code: this.code, detail }
  }
}

/** A rejection from the contract's table. */
export function rejectWith(code: TableCode, headers: Record<string, string> = {}): Rejection {
  const [status, detail] = table[code]
  return new Rejection(status, code, detail, [], headers)
}

/** A rejection for which the contract names no code. */
export function refuse(status: number, code: string, detail: string): Rejection {
  return new Rejection(status, code, detail)
}

/** A rejection in the framework's own words, outside the contract's envelope. */
export function frameworkRefusal(status: number, detail: string): Rejection {
  return new Rejection(status, null, detail)
}

/** A rejection for fields that do not hold what they should. */
export function invalid(issues: readonly Issue[]): Rejection {
  return new Rejection(422, 'validation_error', 'Validation failed', issues)
}
