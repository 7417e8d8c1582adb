/** Near misses of chapter completions: what is almost a violation, and what almost shows that a rule is kept. */

import { listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  inconclusive,
  notBlamed,
  noViolation,
  type OracleCase,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  errorBody,
  type Fields,
  ndjsonText,
  rejectedWith,
  timestampText,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const ask = (s: TraceBuilder, json: Fields, change: Change = {}): Fields => s.assistants().complete(json, change)
const down = rejectedWith('internal_service_error', 503)
const lettered = uuid(70).replace('8000', '8abc')
/** Two chunks of one answer, the second with other fields. */
const chunks = (s: TraceBuilder, thread: string, more: Fields = {}): string => {
  const [one, two] = s.chunks(s.answer(thread, 'one two'), ['one ', 'two'])
  return ndjsonText([one, { ...two, ...more }])
}

const formCases: readonly OracleCase[] = [
  ...Object.entries({
    'an empty body': '',
    'a page of HTML': '<html></html>',
    'a chunk and a word': '{"a":1}\nword\n',
    'one broken line': '{"a":\n',
  }).map(([what, text]) =>
    violates('completions.one-whole-answer', 'createChatCompletion', `${what} is no answer`, (s) =>
      ask(s, {}, { text }),
    ),
  ),
  unexercised('completions.one-whole-answer', 'createChatCompletion', 'a refusal is no answer', (s) =>
    ask(s, {}, down),
  ),
  unexercised('completions.carries-thread-id', 'createChatCompletion', 'a refusal names no thread', (s) =>
    ask(s, {}, down),
  ),
  violates(
    'completions.carries-thread-id',
    'streamChatCompletion',
    'the second chunk does not name the thread',
    (s) => {
      s.assistants()
      s.completeStream({}, { text: chunks(s, s.id(), { thread_id: undefined }) })
    },
  ),
  violates(
    'completions.carries-thread-id',
    'streamChatCompletionEvents',
    'no chunk of events names the thread',
    (s) => {
      s.assistants()
      const delta = { role: 'assistant', sources: [], content_blocks: [] }
      s.send('streamChatCompletionEvents', { json: s.body() }, null, {
        text: ndjsonText([{ created_at: s.stamp(), message_id: s.id(), delta }]),
      })
    },
  ),
  unexercised(
    'completions.carries-thread-id',
    'streamChatCompletion',
    'a stream that broke off before its first chunk',
    (s) => {
      s.assistants()
      s.completeStream({}, { text: '', ending: 'cut' })
    },
  ),
]

const threadCases: readonly OracleCase[] = [
  upholds('completions.continues-thread', 'createChatCompletion', 'the named thread goes on in capitals', (s) => {
    ask(s, {}, { with: { thread_id: lettered } })
    s.complete({}, { query: `?thread_id=${lettered}`, with: { thread_id: lettered.toUpperCase() } })
  }),
  unexercised(
    'completions.continues-thread',
    'createChatCompletion',
    'no thread is named, or nothing is answered',
    (s) => {
      const { thread_id } = ask(s, {})
      s.complete({}, { query: `?thread_id=${thread_id}`, ...down })
    },
  ),
  violates(
    'completions.user-id-is-uuid',
    'createChatCompletion',
    'a wrong request that is answered continues nothing',
    (s) => {
      const { thread_id } = ask(s, {})
      s.complete({ user_id: 'ann' }, { query: `?thread_id=${thread_id}` })
    },
  ),
  violates('streams.one-thread', 'streamChatCompletion', 'a stream of two threads continues neither', (s) => {
    const { thread_id } = ask(s, {})
    const text = chunks(s, s.id(), { thread_id: s.id() })
    s.completeStream({}, { query: `?thread_id=${thread_id}`, text })
  }),
  unexercised('completions.fresh-thread', 'createChatCompletion', 'one completion has one thread', (s) => ask(s, {})),
  unexercised('completions.fresh-thread', 'createChatCompletion', 'who names a thread gets no fresh one', (s) => {
    const { thread_id } = ask(s, {})
    s.complete({}, { query: `?thread_id=${thread_id}`, with: { thread_id } })
  }),
  violates('completions.fresh-thread', 'createChatCompletion', 'a stream shares the thread of a whole answer', (s) => {
    const { thread_id } = ask(s, {})
    const chunks = s.chunks(s.answer(String(thread_id), 'The answer.'), ['The ', 'answer.'])
    s.completeStream({}, { text: chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('') })
  }),
  violates('completions.fresh-thread', 'createChatCompletion', 'one thread in two spellings', (s) => {
    ask(s, {}, { with: { thread_id: lettered } })
    s.complete({}, { with: { thread_id: lettered.toUpperCase() } })
  }),
  violates('completions.carries-thread-id', 'createChatCompletion', 'two answers without a thread share none', (s) => {
    ask(s, {}, { with: { thread_id: undefined } })
    s.complete({}, { with: { thread_id: undefined } })
  }),
]

const without = { assistant_id: undefined }
const entryAt = (loc: readonly (string | number)[]): Fields => ({ loc, message: 'Field required', type: 'missing' })
const invalid = (...locs: readonly (readonly (string | number)[])[]): Change => ({
  status: 422,
  body: errorBody('validation_error', locs.map(entryAt)),
})
const twoFaults = { assistant_id: undefined, messages: undefined }
const emptyMessage = { assistant_id: undefined, messages: [{}, { role: 'user', content: 'Hello' }] }
const user = { role: 'user', content: 'Hello' }
const twoEmptyMessages = { messages: [{ role: 'user' }, user, { role: 'user' }, user] }
const among = 'completions.missing-assistant-id-among-others'
const missing = 'completions.missing-assistant-id-error'
const names = 'completions.validation-error-names-field'

const errorCases: readonly OracleCase[] = [
  ...[[['body', 'messages']], [['query', 'assistant_id']], [], [['a'], ['b'], ['c'], ['d']], [['x'.repeat(200)]]].map(
    (locs) =>
      violates(
        missing,
        'createChatCompletion loc',
        `no entry is at assistant_id: ${JSON.stringify(locs).slice(0, 40)}`,
        (s) => ask(s, without, invalid(...locs)),
      ),
  ),
  upholds(missing, 'streamChatCompletion loc', 'one of the entries is at assistant_id', (s) => {
    s.assistants()
    s.completeStream(without, invalid(['body', 'assistant_id'], ['body', 'assistant_id', 'str']))
  }),
  inconclusive(missing, 'createChatCompletion loc', 'a field that is not shown may be told in its place', (s) =>
    ask(s, { ...without, ASSISTANT_ID: uuid(1) }, invalid(['body', 'ASSISTANT_ID'])),
  ),
  upholds(among, 'createChatCompletion', 'of two entries the second is at assistant_id', (s) =>
    ask(s, twoFaults, invalid(['body', 'messages'], ['body', 'assistant_id'])),
  ),
  violates(among, 'createChatCompletion', 'of two faults only the other is told', (s) =>
    ask(s, twoFaults, invalid(['body', 'messages'])),
  ),
  inconclusive(among, 'createChatCompletion', 'another code may be meant for the other fault', (s) =>
    ask(s, twoFaults, rejectedWith('bad_request')),
  ),
  inconclusive(among, 'createChatCompletion', 'a loc that names no field may be meant for any', (s) =>
    ask(s, twoFaults, invalid(['body', 'data'])),
  ),
  unexercised(among, 'createChatCompletion', 'one fault, two others, or an answer', (s) => {
    ask(s, without, invalid(['body', 'assistant_id']))
    s.complete({ user_id: 'ann', messages: [] }, invalid(['body', 'messages']))
  }),
  inconclusive('completions.assistant-id-required', 'createChatCompletion', 'silence says nothing', (s) =>
    ask(s, without, { silent: true }),
  ),
  ...[['user_id'], ['body', 'user_id', 'uuid'], ['body']].map((loc) =>
    upholds(names, 'createChatCompletion', `the field, around it or in it: ${loc.join(' ')}`, (s) =>
      ask(s, { user_id: 'ann' }, invalid(loc)),
    ),
  ),
  ...[
    [
      ['body', 'messages'],
      ['body', 'user_id'],
    ],
    [[]],
    [],
  ].map((locs) =>
    violates(names, 'createChatCompletion', `the first entry points elsewhere: ${JSON.stringify(locs)}`, (s) =>
      ask(s, { user_id: 'ann' }, invalid(...locs)),
    ),
  ),
  violates(names, 'createChatCompletion', 'of three missing fields one is told inside of another', (s) =>
    ask(s, emptyMessage, invalid(['body', 'messages', 0, 'content'], ['body', 'messages', 0, 'content', 'role'])),
  ),
  violates(names, 'createChatCompletion', 'the path to a message leads through assistant_id', (s) =>
    ask(s, emptyMessage, invalid(['body', 'assistant_id'], ['body', 'assistant_id', 'messages', 0, 'role'])),
  ),
  violates(names, 'createChatCompletion', 'of two wrong messages the second is told at the place of a right one', (s) =>
    ask(s, twoEmptyMessages, invalid(['body', 'messages', 0, 'content'], ['body', 'messages', 1, 'content'])),
  ),
  unexercised(
    names,
    'createChatCompletion',
    'of two wrong messages both are told at their places, or the list is',
    (s) => {
      ask(s, twoEmptyMessages, invalid(['body', 'messages', 0, 'content'], ['body', 'messages', 2, 'content']))
      s.complete(twoEmptyMessages, invalid(['body', 'messages']))
    },
  ),
  unexercised(names, 'createChatCompletion', 'a body that is missing beside its key may be told field by field', (s) =>
    ask(s, {}, { sends: '', as: null, ...invalid(['body', 'assistant_id']) }),
  ),
  unexercised(names, 'createChatCompletion', 'what a validator adds to a path is no field of the body', (s) =>
    ask(s, emptyMessage, invalid(['body', 'messages', 0, 'content', 'str'], ['body', 'assistant_id', 'uuid'])),
  ),
  unexercised(names, 'createChatCompletion', 'two faults, silence, or a fault that is not of the body', (s) => {
    ask(s, { user_id: 'ann', messages: [] }, rejectedWith('bad_request'))
    s.complete({ user_id: 'ann' }, { silent: true })
    s.complete({ assistant_id: uuid(77) }, rejectedWith('resource_not_found', 404))
  }),
  inconclusive(names, 'createChatCompletion', 'beside a field that is not shown the fault may be that field', (s) =>
    ask(s, { user_id: 'ann', temperature: 1 }, rejectedWith('bad_request')),
  ),
  inconclusive(names, 'createChatCompletion', 'the code for an unknown role is not shown', (s) =>
    ask(s, { messages: [{ role: 'wizard', content: 'Hello' }] }, rejectedWith('bad_request')),
  ),
  ...['assistant_not_available', 'resource_not_found'].map((code) =>
    violates(names, 'createChatCompletion', `${code} tells of no wrong user_id`, (s) =>
      ask(s, { user_id: 'ann' }, rejectedWith(code)),
    ),
  ),
  inconclusive(
    'completions.unknown-assistant-error',
    'createChatCompletion',
    'a UUID of no version may be malformed',
    (s) => ask(s, { assistant_id: '00000000-0000-0000-0000-000000000077' }, invalid(['body', 'assistant_id'])),
  ),
  violates('completions.unknown-assistant-error', 'createChatCompletion', 'a good UUID is called malformed', (s) =>
    ask(s, { assistant_id: uuid(77) }, invalid(['body', 'assistant_id'])),
  ),
  violates('completions.unknown-assistant-refused', 'createChatCompletion', 'an answer has no code to be wrong', (s) =>
    ask(s, { assistant_id: uuid(77) }),
  ),
]

const holds = 'completions.thread-holds-conversation'
/** A completion, and what a list of its thread is asked for and shows. */
const listed = (s: TraceBuilder, show: (answer: Fields, sent: Fields) => Change, json: Fields = {}): void => {
  const answer = ask(s, json)
  const { thread_id } = answer
  const sent = { id: s.id(), thread_id, role: 'user', content: 'A question, please.', created_at: timestampText(1) }
  s.list(String(thread_id), show(answer, sent))
}

const conversationCases: readonly OracleCase[] = [
  noViolation(holds, '', 'a walk that is not finished may still come to the answer', (s) =>
    listed(s, (_, sent) => ({ query: '?limit=1', ...listShowing([sent], 'more') })),
  ),
  violates(holds, 'createChatCompletion answer', 'the second page ends without the answer', (s) => {
    listed(s, (_, sent) => ({ query: '?limit=1', ...listShowing([sent], 'more') }))
    const { url } = s.last.request
    s.list(url.split('/').at(-2) ?? '', { query: '?limit=1&cursor=more', ...listShowing([]) })
  }),
  violates(
    holds,
    'createChatCompletion answer',
    'the newest page has room, shows the question and not the answer',
    (s) =>
      listed(s, (_, sent) => listShowing([sent], 'more'), {
        messages: [{ role: 'user', content: 'A question, please.' }],
      }),
  ),
  unexercised(holds, 'createChatCompletion answer', 'the newest page shows something else and a cursor', (s) =>
    listed(s, (_, sent) => listShowing([{ ...sent, content: 'Something else.' }], 'more')),
  ),
  violates('resources.message-fields', 'listMessages content', 'the question without its content is not lost', (s) =>
    listed(s, (answer, sent) => listShowing([answer, { ...sent, content: undefined }])),
  ),
  violates('resources.message-role-known', 'listMessages', 'the question of an unknown role is not lost', (s) =>
    listed(s, (answer, sent) => listShowing([answer, { ...sent, role: 'wizard' }])),
  ),
  violates(holds, 'createChatCompletion answer', 'the thread of an answer cannot be listed', (s) =>
    listed(s, () => rejectedWith('thread_not_found', 404)),
  ),
  unexercised(holds, 'createChatCompletion answer', 'a wrong list may be refused', (s) =>
    listed(s, () => ({ query: '?limit=many', ...rejectedWith('bad_request') })),
  ),
  unexercised(holds, 'createChatCompletion answer', 'nothing was listed, or it was listed before', (s) => ask(s, {})),
  noViolation(holds, '', 'a thread need not list what was sent', (s) => listed(s, (answer) => listShowing([answer]))),
  unexercised(holds, 'createChatCompletion answer', 'a thread that goes on is held by its first completion', (s) => {
    const thread_id = uuid(70)
    s.assistants()
    s.complete({}, { query: `?thread_id=${thread_id}`, ...rejectedWith('resource_not_found', 404) })
  }),
  violates(
    'completions.user-id-is-uuid',
    'createChatCompletion',
    'what comes of a wrong request is nobody\u2019s rule',
    (s) => listed(s, () => listShowing([]), { user_id: 'ann' }),
  ),
  upholds(holds, 'streamChatCompletion answer', 'a streamed answer is found by its id', (s) => {
    s.assistants()
    const [first] = s.completeStream()
    const thread_id = String(first?.thread_id)
    const sent = { id: s.id(), thread_id, role: 'user', content: 'A question, please.', created_at: timestampText(1) }
    s.list(thread_id, listShowing([{ ...s.answer(thread_id, 'The answer.'), id: first?.message_id }, sent]))
  }),
  violates(holds, 'createChatCompletion answer', 'an answer is listed under another id', (s) =>
    listed(s, (answer, sent) => listShowing([{ ...answer, id: s.id() }, sent])),
  ),
  violates(holds, 'createChatCompletion answer', 'an answer is listed with another created_at', (s) =>
    listed(s, (answer, sent) => listShowing([{ ...answer, created_at: timestampText(7) }, sent])),
  ),
  violates('resources.timestamp-format', 'listMessages created_at', 'a malformed created_at is not another one', (s) =>
    listed(s, (answer, sent) => listShowing([{ ...answer, created_at: 'today' }, sent])),
  ),
  violates(holds, 'createChatCompletion answer', 'so is one that goes on in its thread', (s) => {
    const { thread_id } = ask(s, {})
    const next = s.complete({}, { query: `?thread_id=${thread_id}`, with: { thread_id, content: 'It goes on.' } })
    s.list(String(thread_id), listShowing([{ ...next, id: s.id() }]))
  }),
  violates(holds, 'createChatCompletion answer', 'a thread that goes on does not list the later answer', (s) => {
    const { thread_id, ...first } = ask(s, {})
    s.complete({}, { query: `?thread_id=${thread_id}`, with: { thread_id, content: 'It goes on.' } })
    s.list(String(thread_id), listShowing([{ thread_id, ...first }]))
  }),
  noViolation(holds, '', 'a thread that no completion made need not list an answer given there', (s) => {
    const thread_id = s.assistants().thread()
    s.complete({}, { query: `?thread_id=${thread_id}`, with: { thread_id, content: 'It goes on.' } })
    s.list(thread_id, listShowing([]))
  }),
]

const anywhere = 'completions.user-message-anywhere'
const asking = (...roles: string[]) => ({ messages: roles.map((role) => ({ role, content: 'Which one?' })) })
const behindQuestion = asking('user', 'assistant')
const systemLast = asking('user', 'system')
const history = asking('user', 'assistant', 'user')
const unknownThread = uuid(97)
const namesUnknown = (s: TraceBuilder, thread_id: string, change: Change = {}): Fields =>
  ask(s, {}, { query: `?thread_id=${unknownThread}`, with: { thread_id }, ...change })
const notReplaced = 'completions.unknown-thread-not-replaced'

const orderCases: readonly OracleCase[] = [
  violates(notReplaced, 'createChatCompletion', 'a thread that nobody made is answered in another one', (s) =>
    namesUnknown(s, uuid(96)),
  ),
  upholds(notReplaced, 'createChatCompletion', 'a thread that nobody made is made', (s) =>
    namesUnknown(s, unknownThread),
  ),
  upholds(notReplaced, 'createChatCompletion', 'a thread that nobody made is not found', (s) =>
    namesUnknown(s, unknownThread, rejectedWith('resource_not_found', 404)),
  ),
  notBlamed('completions.continues-thread', '', 'an unknown thread', (s) => namesUnknown(s, uuid(96))),
  upholds(anywhere, 'createChatCompletion', 'a message of the assistant stands behind the question', (s) =>
    ask(s, behindQuestion),
  ),
  violates(anywhere, 'createChatCompletion', 'the last message has to be the question', (s) => {
    ask(s, history)
    for (const body of [behindQuestion, systemLast]) s.complete(body, invalid(['body', 'messages']))
  }),
  inconclusive(anywhere, 'createChatCompletion', 'a model may take no message of an assistant at the end', (s) => {
    ask(s, history)
    s.complete(behindQuestion, invalid(['body', 'messages']))
  }),
  upholds(anywhere, 'createChatCompletion', 'a message of the system stands behind the question', (s) => {
    ask(s, history)
    s.complete(behindQuestion, invalid(['body', 'messages']))
    s.complete(systemLast)
  }),
  inconclusive(anywhere, 'createChatCompletion', 'nothing is answered', (s) =>
    ask(s, systemLast, invalid(['body', 'messages'])),
  ),
  notBlamed(anywhere, 'createChatCompletion', 'a usual completion is refused in the same way', (s) => {
    ask(s, history)
    s.complete({}, invalid(['body', 'messages']))
    s.complete(behindQuestion, invalid(['body', 'messages']))
  }),
  inconclusive(anywhere, 'createChatCompletion', 'the service is down', (s) => {
    ask(s, history)
    s.complete(behindQuestion, down)
  }),
  unexercised(anywhere, 'createChatCompletion', 'the question is the last message', (s) => ask(s, {})),
  unexercised(anywhere, 'createChatCompletion', 'a message is empty as well', (s) =>
    ask(s, { messages: [...behindQuestion.messages, { role: 'assistant', content: ' ' }] }),
  ),
]

/** Cases of all the requirements of the chapter, and of others that a completion may break beside them. */
export const completionCases: readonly OracleCase[] = [
  ...formCases,
  ...threadCases,
  ...errorCases,
  ...conversationCases,
  ...orderCases,
]
