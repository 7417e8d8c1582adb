/** The class of a request follows from its bytes and from what came before, never from its intent. */
import { expect, test } from 'vitest'
import {
  assistant,
  assistantIds,
  type Fields,
  rejectedWith,
  sampleProfile,
  uuid,
} from '../../../test/trace-builder/sample-data.ts'
import { TraceBuilder, type TraceBuilderOptions } from '../../../test/trace-builder/trace-builder.ts'
import { interruptedRun, stoppedRun } from '../../trace/exchange.ts'
import { analyzeTrace } from '../trace-analysis.ts'

/** The class of the last request of a story: `valid`, or what is wrong, or what is open in brackets. */
const classOf = (tell: (trace: TraceBuilder) => unknown, options: TraceBuilderOptions = {}): string => {
  const trace = new TraceBuilder(options)
  tell(trace)
  const analysis = analyzeTrace(trace.trace())
  const last = analysis.parsedExchanges.at(-1)
  if (last === undefined) return 'nothing'
  const { validity, faults, ambiguities } = analysis.requestOf(last)
  if (validity === 'valid') return 'valid'
  return validity === 'invalid'
    ? faults.map(({ rule }) => rule).join(' ')
    : `(${ambiguities.map(({ about }) => about).join('; ')})`
}
const asked = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const demanding = assistant(assistantIds.plain, true, { request_required_fields: { __root__: ['region'] } })
const askedDemanding = (s: TraceBuilder): string => {
  const thread = s.assistants([demanding]).thread()
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const ask = (json: Fields) => (s: TraceBuilder) => s.assistants().complete(json)
const lettered = 'abcdefab-cdef-4abc-8def-abcdefabcdef'
const user = { role: 'user', content: 'Hello' }
const history = [user, { role: 'assistant', content: 'Good day' }, user]
const tooMany = {
  status: 422,
  body: { error_code: 'validation_error', detail: [{ loc: ['body', 'messages'], message: 'x', type: 'too_long' }] },
}

const busy = rejectedWith('bad_request', 409)
/** A thread whose streamed run lost its client, and the message that it answered. */
const leftRun = (s: TraceBuilder): string => {
  const thread = asked(s)
  s.stream(thread, ['The ', 'answer.'], { ending: 'aborted' })
  return thread
}
const addedBehind = (s: TraceBuilder, thread: string) => s.add(thread, 'user', 'One more.', busy)
/** An accepted message that asks for a call, and whose answer shows none; the calls of a run are answered. */
const posted = (s: TraceBuilder): string => {
  const thread = asked(s)
  s.run(thread, 'Let me see.', { more: { tool_calls: [{ id: 'own' }] } })
  s.add(thread, 'tool', 'Rain.', { more: { tool_call_id: 'own' } })
  const content = 'Let me look.'
  const body = { id: s.id(), thread_id: thread, role: 'assistant', content, created_at: s.stamp() }
  s.add(thread, 'assistant', content, { more: { tool_calls: [{ id: 'a' }] }, body })
  return thread
}
const unmatched = rejectedWith('tool_message_has_no_matching_tool_call')
const resultBehind = (s: TraceBuilder, thread: string) =>
  s.add(thread, 'tool', 'Rain.', { more: { tool_call_id: 'a' }, ...unmatched })

test.each<[string, string, (s: TraceBuilder) => unknown, TraceBuilderOptions?]>([
  [
    'a refused message behind a run that may go on',
    '(a request while a run of its thread may be under way)',
    (s) => addedBehind(s, leftRun(s)),
  ],
  [
    'a message that finds no thread behind a run that may go on',
    'valid',
    (s) => s.add(leftRun(s), 'user', 'One more.', rejectedWith('thread_not_found')),
  ],
  [
    'a refused run behind a run that may go on',
    '(a request while a run of its thread may be under way)',
    (s) => s.run(leftRun(s), '', busy),
  ],
  [
    'a refused message behind a run whose answer is listed',
    'valid',
    (s) => {
      const thread = asked(s)
      const [first = {}] = s.stream(thread, ['The ', 'answer.'], { ending: 'aborted' })
      s.keep(thread, { ...s.answer(thread, 'The answer.'), id: first.message_id })
      s.list(thread)
      addedBehind(s, thread)
    },
  ],
  [
    'a refused message long after a run that lost its client',
    'valid',
    (s) => {
      s.complete({})
      const thread = asked(s)
      s.stream(thread, ['The ', 'answer.'], { ending: 'aborted', at: [5000, 5010] })
      s.add(thread, 'user', 'One more.', { ...busy, at: [9000, 9010] })
    },
  ],
  ['an accepted message behind a run that may go on', 'valid', (s) => s.add(leftRun(s), 'user', 'One more.')],
  [
    'a refused message with calls, where none was taken',
    '(a message with calls that the target may not take)',
    (s) => s.add(asked(s), 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'a' }] }, ...unmatched }),
  ],
  [
    'a refused message with calls, where another one was taken',
    'valid',
    (s) => {
      const more = { tool_calls: [{ id: 'a' }] }
      s.add(asked(s), 'assistant', 'Let me look.', { more })
      s.add(asked(s), 'assistant', 'Let me look.', { more, ...unmatched })
    },
  ],
  [
    'a result for a call that no answer shows',
    '(a tool message for a call that the target may not read)',
    (s) => resultBehind(s, posted(s)),
  ],
  [
    'a result for such a call, where another one was taken',
    'valid',
    (s) => {
      const thread = posted(s)
      s.add(thread, 'tool', 'Rain.', { more: { tool_call_id: 'a' } })
      resultBehind(s, posted(s))
    },
  ],
  ['a legal completion', 'valid', ask({})],
  ['a body with two faults', 'assistant_id-missing user_id-not-uuid', ask({ assistant_id: undefined, user_id: 'ann' })],
  ['a body that is an array', 'body-not-object', (s) => s.assistants().complete({}, { sends: '[]' })],
  ['a body that is cut', 'body-not-json', (s) => s.assistants().complete({}, { sends: '{"a":' })],
  ['no body', 'body-missing', (s) => s.assistants().complete({}, { sends: '' })],
  [
    'a refused completion with an assistant message, where none was taken',
    '(a completion with an assistant message that the target may not take)',
    (s) => s.assistants().complete({ messages: history }, rejectedWith('validation_error')),
  ],
  [
    'a refused completion with an assistant message, where another one was taken',
    'valid',
    (s) => {
      s.assistants().complete({ messages: history })
      s.complete({ messages: history }, rejectedWith('validation_error'))
    },
  ],
  ...([true, false] as const).map((isAsked): [string, string, (s: TraceBuilder) => unknown] => [
    `a refused completion in a thread whose answer ${isAsked ? 'asks for a tool' : 'asks for none'}`,
    isAsked ? '(a thread that may hold open tool calls)' : 'valid',
    (s) => {
      const { thread_id } = s.assistants().complete({}, { with: isAsked ? { tool_calls: [{ id: 'own' }] } : {} })
      s.complete({}, { query: `?thread_id=${thread_id}`, ...rejectedWith('validation_error') })
    },
  ]),
  ...(
    [
      ['accepted', 'died', interruptedRun],
      ['rejected', 'died', interruptedRun],
      ['rejected', 'was stopped', stoppedRun],
    ] as const
  ).map(([expects, end, failure]): [string, string, (s: TraceBuilder) => unknown] => [
    `a refused completion behind one that had to be ${expects} and was lost when the run ${end}`,
    expects === 'accepted' ? '(a thread that may hold open tool calls)' : 'valid',
    (s) => {
      const { thread_id } = s.assistants().complete()
      const query = `?thread_id=${thread_id}`
      const intent = { probe: 'p', operation: 'createChatCompletion', purpose: 'x', expects } as const
      s.complete({}, { query, silent: true, ending: 'aborted', failure, intent })
      s.complete({}, { query, ...rejectedWith('validation_error') })
    },
  ]),
  ...(['user-id', 'user_id', 'userid'] as const).map((name): [string, string, (s: TraceBuilder) => unknown] => [
    `a grant for a user in the header ${name}`,
    { 'user-id': 'valid', user_id: '(a header name with an underscore)', userid: 'user-id-missing' }[name],
    (s) => s.send('createUploadGrant', {}, {}, { query: '?filename=a.csv', headers: [[name, 'ann']] }),
  ]),
  ['an entry without a role', 'role-missing', ask({ messages: [user, { content: 'x' }] })],
  ['a role with a capital', '(a role in another spelling)', ask({ messages: [{ role: 'User', content: 'x' }, user] })],
  ['messages of an assistant alone', 'messages-without-user', ask({ messages: [{ role: 'assistant', content: 'x' }] })],
  [
    'a key in another place',
    '(a key in another place than its header)',
    (s) => s.assistants(undefined, { as: null, headers: [['authorization', 'Bearer a']] }),
  ],
  [
    'an assistant in capital letters',
    '(another spelling of a UUID)',
    (s) => s.assistants([assistant(lettered)]).complete({ assistant_id: lettered.toUpperCase() }),
  ],
  [
    'an assistant in the capital letters of its record',
    'valid',
    (s) => s.assistants([assistant(lettered.toUpperCase())]).complete({ assistant_id: lettered.toUpperCase() }),
  ],
  [
    'a path in capitals',
    '(another spelling of the path)',
    (s) => s.assistants().complete({}, { path: '/V1/Chat/Completions' }),
  ],
  ['an unknown assistant', 'assistant-unknown', ask({ assistant_id: uuid(77) })],
  ['an assistant before any list', '(an assistant of which no list was seen)', (s) => s.complete()],
  [
    'a field that the assistant requires',
    'required-root-field',
    (s) =>
      s
        .assistants([assistant(assistantIds.plain, true, { request_required_fields: { __root__: ['region'] } })])
        .complete(),
  ],
  ['a message to a fresh thread', 'valid', (s) => s.add(s.assistants().thread(), 'user', 'Hello')],
  [
    'a message while a call is open',
    '(a message while a tool call is open)',
    (s) => {
      const thread = asked(s)
      s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'a' }] } })
      s.add(thread, 'user', 'Hurry up.')
    },
  ],
  ['a run behind a question', 'valid', (s) => s.run(asked(s))],
  [
    'a refused run of an assistant that requires fields of completions',
    '(a run of an assistant that requires fields)',
    (s) => s.run(askedDemanding(s), '', rejectedWith('validation_error')),
  ],
  [
    'a refused run of an assistant that was run without those fields',
    'thread-without-user',
    (s) => {
      s.run(askedDemanding(s))
      s.run(s.thread(), '', rejectedWith('validation_error'))
    },
  ],
  ['a run of an empty thread', 'thread-without-user', (s) => s.run(s.assistants().thread())],
  [
    'a run behind a question that was refused',
    'thread-without-user',
    (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'Hello', rejectedWith('bad_request'))
      s.run(thread)
    },
  ],
  [
    'a run behind a question that was lost',
    '(a thread that may hold no user message)',
    (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'Hello', { silent: true })
      s.run(thread)
    },
  ],
  [
    'a run behind an open call',
    'calls-unanswered',
    (s) => {
      const thread = asked(s)
      s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'a' }] } })
      s.run(thread)
    },
  ],
  [
    'a streamed run behind an answer that a list shows',
    'thread-ends-on-assistant',
    (s) => {
      const thread = asked(s)
      s.run(thread)
      s.list(thread)
      s.stream(thread)
    },
  ],
  [
    'a streamed run behind an answer that no list shows',
    '(a streamed run after an answer that no list shows)',
    (s) => {
      const thread = asked(s)
      s.run(thread)
      s.stream(thread)
    },
  ],
  ...(['user', 'system'] as const).map((role): [string, string, (s: TraceBuilder) => unknown] => [
    `a streamed run while a ${role} message is added`,
    role === 'user' ? 'valid' : '(a thread of which the end is not sure)',
    (s) => {
      const thread = asked(s)
      s.add(thread, role, 'Meanwhile.', { at: [90_000, 90_020] })
      s.stream(thread, undefined, { at: [90_010, 90_030] })
    },
  ]),
  [
    'a whole run behind an answer',
    'valid',
    (s) => {
      const thread = asked(s)
      s.run(thread)
      s.run(thread)
    },
  ],
  ...([true, false] as const).map((isListed): [string, string, (s: TraceBuilder) => unknown] => [
    `a whole run that is refused for streaming by an assistant ${isListed ? 'that does not stream' : 'of no record'}`,
    isListed ? 'valid' : '(a whole run of an assistant that may not stream)',
    (s) => {
      const listed = isListed ? s.assistants() : s.assistants([assistant(assistantIds.plain)])
      const thread = listed.thread({}, assistantIds.whole)
      s.add(thread, 'user', 'Hello')
      s.run(thread, '', rejectedWith('engine_does_not_support_streaming'))
    },
  ]),
  [
    'a streamed run by another tenant, of a thread whose assistant is not listed for that one',
    'thread-foreign',
    (s) => {
      const thread = s
        .assistants([assistant(assistantIds.whole)], { as: 'secondary' })
        .assistants()
        .thread()
      s.add(thread, 'user', 'Hello')
      s.stream(thread, [], { as: 'secondary', ...rejectedWith('thread_not_found') })
    },
  ],
  [
    'a run that names an assistant of another tenant',
    '(a run with an assistant that is not listed for the tenant)',
    (s) => {
      s.assistants([assistant(assistantIds.foreign)], { as: 'secondary' })
      s.send('runThread', { in: { thread_id: asked(s) }, json: { assistant_id: assistantIds.foreign } }, {})
    },
    { profile: { ...sampleProfile, runBody: { assistant_id: '{{assistant_id}}' } } },
  ],
  ['a list by another tenant', 'thread-foreign', (s) => s.list(asked(s), { as: 'secondary' })],
  [
    'a cursor that nobody handed out',
    '(a cursor that this thread did not hand out)',
    (s) => s.list(asked(s), { query: '?cursor=zzz' }),
  ],
  [
    'nine messages, where the refusal is about their list',
    '(many messages in one request)',
    (s) => s.assistants().complete({ messages: Array(9).fill(user) }, tooMany),
  ],
  ['nine messages that are taken', 'valid', ask({ messages: Array(9).fill(user) })],
  ['a limit of a word', 'limit-not-integer', (s) => s.list(asked(s), { query: '?limit=many' })],
  ['a repeated limit', '(a repeated query parameter)', (s) => s.list(asked(s), { query: '?limit=1&limit=2' })],
])('%s: %s', (_, expected, tell, options) => expect(classOf(tell, options)).toBe(expected))

test('intent does not change what the bytes are', () => {
  const intent = { probe: 'p', operation: 'createChatCompletion', purpose: 'valid', expects: 'either' } as const
  expect(classOf((s) => s.assistants().complete({ user_id: 'ann' }, { intent }))).toBe('user_id-not-uuid')
})

test('a thread from before a recording weakens what follows, and condemns nobody', () => {
  const options = { source: 'har' } as const
  expect(classOf((s) => s.list(uuid(99)), options)).toBe('(a thread of which the beginning was not seen)')
  expect(classOf((s) => s.run(asked(s)), options)).toMatch(/^\(/)
})

test('threads of a command are those that not every request expected to be unknown', () => {
  const options = { profile: { threads: { kind: 'command', command: [] } } }
  const meant = (expects: 'accepted' | 'rejected') =>
    ({ intent: { probe: 'p', operation: 'listMessages', purpose: 'x', expects } }) as const
  expect(classOf((s) => s.list(uuid(99), meant('rejected')), options)).toBe('thread-unknown')
  expect(classOf((s) => s.list(uuid(98), meant('accepted')), options)).toBe('valid')
  const missing = { ...meant('accepted'), ...rejectedWith('thread_not_found') }
  expect(classOf((s) => s.list(uuid(98), missing), options)).toBe('(a thread that a command may only have named)')
  expect(classOf((s) => s.add(uuid(98), 'user', 'Hello', meant('accepted')), options)).toBe('valid')
})

test('a request that asks for an error in the way that the profile tells may get it', () => {
  const headers = { 'X-Fault': 'bad_request' }
  const options = { profile: { provoke: { bad_request: { headers } } } }
  const asking = (value: string) => classOf((s) => s.assistants(undefined, { headers: [['x-fault', value]] }), options)
  expect(asking('bad_request')).toBe('(a request that provokes an error)')
  expect(asking('none')).toBe('valid')
})
