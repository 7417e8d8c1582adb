/** Deviations of chapter errors in single codes: how they are sent, and the rate limit. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { dropField, editAt, replaceWith, withFields } from '../../overrides/json-edit.ts'
import { replaceCaller } from '../../overrides/rules.ts'
import type { ErrorCode } from '../../reasons/reason.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import { countingLate } from './limits.ts'
import { fails } from './now-and-then.ts'

const wholeModel = ['createChatCompletion', 'runThread'] as const satisfies readonly OperationId[]

/** Sends the detail of a code as something that is no text. */
const malformed = (code: ErrorCode, detail: Json): HookOverride =>
  overrideRejection('any', code, editAt('detail', replaceWith(detail)))
const without = (code: ErrorCode): HookOverride => overrideRejection('any', code, editAt('detail', dropField))

export const errorCodes = {
  'errors.rate-limit': [
    deviation(
      'errors.limit-other-code',
      'Refuses what is over the limit as too_many_requests.',
      overrideRejection('listMyApiKeys', 'rate_limit_gateway', editAt('error_code', replaceWith('too_many_requests'))),
      { trigger: 'a key over its quota' },
    ),
    deviation(
      'errors.limit-as-bad-request',
      'Refuses what is over the limit as bad_request.',
      overrideRejection('any', 'rate_limit_gateway', withFields({ error_code: 'bad_request' })),
      { trigger: 'a key over its quota' },
    ),
    deviation(
      'errors.limit-counts-late',
      'Counts a request a moment later, so that those at once are all served.',
      countingLate(),
      { trigger: 'more requests than the quota at once' },
    ),
    deviation(
      'errors.limit-never-reached',
      'Counts requests and does not look at the count.',
      replaceCaller((faithful) =>
        'reason' in faithful ? faithful : { ...faithful, apiKey: { ...faithful.apiKey, quota: null } },
      ),
      { trigger: 'a key over its quota' },
    ),
  ],
  'errors.code-assistant-not-available': [
    deviation(
      'errors.assistant-not-available-detail-object',
      'Sends the detail of assistant_not_available as an object with the id.',
      malformed('assistant_not_available', { assistant_id: 'unknown' }),
    ),
    deviation(
      'errors.assistant-not-available-without-detail',
      'Leaves the detail of assistant_not_available out.',
      without('assistant_not_available'),
    ),
  ],
  'errors.code-resource-not-found': [
    deviation(
      'errors.resource-not-found-detail-null',
      'Sends a detail of null with resource_not_found.',
      malformed('resource_not_found', null),
      { trigger: 'a completion in an unknown thread' },
    ),
    deviation(
      'errors.resource-not-found-without-detail',
      'Leaves the detail of resource_not_found out.',
      without('resource_not_found'),
      { trigger: 'a completion in an unknown thread' },
    ),
  ],
  'errors.code-thread-not-found': [
    deviation(
      'errors.thread-not-found-detail-array',
      'Sends the detail of thread_not_found as a list.',
      malformed('thread_not_found', ['Thread not found']),
    ),
    deviation(
      'errors.thread-not-found-without-detail',
      'Leaves the detail of thread_not_found out.',
      without('thread_not_found'),
    ),
  ],
  'errors.code-engine-does-not-support-streaming': [
    deviation(
      'errors.no-streaming-detail-object',
      'Sends the detail of engine_does_not_support_streaming as an object.',
      malformed('engine_does_not_support_streaming', { use: '/run' }),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'errors.no-streaming-without-detail',
      'Leaves the detail of engine_does_not_support_streaming out.',
      without('engine_does_not_support_streaming'),
      { trigger: 'an assistant that gives whole answers only' },
    ),
  ],
  'errors.code-rate-limit-gateway': [
    deviation(
      'errors.limit-detail-seconds',
      'Sends the seconds to wait as the detail of rate_limit_gateway.',
      malformed('rate_limit_gateway', 60),
      { trigger: 'a key over its quota' },
    ),
    deviation(
      'errors.limit-without-detail',
      'Lets the gateway answer without a detail.',
      without('rate_limit_gateway'),
      { trigger: 'a key over its quota' },
    ),
    deviation(
      'errors.limit-of-lists-not-found',
      'Finds no thread for a key that is over its limit.',
      overrideRejection('listMessages', 'rate_limit_gateway', withFields({ error_code: 'thread_not_found' })),
      { trigger: 'a list with a key over its quota' },
    ),
    deviation(
      'errors.limit-of-messages-busy',
      'Refuses to add messages for a key over its limit as too many requests.',
      overrideRejection('createMessage', 'rate_limit_gateway', withFields({ error_code: 'too_many_requests' })),
      { trigger: 'a message with a key over its quota' },
    ),
    deviation(
      'errors.limit-of-streams-busy',
      'Refuses to stream for a key over its limit as too many requests.',
      overrideRejection(
        ['streamChatCompletion', 'streamThreadRun'],
        'rate_limit_gateway',
        withFields({ error_code: 'too_many_requests' }),
      ),
      { trigger: 'a stream with a key over its quota' },
    ),
    deviation(
      'errors.limit-of-answers-bare',
      'Lets something else answer whole questions of a key over its limit.',
      overrideRejection(['createChatCompletion', 'runThread'], 'rate_limit_gateway', () => ({ message: 'Slow down' })),
      { trigger: 'a question with a key over its quota' },
    ),
  ],
  'errors.code-api-timeout-error': [
    deviation(
      'errors.timeout-detail-object',
      'Times every fifth answer out with the error of the upstream as its detail.',
      fails(wholeModel, 5, { error_code: 'api_timeout_error', detail: { upstream: 'timeout' } }),
      { trigger: 'every fifth answer' },
    ),
    deviation(
      'errors.timeout-without-detail',
      'Times every fifth answer out without a detail.',
      fails(wholeModel, 5, { error_code: 'api_timeout_error' }),
      { trigger: 'every fifth answer' },
    ),
  ],
  'errors.code-internal-service-error': [
    deviation(
      'errors.internal-error-detail-trace',
      'Sends a stack trace as a list with every seventh message.',
      fails('createMessage', 7, { error_code: 'internal_service_error', detail: ['TypeError', 'at store'] }),
      { trigger: 'every seventh message' },
    ),
    deviation(
      'errors.internal-error-without-detail',
      'Fails every fifth list of messages without a detail.',
      fails('listMessages', 5, { error_code: 'internal_service_error' }),
      { trigger: 'every fifth list' },
    ),
  ],
  'errors.code-tool-message-has-no-matching-tool-call': [
    deviation(
      'errors.unmatched-detail-object',
      'Sends the call id as the detail of an unmatched tool message.',
      malformed('tool_message_has_no_matching_tool_call', { tool_call_id: 'unknown' }),
    ),
    deviation(
      'errors.unmatched-without-detail',
      'Leaves the detail of an unmatched tool message out.',
      without('tool_message_has_no_matching_tool_call'),
    ),
  ],
  'errors.code-message-content-empty': [
    deviation(
      'errors.empty-content-detail-array',
      'Sends the detail of message_content_empty as an array of faults.',
      malformed('message_content_empty', [{ loc: ['body', 'content'], message: 'is empty', type: 'too_short' }]),
    ),
    deviation(
      'errors.empty-content-without-detail',
      'Leaves the detail of message_content_empty out.',
      without('message_content_empty'),
    ),
  ],
  'errors.code-validation-error': [
    deviation(
      'errors.validation-detail-text',
      'Sends the detail of validation_error as a text.',
      overrideRejection(
        ['createChatCompletion', 'streamChatCompletion'],
        'validation_error',
        editAt('detail', replaceWith('Validation failed')),
      ),
    ),
    deviation(
      'errors.my-keys-validation-detail-text',
      'Rejects every third my-api-keys request with a validation_error whose detail is a text.',
      fails('listMyApiKeys', 3, { error_code: 'validation_error', detail: 'Validation failed' }),
      { trigger: 'every third my-api-keys request' },
    ),
  ],
  'errors.code-bad-request': [
    deviation(
      'errors.my-keys-bad-request-detail',
      'Rejects every third my-api-keys request with a bad_request whose detail is an object.',
      fails('listMyApiKeys', 3, { error_code: 'bad_request', detail: { reason: 'header' } }),
      { trigger: 'every third my-api-keys request' },
    ),
  ],
  'errors.code-tenant-not-found': [
    deviation(
      'errors.my-keys-tenant-not-found-detail',
      'Loses the tenant at every third my-api-keys request, with a detail of null.',
      fails('listMyApiKeys', 3, { error_code: 'tenant_not_found', detail: null }),
      { trigger: 'every third my-api-keys request' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'errors'>>
