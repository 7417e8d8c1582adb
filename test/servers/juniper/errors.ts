/** The errors of the service: codes, texts, statuses and the body in which they are sent. */
import type { FastifyReply } from 'fastify'
import type { Service } from './service.ts'

/** One wrong field of a request. */
export interface FieldError {
  readonly loc: readonly (string | number)[]
  readonly message: string
  readonly type: string
}

const table = {
  assistant_not_available: [404, 'Assistant not available to the tenant'],
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
    400,
    "A tool message id is not found in a preceding assistant message's tool calls in the thread",
  ],
  message_content_empty: [400, 'Message content cannot be empty'],
  validation_error: [422, ''],
  bad_request: [400, 'Bad request'],
  tenant_not_found: [404, 'Tenant not found'],
  unauthorized: [401, 'The api-key header is missing or not valid'],
  thread_is_read_only: [409, 'The thread accepts no further messages'],
  file_refused: [415, 'The file is of a type that is not accepted'],
  file_too_large: [413, 'The file is larger than accepted'],
} as const satisfies Record<string, readonly [number, string]>

/** A code of the table. */
export type ErrorCode = keyof typeof table

/** Statuses that a legal choice gives to a code instead. */
const otherStatuses: Readonly<Record<string, readonly [ErrorCode, number]>> = {
  validation_is_400: ['validation_error', 400],
  assistant_is_403: ['assistant_not_available', 403],
  assistant_is_400: ['assistant_not_available', 400],
  thread_is_410: ['thread_not_found', 410],
  thread_is_400: ['thread_not_found', 400],
  resource_is_410: ['resource_not_found', 410],
  engine_is_422: ['engine_does_not_support_streaming', 422],
  engine_is_501: ['engine_does_not_support_streaming', 501],
  rate_is_503: ['rate_limit_gateway', 503],
  timeout_is_408: ['api_timeout_error', 408],
  timeout_is_502: ['api_timeout_error', 502],
  internal_is_500: ['internal_service_error', 500],
  tool_is_409: ['tool_message_has_no_matching_tool_call', 409],
  empty_is_422: ['message_content_empty', 422],
  tenant_is_403: ['tenant_not_found', 403],
  unauthorized_is_403: ['unauthorized', 403],
  unauthorized_is_404: ['unauthorized', 404],
}

/** A refusal that the caller is told about. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly fields: readonly FieldError[]

  constructor(code: ErrorCode, fields: readonly FieldError[] = []) {
    super(code)
    this.code = code
    this.fields = fields
  }
}

/** A refusal because of one field. */
export function fieldError(loc: FieldError['loc'], type: string, message: string): ApiError {
  return new ApiError('validation_error', [{ loc, message, type }])
}

/** Sends a refusal. */
export function sendError(service: Service, reply: FastifyReply, { code, fields }: ApiError): FastifyReply {
  const { fault, legal } = service
  const choice = [...legal].map((name) => otherStatuses[name]).find((other) => other?.[0] === code)
  reply.code(choice?.[1] ?? table[code][0])
  if (code === 'rate_limit_gateway') {
    reply.header('retry-after', String(Math.ceil(service.throttledQuota.windowMs / 1000)))
    if (fault === 'error_rate_limit_is_text') return reply.type('text/plain').send('Too many requests')
  }
  if (code === 'unauthorized' && legal.has('unauthorized_own_body')) return reply.send({ message: 'Unauthorized' })
  if (code === 'unauthorized' && legal.has('unauthorized_empty_body')) return reply.send()
  const detail = code === 'validation_error' ? fieldsShown(service, fields) : detailShown(service, code)
  if (fault === 'error_code_key') return reply.send({ code: codeShown(service, code), detail })
  if (fault === 'error_without_detail' && code !== 'validation_error') return reply.send({ error_code: code })
  if (fault === 'error_nested') return reply.send({ error: { error_code: code, detail } })
  return reply.send({ error_code: codeShown(service, code), detail })
}

function codeShown({ fault }: Service, code: ErrorCode): string {
  if (fault === 'error_rate_limit_code' && code === 'rate_limit_gateway') return 'rate_limit_exceeded'
  if (fault === 'error_thread_code' && code === 'thread_not_found') return 'resource_not_found'
  if (fault === 'error_engine_code' && code === 'engine_does_not_support_streaming') return 'bad_request'
  if (fault === 'error_code_upper' && code === 'assistant_not_available') return code.toUpperCase()
  if (fault === 'error_tool_code' && code === 'tool_message_has_no_matching_tool_call') return 'bad_request'
  return code
}

function detailShown({ fault }: Service, code: ErrorCode): string | readonly string[] {
  const text = table[code][1]
  if (fault === 'error_thread_text' && code === 'thread_not_found') return 'Thread does not exist'
  if (fault === 'error_empty_text' && code === 'message_content_empty') return 'Message content cannot be empty.'
  if (fault === 'error_detail_is_array' && code === 'assistant_not_available') return [text]
  if (fault === 'error_timeout_text' && code === 'api_timeout_error') return 'The model timed out'
  return text
}

function fieldsShown({ fault }: Service, fields: readonly FieldError[]): unknown {
  if (fault === 'error_validation_text') return fields.map(({ message }) => message).join('; ')
  if (fault === 'error_loc_dotted') return fields.map((field) => ({ ...field, loc: field.loc.join('.') }))
  if (fault === 'error_loc_without_body') return fields.map((field) => ({ ...field, loc: field.loc.slice(1) }))
  if (fault === 'error_message_key') return fields.map(({ message, ...rest }) => ({ ...rest, msg: message }))
  if (fault === 'error_type_dropped') return fields.map(({ loc, message }) => ({ loc, message }))
  if (fault === 'error_second_field_raw') return fields.map((field, index) => (index === 0 ? field : field.message))
  return fields
}
