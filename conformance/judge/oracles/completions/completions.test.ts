/** Proof of the oracles of chapter completions. */

import { listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  inconclusive,
  notBlamed,
  noViolation,
  proveOracles,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  assistant,
  assistantIds,
  type Fields,
  fieldError,
  ndjsonText,
  rejectedWith,
  timestampText,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { completionCases } from './completions.cases.ts'
import { completionsOracles } from './completions.ts'

const refusedAt = (...loc: readonly (string | number)[]): Change => ({
  status: 422,
  body: fieldError(['body', ...loc]),
})
const no: Change = refusedAt('messages')
/** A completion of the listed assistant with these fields. */
const ask = (s: TraceBuilder, json: Fields, change: Change = {}): Fields => {
  s.assistants()
  return s.complete(json, change)
}
/** The same after a completion that is right in everything and accepted. */
const askAgain = (s: TraceBuilder, json: Fields, change: Change): Fields => {
  ask(s, {})
  return s.complete(json, change)
}
const messages = (...roles: readonly string[]): Fields => ({
  messages: roles.map((role) => ({ role, content: 'Some text.' })),
})
const entry = (message: unknown): Fields => ({ messages: [message, { role: 'user', content: 'Some text.' }] })
const without = { assistant_id: undefined }
const unknown = { assistant_id: uuid(77) }
const lettered = uuid(70).replace('8000', '8abc')
const requiring = (s: TraceBuilder): TraceBuilder =>
  s.assistants([
    assistant(assistantIds.plain, true, {
      request_required_fields: { __root__: ['user_data'], user_data: ['licence'] },
    }),
  ])
/** A completion, and the list of its thread with these items. */
const conversation = (s: TraceBuilder, items: (sent: Fields, answer: Fields) => readonly Fields[]): void => {
  const answer = ask(s, {})
  const sent = {
    id: s.id(),
    thread_id: answer.thread_id,
    role: 'user',
    content: 'A question, please.',
    created_at: timestampText(1),
  }
  s.list(String(answer.thread_id), { body: { cursor: null, items: items(sent, answer) } })
}

proveOracles(completionsOracles, [
  upholds('completions.one-whole-answer', 'createChatCompletion', 'one object is one answer', (s) => ask(s, {})),
  violates('completions.one-whole-answer', 'createChatCompletion', 'the plain form streams', (s) =>
    ask(s, {}, { text: '{"delta":{}}\n{"delta":{}}\n' }),
  ),
  violates('completions.one-whole-answer', 'createChatCompletion', 'an array of one is no answer', (s) =>
    ask(s, {}, { body: [{}] }),
  ),
  violates('completions.one-whole-answer', 'createChatCompletion', 'a message among choices is no message', (s) =>
    ask(s, {}, { body: { choices: [{ index: 0 }] } }),
  ),
  upholds('completions.carries-thread-id', 'createChatCompletion', 'the answer names its thread', (s) => ask(s, {})),
  violates('completions.carries-thread-id', 'createChatCompletion', 'the answer does not name its thread', (s) =>
    ask(s, {}, { with: { thread_id: undefined } }),
  ),
  upholds('completions.assistant-id-required', 'createChatCompletion', 'without assistant_id it is refused', (s) =>
    askAgain(s, without, refusedAt('assistant_id')),
  ),
  violates(
    'completions.assistant-id-required',
    'createChatCompletion',
    'without assistant_id some assistant answers',
    (s) => ask(s, without),
  ),
  inconclusive('completions.assistant-id-required', 'createChatCompletion', 'over the rate limit nothing shows', (s) =>
    ask(s, without, rejectedWith('rate_limit_gateway', 429)),
  ),
  upholds(
    'completions.missing-assistant-id-error',
    'createChatCompletion type',
    'the error names the field and says that it is missing',
    (s) => ask(s, without, refusedAt('assistant_id')),
  ),
  violates('completions.missing-assistant-id-error', 'createChatCompletion error_code', 'another code', (s) =>
    ask(s, without, rejectedWith('bad_request')),
  ),
  violates(
    'completions.missing-assistant-id-error',
    'createChatCompletion loc',
    'a loc that leaves out the body',
    (s) => ask(s, without, { body: fieldError(['assistant_id']) }),
  ),
  violates(
    'completions.missing-assistant-id-error',
    'createChatCompletion type',
    'a type that tells of a wrong value',
    (s) => ask(s, without, { body: fieldError(['body', 'assistant_id'], 'value_error') }),
  ),
  noViolation('completions.missing-assistant-id-error', '', 'other words for missing', (s) =>
    ask(s, without, { body: fieldError(['body', 'assistant_id'], 'value_error.missing') }),
  ),
  inconclusive('completions.missing-assistant-id-error', 'createChatCompletion type', 'a word that nobody knows', (s) =>
    ask(s, without, { body: fieldError(['body', 'assistant_id'], 'E1') }),
  ),
  notBlamed('completions.missing-assistant-id-error', '', 'the other fields may be named too when more is wrong', (s) =>
    ask(s, { assistant_id: undefined, messages: undefined }, no),
  ),
  upholds('completions.assistant-id-is-uuid', 'createChatCompletion not-a-uuid', 'a word is refused', (s) =>
    askAgain(s, { assistant_id: 'legal' }, refusedAt('assistant_id')),
  ),
  violates('completions.assistant-id-is-uuid', 'createChatCompletion not-a-uuid', 'a word is accepted', (s) =>
    ask(s, { assistant_id: 'legal' }),
  ),
  violates('completions.assistant-id-is-uuid', 'createChatCompletion null', 'null is accepted', (s) =>
    ask(s, { assistant_id: null }),
  ),
  noViolation('completions.assistant-id-is-uuid', '', 'a UUID without hyphens may be accepted', (s) =>
    ask(s, { assistant_id: assistantIds.plain.replaceAll('-', '') }),
  ),
  upholds('completions.messages-required', 'createChatCompletion empty', 'no message is refused', (s) =>
    askAgain(s, { messages: [] }, no),
  ),
  violates('completions.messages-required', 'createChatCompletion absent', 'messages may be left out', (s) =>
    ask(s, { messages: undefined }),
  ),
  upholds('completions.needs-user-message', 'createChatCompletion', 'a system message alone is refused', (s) =>
    askAgain(s, messages('system'), no),
  ),
  violates('completions.needs-user-message', 'createChatCompletion', 'a system message alone is answered', (s) =>
    ask(s, messages('system')),
  ),
  upholds('completions.content-is-text', 'createChatCompletion', 'a number as content is refused', (s) =>
    askAgain(s, entry({ role: 'user', content: 1 }), refusedAt('messages', 0, 'content')),
  ),
  violates('completions.content-is-text', 'createChatCompletion', 'a number as content is taken', (s) =>
    ask(s, entry({ role: 'user', content: 1 })),
  ),
  violates(
    'completions.messages-well-typed',
    'createChatCompletion entry-not-object',
    'a string as a message is accepted',
    (s) => ask(s, entry('Hello')),
  ),
  ...[2, 3].map((attempts) =>
    (attempts < 3 ? inconclusive : violates)(
      'completions.messages-well-typed',
      'createChatCompletion entry-not-object',
      `null as a message fails ${attempts} times, and other questions are answered`,
      (s) => {
        const down = rejectedWith('internal_service_error', 503)
        for (let attempt = 0; attempt < attempts; attempt += 1) ask(s, { ...entry(null), user_id: uuid(5) }, down)
        s.complete()
      },
    ),
  ),
  upholds('completions.messages-well-typed', 'createChatCompletion role-missing', 'without a role it is refused', (s) =>
    askAgain(s, entry({ content: 'x' }), refusedAt('messages', 0, 'role')),
  ),
  violates('completions.messages-well-typed', 'createChatCompletion role-missing', 'a message lacks its role', (s) =>
    ask(s, entry({ content: 'x' })),
  ),
  upholds('completions.role-known', 'createChatCompletion', 'an unknown role is refused', (s) =>
    askAgain(s, entry({ role: 'wizard', content: 'x' }), refusedAt('messages', 0, 'role')),
  ),
  violates('completions.role-known', 'createChatCompletion', 'an unknown role is accepted', (s) =>
    ask(s, entry({ role: 'wizard', content: 'x' })),
  ),
  upholds('completions.user-id-is-uuid', 'createChatCompletion', 'a word as user_id is refused', (s) =>
    askAgain(s, { user_id: 'ann' }, refusedAt('user_id')),
  ),
  violates('completions.user-id-is-uuid', 'createChatCompletion', 'a word as user_id is accepted', (s) =>
    ask(s, { user_id: 'ann' }),
  ),
  upholds(
    'completions.validation-error-names-field',
    'createChatCompletion',
    'the list around the faulty message is named',
    (s) => ask(s, entry({ role: 'wizard', content: 'x' }), refusedAt('messages')),
  ),
  violates('completions.validation-error-names-field', 'createChatCompletion', 'another field is named', (s) =>
    ask(s, { user_id: 'ann' }, refusedAt('assistant_id')),
  ),
  violates('completions.validation-error-names-field', 'createChatCompletion', 'another code is sent', (s) =>
    ask(s, { user_id: 'ann' }, rejectedWith('bad_request')),
  ),
  ...[['user_data'], ['user_data', 'licence']].map((loc) =>
    upholds(
      'completions.validation-error-names-field',
      'createChatCompletion',
      `a field that the assistant requires is named, or what encloses it: ${loc.join(' ')}`,
      (s) => requiring(s).complete({ user_data: {} }, refusedAt(...loc)),
    ),
  ),
  ...[['licence'], ['user_data.licence'], ['user_data', 'region']].map((loc) =>
    violates(
      'completions.validation-error-names-field',
      'createChatCompletion',
      `another field than the one that the assistant requires is named: ${loc.join(' ')}`,
      (s) => requiring(s).complete({ user_data: {} }, refusedAt(...loc)),
    ),
  ),
  noViolation(
    'completions.validation-error-names-field',
    '',
    'which code answers a field that only the assistant requires is open',
    (s) => requiring(s).complete({ user_data: {} }, rejectedWith('bad_request')),
  ),
  ...[true, false].map((isTaken) =>
    (isTaken ? violates : noViolation)(
      'completions.validation-error-names-field',
      isTaken ? 'createChatCompletion' : '',
      `an earlier answer is named beside two wrong entries, where such messages are ${isTaken ? 'taken' : 'refused'}`,
      (s) => {
        ask(s, isTaken ? messages('assistant', 'user') : {})
        const wrong = [{ role: 'wizard', content: 'x' }, { role: 'user' }]
        const given = [...(messages('user', 'assistant').messages as readonly unknown[]), ...wrong]
        s.complete({ messages: given }, refusedAt('messages', 1, 'role'))
      },
    ),
  ),
  ...['legal', 7, null].map((assistant) =>
    noViolation('completions.validation-error-names-field', '', `the id ${assistant} names no assistant either`, (s) =>
      ask(s, { assistant_id: assistant }, rejectedWith('assistant_not_available')),
    ),
  ),
  upholds('completions.unknown-assistant-refused', 'createChatCompletion', 'an assistant that exists nowhere', (s) =>
    ask(s, unknown, rejectedWith('assistant_not_available', 403)),
  ),
  violates(
    'completions.unknown-assistant-refused',
    'createChatCompletion',
    'an assistant that exists nowhere answers',
    (s) => ask(s, unknown),
  ),
  upholds('completions.unknown-assistant-error', 'createChatCompletion', 'resource_not_found will do', (s) =>
    ask(s, unknown, rejectedWith('resource_not_found', 404)),
  ),
  violates(
    'completions.unknown-assistant-error',
    'createChatCompletion',
    'another code for an unknown assistant',
    (s) => ask(s, unknown, rejectedWith('bad_request')),
  ),
  upholds(
    'completions.required-fields-enforced',
    'createChatCompletion __root__',
    'a body without user_data is refused',
    (s) => {
      requiring(s).complete({ user_data: { licence: 'A-1' } })
      s.complete({}, rejectedWith('bad_request'))
    },
  ),
  violates(
    'completions.required-fields-enforced',
    'createChatCompletion __root__',
    'a body without user_data is accepted',
    (s) => requiring(s).complete(),
  ),
  violates(
    'completions.required-fields-enforced',
    'createChatCompletion user_data',
    'a body without licence is accepted',
    (s) => requiring(s).complete({ user_data: {} }),
  ),
  violates(
    'completions.required-fields-enforced',
    'createChatCompletion user_data',
    'null in the place of user_data is accepted',
    (s) => requiring(s).complete({ user_data: null }),
  ),
  noViolation(
    'completions.required-fields-enforced',
    'createChatCompletion user_data',
    'what is no object in the place of user_data may hold its fields in a way that the contract does not show',
    (s) => requiring(s).complete({ user_data: ['licence'] }),
  ),
  inconclusive(
    'completions.required-fields-enforced',
    'createChatCompletion user_data',
    'null in the place of user_data may be refused for its type',
    (s) => requiring(s).complete({ user_data: null }, refusedAt('user_data')),
  ),
  upholds(
    'completions.user-message-anywhere',
    'createChatCompletion',
    'a question stands before an answer, behind more messages than all services take',
    (s) => {
      const history = Array.from({ length: 60 }, () => ({ role: 'user', content: 'Which one?' }))
      s.assistants().complete({ messages: [...history, { role: 'assistant', content: 'This one.' }] })
    },
  ),
  noViolation('completions.required-fields-enforced', '', 'an assistant that nobody listed may require anything', (s) =>
    s.complete({}, rejectedWith('bad_request')),
  ),
  upholds('completions.continues-thread', 'createChatCompletion', 'the named thread goes on', (s) => {
    const { thread_id } = ask(s, {})
    s.complete({}, { query: `?thread_id=${thread_id}`, with: { thread_id } })
  }),
  violates('completions.continues-thread', 'createChatCompletion', 'a new thread instead of the named one', (s) => {
    const { thread_id } = ask(s, {})
    s.complete({}, { query: `?thread_id=${thread_id}` })
  }),
  upholds('completions.continues-thread', 'streamChatCompletion', 'the streamed form goes on as well', (s) => {
    const { thread_id } = ask(s, {})
    const chunks = s.chunks(s.answer(String(thread_id), 'The answer.'), ['The ', 'answer.'])
    s.completeStream({}, { query: `?thread_id=${thread_id}`, text: ndjsonText(chunks) })
  }),
  violates('completions.continues-thread', 'streamChatCompletion', 'the streamed form makes a new thread', (s) => {
    const { thread_id } = ask(s, {})
    s.completeStream({}, { query: `?thread_id=${thread_id}` })
  }),
  upholds('completions.fresh-thread', 'createChatCompletion', 'each completion has its thread', (s) => {
    ask(s, {})
    s.complete()
  }),
  violates('completions.fresh-thread', 'createChatCompletion', 'two completions share a thread', (s) => {
    const { thread_id } = ask(s, {})
    s.complete({}, { with: { thread_id } })
  }),
  upholds(
    'completions.thread-holds-conversation',
    'createChatCompletion answer',
    'question and answer are listed',
    (s) => conversation(s, (sent, answer) => [answer, sent]),
  ),
  violates(
    'completions.thread-holds-conversation',
    'createChatCompletion answer',
    'the answer is listed with other words',
    (s) => conversation(s, (sent, answer) => [{ ...answer, content: 'Other words.' }, sent]),
  ),
  noViolation('completions.thread-holds-conversation', '', 'a system message of the service may stand before', (s) =>
    conversation(s, (sent, answer) => [
      answer,
      sent,
      { ...sent, id: s.id(), role: 'system', content: 'Be kind.', created_at: timestampText(0) },
    ]),
  ),
  ...[[], [{ role: 'system', content: 'Be kind.' }]].map((messages) =>
    inconclusive(
      'completions.validation-error-names-field',
      'createChatCompletion',
      `with ${messages.length} messages and no user any code may say that nobody speaks`,
      (s) => ask(s, { messages }, rejectedWith('bad_request')),
    ),
  ),
  ...(['violated', 'upheld'] as const).map((outcome) => {
    const prove = outcome === 'violated' ? violates : upholds
    const law = `the same words answer twice, and the thread ${outcome === 'violated' ? 'lists one' : 'lists both'}`
    return prove('completions.thread-holds-conversation', 'createChatCompletion answer', law, (s) => {
      const { thread_id, ...first } = s.assistants().complete()
      const again = { thread_id, content: first.content }
      const next = s.complete({}, { query: `?thread_id=${thread_id}`, with: again })
      const newest = outcome === 'violated' ? [] : [{ ...next, thread_id }]
      s.list(String(thread_id), listShowing([...newest, { thread_id, ...first }]))
    })
  }),
  ...(['violated', 'upheld'] as const).map((outcome) => {
    const prove = outcome === 'violated' ? violates : upholds
    const law = `a thread is not found at first, and ${outcome === 'violated' ? 'nothing' : 'perhaps another answer'} makes it known`
    return prove('completions.thread-holds-conversation', 'createChatCompletion answer', law, (s) => {
      const { thread_id, ...answer } = s.assistants().complete()
      s.list(String(thread_id), rejectedWith('thread_not_found', 404))
      if (outcome === 'upheld')
        s.complete({}, { query: `?thread_id=${thread_id}`, ...rejectedWith('internal_service_error', 500) })
      s.list(String(thread_id), listShowing([{ thread_id, ...answer }]))
    })
  }),
  ...completionCases,
  ...[lettered.replaceAll('-', ''), `urn:uuid:${lettered}`].flatMap((spelled) => [
    notBlamed('completions.continues-thread', 'createChatCompletion', `the named thread goes on as ${spelled}`, (s) => {
      ask(s, {}, { with: { thread_id: lettered } })
      s.complete({}, { query: `?thread_id=${lettered}`, with: { thread_id: spelled } })
    }),
    violates('completions.fresh-thread', 'createChatCompletion', `the thread of another one as ${spelled}`, (s) => {
      ask(s, {}, { with: { thread_id: lettered } })
      s.complete({}, { with: { thread_id: spelled } })
    }),
  ]),
])
