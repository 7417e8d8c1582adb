/** Proof of the oracles of chapter errors. */
import { assistantIds, error, type Fields, fieldError, refused, uuid } from '../trace-notation/material.ts'
import { allows, breaks, keeps, type OracleCase, passesBy, prove } from '../trace-notation/prove.ts'
import type { Change, Story } from '../trace-notation.ts'
import { errorsOracles } from './errors.ts'

/** A completion with a user_id that is no UUID, and the error that it gets. */
const faulty = (s: Story, body: unknown, status = 422): void => {
  s.assistants()
  s.complete({ user_id: 'ann' }, { status, body })
}
const invalid = (entry: Fields): Fields =>
  error('validation_error', [{ loc: ['body', 'user_id'], message: 'No UUID', type: 'uuid_parsing', ...entry }])
const good = invalid({})
const unknown = (s: Story, body: unknown) => s.assistants().list(uuid(99), { status: 404, body })
const keys = (s: Story, change: Change, times = 1): void => {
  for (let count = 0; count < times; count += 1) {
    const api_key = { id: uuid(61), api_key: 'secret', created_at: s.stamp(), last_updated_at: s.stamp() }
    s.send('listMyApiKeys', {}, { id: uuid(60), name: 'Tenant', api_keys: [api_key] }, change)
  }
}
const throttled = { as: 'throttled' }
const twice = (s: Story, first: string, second: string): void => {
  const thread = s.assistants().thread()
  s.add(thread, 'wizard', 'Hello', refused(first))
  s.add(thread, 'wizard', 'Hello', refused(second))
}
const ask = (code: string) => (s: Story, detail: unknown) =>
  void s.assistants().complete({}, { status: 400, body: error(code, detail) })
const runs = (code: string) => (s: Story, detail: unknown) => {
  const thread = s.assistants().thread({}, assistantIds.whole)
  s.add(thread, 'user', 'A question, please.')
  s.stream(thread, [], { status: 400, body: error(code, detail) })
}
const lists = (code: string) => (s: Story, detail: unknown) =>
  void s.assistants().list(uuid(99), { status: 404, body: error(code, detail) })
const creates = (code: string, content: string, role: string) => (s: Story, detail: unknown) => {
  const thread = s.assistants().thread()
  s.add(thread, role, content, {
    status: 400,
    body: error(code, detail),
    more: role === 'tool' ? { tool_call_id: 'x' } : {},
  })
}
const reads = (code: string) => (s: Story, detail: unknown) => keys(s, { status: 400, body: error(code, detail) })

/** Each code of the table with a string, and with a number, as its detail; being sent is judged, not why it was sent. */
const codes: readonly (readonly [Parameters<typeof keeps>[0], string, (s: Story, detail: unknown) => void])[] = [
  [
    'errors.code-assistant-not-available',
    'createChatCompletion',
    (s, detail) =>
      s
        .assistants()
        .complete({ assistant_id: uuid(77) }, { status: 403, body: error('assistant_not_available', detail) }),
  ],
  [
    'errors.code-resource-not-found',
    'createChatCompletion',
    (s, detail) =>
      s.assistants().complete({ assistant_id: uuid(77) }, { status: 404, body: error('resource_not_found', detail) }),
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
const provoking = { profile: { provoke: { api_timeout_error: { headers: { 'x-Provoke': 'timeout' } } } } }
const provoked = (s: Story, change: Change): void => {
  s.assistants().complete({}, { headers: [['x-provoke', 'timeout']], ...change })
}
const provocation = ['errors.code-api-timeout-error', 'createChatCompletion'] as const
const provokedCases: readonly OracleCase[] = [
  breaks(
    ...provocation,
    'a timeout that was asked for says so',
    (s) => provoked(s, { status: 504, text: '<h1>504</h1>' }),
    provoking,
  ),
  breaks(
    ...provocation,
    'its code is in no other field',
    (s) => provoked(s, { status: 504, body: { code: 'api_timeout_error', detail: 'x' } }),
    provoking,
  ),
  passesBy(
    ...provocation,
    'another error of the table may come first',
    (s) => provoked(s, { status: 429, body: error('rate_limit_gateway') }),
    provoking,
  ),
  passesBy(...provocation, 'a target on which nothing can be provoked answers', (s) => provoked(s, {}), provoking),
  passesBy(...provocation, 'a gateway answers what nobody asked for', (s) =>
    provoked(s, { status: 504, text: '<h1>504</h1>' }),
  ),
]

const codeCases: readonly OracleCase[] = codes.flatMap(([id, place, tell]) => [
  keeps(id, place, 'its detail is a string', (s) => tell(s, 'Any text at all')),
  breaks(id, place, 'its detail is a number', (s) => tell(s, 7)),
])

prove(errorsOracles, [
  keeps('errors.body-fields', 'createChatCompletion detail', 'code and detail', (s) => faulty(s, good)),
  breaks('errors.body-fields', 'createChatCompletion error_code', "the framework's own body", (s) =>
    faulty(s, { detail: [{ loc: [], msg: 'x', type: 'y' }] }),
  ),
  breaks('errors.body-fields', 'createChatCompletion detail', 'no detail', (s) =>
    faulty(s, { error_code: 'bad_request' }),
  ),
  breaks('errors.body-fields', 'listMessages error_code', 'a page of HTML', (s) =>
    s.assistants().list(uuid(99), { status: 404, text: '<h1>Not found</h1>' }),
  ),
  allows('errors.body-fields', '', 'a gateway that is down has a body of its own', (s) =>
    s.assistants().list(uuid(99), { status: 502, text: 'Bad gateway' }),
  ),
  allows('errors.body-fields', '', 'a text that is no JSON may fail before the service', (s) =>
    s.assistants().complete({}, { sends: '{"assistant_id":', status: 400, text: 'Malformed' }),
  ),
  passesBy(
    'errors.body-fields',
    'createMessage error_code',
    "a refusal that need not have been may be anybody's",
    (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'Hello')
      s.add(thread, 'system', 'Be kind.', { status: 400, body: { message: 'no' } })
    },
  ),
  passesBy('errors.body-fields', 'createChatCompletion error_code', 'without a key nobody looks at the rest', (s) =>
    s.assistants().complete({ user_id: 'ann' }, { as: null, status: 401, text: 'Who are you?' }),
  ),
  breaks('errors.detail-is-string', 'createChatCompletion', 'only a validation_error has field errors', (s) =>
    ask('rate_limit_gateway')(s, [{ loc: [], message: 'x', type: 'y' }]),
  ),
  keeps('errors.detail-is-string', 'listMessages', 'a string', (s) => unknown(s, error('thread_not_found'))),
  breaks('errors.detail-is-string', 'listMessages', 'an object', (s) =>
    unknown(s, error('thread_not_found', { text: 'gone' })),
  ),
  keeps('errors.validation-detail', 'createChatCompletion message', 'loc, message and type', (s) => faulty(s, good)),
  breaks('errors.validation-detail', 'createChatCompletion message', 'msg instead of message', (s) =>
    faulty(s, invalid({ message: undefined, msg: 'No UUID' })),
  ),
  breaks('errors.validation-detail', 'createChatCompletion array', 'a string', (s) =>
    faulty(s, error('validation_error', 'user_id is no UUID')),
  ),
  breaks('errors.validation-detail', 'createChatCompletion loc', 'a loc that is one string', (s) =>
    faulty(s, invalid({ loc: 'body.user_id' })),
  ),
  keeps('errors.validation-loc-segments', 'createChatCompletion', 'strings and indices', (s) => faulty(s, good)),
  breaks('errors.validation-loc-segments', 'createChatCompletion', 'an empty loc', (s) =>
    faulty(s, invalid({ loc: [] })),
  ),
  ...[
    ['body', 'messages', 0],
    ['body', 'my_body.part', 'a/path.b'],
  ].map((loc) =>
    keeps('errors.validation-loc-segments', 'createChatCompletion', `a path may be ${loc.join(' ')}`, (s) =>
      faulty(s, error('validation_error', [...(good.detail as Fields[]), { loc, message: 'Odd', type: 'odd' }])),
    ),
  ),
  ...[['body.user_id'], ['body', -1], ['body', 0.5], [null]].map((loc) =>
    breaks('errors.validation-loc-segments', 'createChatCompletion', `no path is ${JSON.stringify(loc)}`, (s) =>
      faulty(s, invalid({ loc })),
    ),
  ),
  breaks('errors.validation-body-my-keys', 'listMyApiKeys', 'no detail', (s) =>
    keys(s, { query: '?x=1', status: 400, body: { error_code: 'bad_request' } }),
  ),
  keeps('errors.validation-body-my-keys', 'listMyApiKeys', 'code and detail', (s) =>
    keys(s, { query: '?x=1', ...refused('bad_request') }),
  ),
  keeps('errors.code-bad-request', 'listMyApiKeys', 'a string', (s) =>
    keys(s, { query: '?x=1', ...refused('bad_request') }),
  ),
  keeps('errors.code-tenant-not-found', 'listMyApiKeys', 'a string', (s) =>
    keys(s, { query: '?x=1', ...refused('tenant_not_found') }),
  ),
  breaks('errors.validation-body-my-keys', 'listMyApiKeys', 'another body', (s) =>
    keys(s, { status: 400, body: { message: 'no' } }),
  ),
  breaks(
    'errors.validation-body-my-keys',
    'listMyApiKeys',
    'the gateway refuses a throttled key in its own words',
    (s) => keys(s, { ...throttled, status: 429, body: { message: 'slow down' } }),
  ),
  keeps('errors.rejection-repeatable', 'createMessage', 'twice the same code', (s) =>
    twice(s, 'bad_request', 'bad_request'),
  ),
  breaks('errors.rejection-repeatable', 'createMessage', 'another code the second time', (s) =>
    twice(s, 'bad_request', 'validation_error_of_mine'),
  ),
  keeps('errors.rate-limit', 'listMyApiKeys', 'the code of the table', (s) => {
    keys(s, throttled, 2)
    keys(s, { ...throttled, ...refused('rate_limit_gateway', 429) })
  }),
  breaks('errors.rate-limit', 'listMyApiKeys', 'another code', (s) =>
    keys(s, { ...throttled, status: 429, body: { message: 'slow down' } }),
  ),
  breaks('errors.rate-limit', 'listMyApiKeys', 'no limit at all', (s) => keys(s, throttled, 4)),
  breaks('errors.rate-limit', 'listMyApiKeys', 'as many as surely exceed the quota', (s) => keys(s, throttled, 3)),
  breaks('errors.rate-limit', 'listMyApiKeys', 'a bad request that is none', (s) =>
    keys(s, { ...throttled, ...refused('bad_request') }),
  ),
  passesBy('errors.rate-limit', 'listMyApiKeys', 'an unavailable service may have been the limit', (s) => {
    keys(s, throttled, 3)
    keys(s, { ...throttled, silent: true })
  }),
  passesBy('errors.rate-limit', 'listMyApiKeys', 'nobody knows the quota', (s) => keys(s, throttled, 4), {
    profile: { throttle: undefined },
  }),
  passesBy('errors.rate-limit', 'listMyApiKeys', 'below the quota nothing shows', (s) => keys(s, throttled, 2)),
  ...codeCases,
  ...provokedCases,
  keeps('errors.code-validation-error', 'createChatCompletion', 'an array of field errors', (s) => faulty(s, good)),
  breaks('errors.code-validation-error', 'createChatCompletion', 'a string', (s) =>
    faulty(s, error('validation_error', 'wrong')),
  ),
  ...[[], ['wrong'], [{}, 'wrong']].map((detail) =>
    breaks(
      'errors.code-validation-error',
      'createChatCompletion',
      `no field errors are ${JSON.stringify(detail)}`,
      (s) => faulty(s, error('validation_error', detail)),
    ),
  ),
  breaks('errors.code-bad-request', 'listMyApiKeys', 'an array', (s) => reads('bad_request')(s, [])),
  breaks('errors.code-tenant-not-found', 'listMyApiKeys', 'null', (s) => reads('tenant_not_found')(s, null)),
  allows('errors.detail-is-string', '', 'another text than that of the table', (s) =>
    unknown(s, error('thread_not_found', 'No such thread')),
  ),
  allows('errors.validation-detail', '', 'more fields in an entry', (s) =>
    faulty(s, fieldError(['body', 'user_id'], 'uuid_parsing')),
  ),
])
