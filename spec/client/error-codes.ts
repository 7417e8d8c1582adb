/** Lists every error code of the reference profile. */

/** Those of the contract, and the last two for what the contract leaves open. */
export const errorCodes = [
  'assistant_not_available',
  'resource_not_found',
  'thread_not_found',
  'engine_does_not_support_streaming',
  'rate_limit_gateway',
  'api_timeout_error',
  'internal_service_error',
  'tool_message_has_no_matching_tool_call',
  'message_content_empty',
  'validation_error',
  'bad_request',
  'tenant_not_found',
  'unauthorized',
  'method_not_allowed',
] as const
