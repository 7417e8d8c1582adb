/** Proof of the oracles of chapter errors. */

import {
  inconclusive,
  notBlamed,
  noViolation,
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { keys, limited, throttled } from '../../../../test/trace-builder/rate-limits.ts'
import {
  assistantIds,
  errorBody,
  type Fields,
  fieldError,
  rejectedWith,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

/** A completion with a user_id that is no UUID, and the error that it gets. */
const faulty = (s: TraceBuilder, body: unknown, status = 422): void => {
  s.assistants()
  s.complete({ user_id: 'ann' }, { status, body })
}
const invalid = (entry: Fields): Fields =>
  errorBody('validation_error', [{ loc: ['body', 'user_id'], message: 'No UUID', type: 'uuid_parsing', ...entry }])
const good = invalid({})
const unknown = (s: TraceBuilder, body: unknown) => s.assistants().list(uuid(99), { status: 404, body })
/** A throttled key over its limit, and the first tenant right behind it. */
const behindLimit = (s: TraceBuilder, change: Change, tenant = 59): void => {
  keys(s, {})
  keys(s, throttled, 1, tenant)
  keys(s, { ...limited, as: 'throttled' })
  keys(s, change)
}
/** A limit in front of the service, which counts the requests of all keys together. */
const limitOfAll = (s: TraceBuilder): void => {
  s.assistants().list(uuid(99), { status: 429, body: { message: 'slow down' } })
  keys(s, { ...throttled, status: 429, body: { message: 'slow down' } })
}
const twice = (s: TraceBuilder, first: string, second: string): void => {
  const thread = s.assistants().thread()
  s.add(thread, 'wizard', 'Hello', rejectedWith(first))
  s.add(thread, 'wizard', 'Hello', rejectedWith(second))
}
const ask = (code: string) => (s: TraceBuilder, detail: unknown) =>
  void s.assistants().complete({}, { status: 400, body: errorBody(code, detail) })
const runs = (code: string) => (s: TraceBuilder, detail: unknown) => {
  const thread = s.assistants().thread({}, assistantIds.whole)
  s.add(thread, 'user', 'A question, please.')
  s.stream(thread, [], { status: 400, body: errorBody(code, detail) })
}
const lists = (code: string) => (s: TraceBuilder, detail: unknown) =>
  void s.assistants().list(uuid(99), { status: 404, body: errorBody(code, detail) })
const creates = (code: string, content: string, role: string) => (s: TraceBuilder, detail: unknown) => {
  const thread = s.assistants().thread()
  s.add(thread, role, content, {
    status: 400,
    body: errorBody(code, detail),
    more: role === 'tool' ? { tool_call_id: 'x' } : {},
  })
}
const reads = (code: string) => (s: TraceBuilder, detail: unknown) =>
  keys(s, { status: 400, body: errorBody(code, detail) })

/** Each code of the table with a string, and with a number, as its detail; being sent is judged, not why it was sent. */
const codes: readonly (readonly [Parameters<typeof upholds>[0], string, (s: TraceBuilder, detail: unknown) => void])[] =
  [
    [
      'errors.code-assistant-not-available',
      'createChatCompletion',
      (s, detail) =>
        s
          .assistants()
          .complete({ assistant_id: uuid(77) }, { status: 403, body: errorBody('assistant_not_available', detail) }),
    ],
    [
      'errors.code-resource-not-found',
      'createChatCompletion',
      (s, detail) =>
        s
          .assistants()
          .complete({ assistant_id: uuid(77) }, { status: 404, body: errorBody('resource_not_found', detail) }),
    ],
    ['errors.code-thread-not-found', 'listMessages', lists('thread_not_found')],
    ['errors.code-engine-does-not-support-streaming', 'streamThreadRun', runs('engine_does_not_support_streaming')],
    ['errors.code-rate-limit-gateway', 'createChatCompletion', ask('rate_limit_gateway')],
    ['errors.code-api-timeout-error', 'createChatCompletion', ask('api_timeout_error')],
    ['errors.code-internal-service-error', 'createChatCompletion', ask('internal_service_error')],
    [
      'errors.code-tool-message-has-no-matching-tool-call',
      'createMessage',
      creates('tool_message_has_no_matching_tool_call', 'It rains.', 'tool'),
    ],
    ['errors.code-message-content-empty', 'createMessage', creates('message_content_empty', '', 'user')],
  ]

const codeCases: readonly OracleCase[] = codes.flatMap(([id, place, tell]) => [
  upholds(id, place, 'its detail is a string', (s) => tell(s, undefined)),
  violates(id, place, 'its detail is a number', (s) => tell(s, 7)),
])

/** The texts of errors, and where a code is listed, have a proof of their own. */
const { 'errors.detail-text': _text, 'errors.listed-where': _where, ...ownOracles } = errorsOracles

proveOracles(ownOracles, [
  upholds('errors.body-fields', 'createChatCompletion detail', 'code and detail', (s) => faulty(s, good)),
  violates('errors.body-fields', 'createChatCompletion error_code', "the framework's own body", (s) =>
    faulty(s, { detail: [{ loc: [], msg: 'x', type: 'y' }] }),
  ),
  violates('errors.body-fields', 'createChatCompletion detail', 'no detail', (s) =>
    faulty(s, { error_code: 'bad_request' }),
  ),
  violates('errors.body-fields', 'listMessages error_code', 'a page of HTML', (s) =>
    s.assistants().list(uuid(99), { status: 404, text: '<h1>Not found</h1>' }),
  ),
  noViolation('errors.body-fields', '', 'a gateway that is down has a body of its own', (s) =>
    s.assistants().list(uuid(99), { status: 502, text: 'Bad gateway' }),
  ),
  noViolation('errors.body-fields', '', 'a text that is no JSON may fail before the service', (s) =>
    s.assistants().complete({}, { sends: '{"assistant_id":', status: 400, text: 'Malformed' }),
  ),
  unexercised(
    'errors.body-fields',
    'createMessage error_code',
    "a refusal that need not have been may be anybody's",
    (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'Hello')
      s.add(thread, 'system', 'Be kind.', { status: 400, body: { message: 'no' } })
    },
  ),
  unexercised('errors.body-fields', 'createChatCompletion error_code', 'without a key nobody looks at the rest', (s) =>
    s.assistants().complete({ user_id: 'ann' }, { as: null, status: 401, text: 'Who are you?' }),
  ),
  violates('errors.detail-is-string', 'createChatCompletion', 'only a validation_error has field errors', (s) =>
    ask('rate_limit_gateway')(s, [{ loc: [], message: 'x', type: 'y' }]),
  ),
  upholds('errors.detail-is-string', 'listMessages', 'a string', (s) => unknown(s, errorBody('thread_not_found'))),
  violates('errors.detail-is-string', 'listMessages', 'an object', (s) =>
    unknown(s, errorBody('thread_not_found', { text: 'gone' })),
  ),
  upholds('errors.validation-detail', 'createChatCompletion message', 'loc, message and type', (s) => faulty(s, good)),
  violates('errors.validation-detail', 'createChatCompletion message', 'msg instead of message', (s) =>
    faulty(s, invalid({ message: undefined, msg: 'No UUID' })),
  ),
  violates('errors.validation-detail', 'createChatCompletion array', 'a string', (s) =>
    faulty(s, errorBody('validation_error', 'user_id is no UUID')),
  ),
  violates('errors.validation-detail', 'createChatCompletion loc', 'a loc that is one string', (s) =>
    faulty(s, invalid({ loc: 'body.user_id' })),
  ),
  upholds('errors.validation-loc-segments', 'createChatCompletion', 'strings and indices', (s) => faulty(s, good)),
  violates('errors.validation-loc-segments', 'createChatCompletion', 'an empty loc', (s) =>
    faulty(s, invalid({ loc: [] })),
  ),
  ...[
    ['body', 'messages', 0],
    ['body', 'my_body.part', 'a/path.b'],
  ].map((loc) =>
    upholds('errors.validation-loc-segments', 'createChatCompletion', `a path may be ${loc.join(' ')}`, (s) =>
      faulty(s, errorBody('validation_error', [...(good.detail as Fields[]), { loc, message: 'Odd', type: 'odd' }])),
    ),
  ),
  ...[['body.user_id'], ['body', -1], ['body', 0.5], [null]].map((loc) =>
    violates('errors.validation-loc-segments', 'createChatCompletion', `no path is ${JSON.stringify(loc)}`, (s) =>
      faulty(s, invalid({ loc })),
    ),
  ),
  violates('errors.validation-body-my-keys', 'listMyApiKeys', 'no detail', (s) =>
    keys(s, { query: '?x=1', status: 400, body: { error_code: 'bad_request' } }),
  ),
  upholds('errors.validation-body-my-keys', 'listMyApiKeys', 'code and detail', (s) =>
    keys(s, { query: '?x=1', ...rejectedWith('bad_request') }),
  ),
  upholds('errors.code-bad-request', 'listMyApiKeys', 'a string', (s) =>
    keys(s, { query: '?x=1', ...rejectedWith('bad_request') }),
  ),
  upholds('errors.code-tenant-not-found', 'listMyApiKeys', 'a string', (s) =>
    keys(s, { query: '?x=1', ...rejectedWith('tenant_not_found') }),
  ),
  violates('errors.validation-body-my-keys', 'listMyApiKeys', 'another body', (s) =>
    keys(s, { status: 400, body: { message: 'no' } }),
  ),
  violates(
    'errors.validation-body-my-keys',
    'listMyApiKeys',
    'the gateway refuses a throttled key in its own words',
    (s) => keys(s, { ...throttled, status: 429, body: { message: 'slow down' } }),
  ),
  upholds('errors.rejection-repeatable', 'createMessage', 'twice the same code', (s) =>
    twice(s, 'bad_request', 'bad_request'),
  ),
  violates('errors.rejection-repeatable', 'createMessage', 'another code the second time', (s) =>
    twice(s, 'bad_request', 'validation_error_of_mine'),
  ),
  upholds('errors.rate-limit', 'listMyApiKeys', 'the code of the table', (s) => {
    keys(s, throttled, 2)
    keys(s, { ...throttled, ...rejectedWith('rate_limit_gateway', 429) })
  }),
  violates('errors.rate-limit', 'listMyApiKeys', 'another code', (s) =>
    keys(s, { ...throttled, status: 429, body: { message: 'slow down' } }),
  ),
  inconclusive('errors.rate-limit', 'listMyApiKeys', 'the requests take longer than a quota may count', (s) => {
    keys(s, { ...throttled, at: [100, 200] })
    keys(s, { ...throttled, at: [4100, 4200] })
    keys(s, { ...throttled, at: [8100, 8200] })
  }),
  inconclusive('errors.rate-limit', 'listMyApiKeys', 'a larger limit, or none', (s) => keys(s, throttled, 62)),
  violates('errors.rate-limit', 'listMyApiKeys', 'no limit at all', (s) => keys(s, throttled, 63)),
  inconclusive('errors.rate-limit', 'listMyApiKeys', 'as many as the profile says exceed the quota', (s) =>
    keys(s, throttled, 3),
  ),
  violates('errors.rate-limit', 'listMyApiKeys', 'a bad request that is none', (s) =>
    keys(s, { ...throttled, ...rejectedWith('bad_request') }),
  ),
  noViolation('errors.rate-limit', 'listMyApiKeys', 'a gateway limits all keys, this one among them', (s) =>
    limitOfAll(s),
  ),
  noViolation('errors.validation-body-my-keys', 'listMyApiKeys', 'a gateway limits all keys in its own words', (s) =>
    limitOfAll(s),
  ),
  upholds('errors.rate-limit', 'listMyApiKeys', 'a gateway limits all keys, and the service this one', (s) => {
    limitOfAll(s)
    keys(s, { ...throttled, ...rejectedWith('rate_limit_gateway', 429) })
  }),
  upholds('errors.rate-limit-own-tenant', 'listMyApiKeys', 'the next tenant is served', (s) => behindLimit(s, {})),
  violates('errors.rate-limit-own-tenant', 'listMyApiKeys', 'the next tenant is limited as well', (s) =>
    behindLimit(s, limited),
  ),
  noViolation('errors.rate-limit-own-tenant', 'listMyApiKeys', 'two keys of one tenant', (s) =>
    behindLimit(s, limited, 60),
  ),
  noViolation('errors.rate-limit-own-tenant', 'listMyApiKeys', 'a tenant that met its own limit before', (s) => {
    keys(s, limited)
    behindLimit(s, limited)
  }),
  upholds(
    'errors.rate-limit-own-tenant',
    'listMyApiKeys',
    'a gateway limits the next request, but not the one after',
    (s) => {
      behindLimit(s, { status: 429, body: { message: 'slow down' } })
      keys(s, {})
    },
  ),
  unexercised('errors.rate-limit', 'listMyApiKeys', 'an unavailable service may have been the limit', (s) => {
    keys(s, throttled, 3)
    keys(s, { ...throttled, silent: true })
  }),
  unexercised('errors.rate-limit', 'listMyApiKeys', 'nobody knows the quota', (s) => keys(s, throttled, 4), {
    profile: { throttle: undefined },
  }),
  unexercised('errors.rate-limit', 'listMyApiKeys', 'below the quota nothing shows', (s) => keys(s, throttled, 2)),
  ...codeCases,
  upholds('errors.rate-limit-in-streams', 'streamChatCompletion', 'both forms are limited', (s) => {
    s.assistants().complete({}, { ...throttled, ...limited })
    s.completeStream({}, { ...throttled, ...limited })
  }),
  violates('errors.rate-limit-in-streams', 'streamChatCompletion', 'streams are served between limited ones', (s) => {
    s.assistants().complete({}, { ...throttled, ...limited })
    for (let turn = 0; turn < 3; turn += 1) {
      s.completeStream({}, throttled)
      s.complete({}, { ...throttled, ...limited })
    }
  }),
  upholds('errors.code-validation-error', 'createChatCompletion', 'an array of field errors', (s) => faulty(s, good)),
  violates('errors.code-validation-error', 'createChatCompletion', 'a string', (s) =>
    faulty(s, errorBody('validation_error', 'wrong')),
  ),
  ...[[], ['wrong'], [{}, 'wrong']].map((detail) =>
    violates(
      'errors.code-validation-error',
      'createChatCompletion',
      `no field errors are ${JSON.stringify(detail)}`,
      (s) => faulty(s, errorBody('validation_error', detail)),
    ),
  ),
  violates('errors.code-bad-request', 'listMyApiKeys', 'an array', (s) => reads('bad_request')(s, [])),
  violates('errors.code-tenant-not-found', 'listMyApiKeys', 'null', (s) => reads('tenant_not_found')(s, null)),
  notBlamed('errors.detail-is-string', '', 'another text than that of the table', (s) =>
    unknown(s, errorBody('thread_not_found', 'No such thread')),
  ),
  noViolation('errors.validation-detail', '', 'more fields in an entry', (s) =>
    faulty(s, fieldError(['body', 'user_id'], 'uuid_parsing')),
  ),
])
