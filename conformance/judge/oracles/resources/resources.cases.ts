/**
 * Near misses of chapter resources. They cover records of every operation, and answers whose assistant is unknown.
 */

import {
  inconclusive,
  noViolation,
  type OracleCase,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  assistant,
  assistantIds,
  type Fields,
  ndjsonText,
  rejectedWith,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const begun = (s: TraceBuilder): string => s.assistants().thread()
const asked = (s: TraceBuilder): string => {
  const thread = begun(s)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const read = (s: TraceBuilder, more: Fields): void => {
  s.assistants()
  s.send('getAssistant', { in: { assistant_id: assistantIds.plain } }, assistant(assistantIds.plain, true, more))
}
const grant = (s: TraceBuilder, more: Fields): void => {
  const types = ['text/csv', 'text/plain', 'application/pdf']
  const office = ['wordprocessingml.document', 'spreadsheetml.sheet']
  const allowed_types = [...types, ...office.map((name) => `application/vnd.openxmlformats-officedocument.${name}`)]
  const answer = { file_id: s.id(), file_url: 'https://store.test/1', expires_in: 900 }
  s.send(
    'createUploadGrant',
    {},
    { ...answer, file_limits: { allowed_types, max_size: 10_485_760 }, ...more },
    {
      query: '?filename=a.csv',
      headers: [['user-id', 'ann']],
    },
  )
}
const keys = (s: TraceBuilder, more: Fields, key: Fields = {}): void => {
  const record = { id: s.id(), api_key: 'secret', created_at: s.stamp(), last_updated_at: s.stamp(), ...key }
  s.send('listMyApiKeys', {}, { id: s.id(), name: 'Tenant', api_keys: [record], ...more })
}
const ids = 'resources.id-is-uuid'
const stamps = 'resources.timestamp-format'
const later = '2026-01-01T00:00:00.12Z'

const inUtc = 'resources.created-in-utc'
/** New messages with these Date headers; their stamps are of the first minutes of 2026, when the trace is recorded. */
const dated = (s: TraceBuilder, ...dates: readonly (string | null)[]): void => {
  const thread = begun(s)
  for (const date of dates) s.add(thread, 'user', 'Hello.', date === null ? {} : { answers: [['date', `${date} GMT`]] })
}
/** New messages with a right Date header and these stamps. */
const stamped = (s: TraceBuilder, ...times: readonly string[]): void => {
  const thread = begun(s)
  for (const time of times)
    s.add(thread, 'user', 'Hello.', { answers: [['date', `${onTime} GMT`]], with: { created_at: `${time}.000000Z` } })
}
const onTime = 'Thu, 01 Jan 2026 00:00:01'
const [east, west] = ['2026-01-01T02:00:01', '2025-12-31T18:30:01']
const clockCases: readonly OracleCase[] = [
  upholds(inUtc, 'createMessage', 'stamp and Date agree', (s) => dated(s, onTime, onTime, onTime)),
  violates(inUtc, 'createMessage', 'each stamp is two hours ahead', (s) => stamped(s, east, east, east)),
  violates(inUtc, 'createMessage', 'each stamp is five and a half hours behind', (s) => stamped(s, west, west, west)),
  violates(inUtc, 'createMessage', 'each stamp is a month behind', (s) =>
    stamped(s, ...Array<string>(3).fill('2025-12-01T00:00:01')),
  ),
  unexercised(inUtc, 'createMessage', 'a clock that is wrong by five days', (s) =>
    stamped(s, ...Array<string>(3).fill('2026-01-06T00:00:01')),
  ),
  unexercised(inUtc, 'createMessage', 'a clock that is wrong by something else', (s) =>
    stamped(s, ...Array<string>(3).fill('2026-01-01T01:53:00')),
  ),
  unexercised(inUtc, 'createMessage', 'two stamps may be chance', (s) => stamped(s, east, east)),
  unexercised(inUtc, 'createMessage', 'zones that differ are none', (s) => stamped(s, east, west, east)),
  unexercised(inUtc, 'createMessage', 'a gateway whose Date is two hours off', (s) =>
    dated(s, ...Array<string>(3).fill('Wed, 31 Dec 2025 22:00:01')),
  ),
  unexercised(inUtc, 'createMessage', 'no Date, or one that is none', (s) => dated(s, null, 'then', null)),
]

const recordCases: readonly OracleCase[] = [
  ...clockCases,
  upholds(ids, 'getAssistant id', 'the id of a record', (s) => read(s, {})),
  violates(ids, 'getAssistant id', 'a number in words', (s) => read(s, { id: 'one' })),
  upholds(ids, 'createUploadGrant file_id', 'the id of a file', (s) => grant(s, {})),
  violates(ids, 'createUploadGrant file_id', 'a file name', (s) => grant(s, { file_id: 'a.csv' })),
  upholds(ids, 'listMyApiKeys api_keys.id', 'the ids of a tenant and a key', (s) => keys(s, {})),
  violates(ids, 'listMyApiKeys id', 'the name of a tenant', (s) => keys(s, { id: 'tenant' })),
  violates(ids, 'listMyApiKeys api_keys.id', 'the name of a key', (s) => keys(s, {}, { id: 'key' })),
  violates(ids, 'listMessages id', 'a short id in a list', (s) => {
    const thread = begun(s)
    s.list(thread, { body: { cursor: null, items: [{ ...s.add(thread, 'user', 'Hello'), id: '17' }] } })
  }),
  violates('tenancy.record-fields', 'listMyApiKeys api_keys', 'a word holds no keys with wrong ids', (s) =>
    keys(s, { api_keys: 'none' }),
  ),
  unexercised(ids, 'listMyApiKeys id', 'a refusal has no id', (s) =>
    s.send('listMyApiKeys', {}, {}, rejectedWith('rate_limit_gateway', 429)),
  ),
  upholds(stamps, 'listMyApiKeys api_keys.created_at', 'the stamps of a key', (s) => keys(s, {})),
  violates(stamps, 'listMyApiKeys api_keys.last_updated_at', 'two digits of a second', (s) =>
    keys(s, {}, { last_updated_at: later }),
  ),
  violates(stamps, 'listMessages created_at', 'two digits of a second in a list', (s) => {
    const thread = begun(s)
    s.list(thread, { body: { cursor: null, items: [{ ...s.add(thread, 'user', 'Hello'), created_at: later }] } })
  }),
  violates('resources.message-fields', 'createMessage role', 'a role that is missing is no unknown one', (s) =>
    s.add(begun(s), 'user', 'Hello', { with: { role: undefined } }),
  ),
  violates('resources.message-fields', 'createMessage content', 'content that is missing is not empty', (s) =>
    s.add(begun(s), 'user', 'Hello', { with: { content: null } }),
  ),
  violates('resources.message-fields', 'runThread id', 'an answer that is a word is no message', (s) =>
    s.run(asked(s), '', { text: '"Hello"' }),
  ),
  violates(
    'resources.message-fields',
    'createMessage content',
    'a user asks for no tools, and has to have content',
    (s) => s.add(begun(s), 'user', 'Hello', { more: { tool_calls: [{ id: 'a' }] }, with: { content: undefined } }),
  ),
  unexercised('resources.message-role-known', 'listMessages', 'the role of an answer is another rule', (s) =>
    s.run(asked(s)),
  ),
]

const answerCases: readonly OracleCase[] = [
  unexercised('resources.answer-role', 'runThread', 'who adds a message answers nothing', (s) => asked(s)),
  upholds('resources.answer-role', 'createChatCompletion', 'a completion is answered by the assistant', (s) =>
    s.assistants().complete(),
  ),
  upholds('resources.assistant-message-fields', 'listMessages meta_data', 'a listed answer has both fields', (s) => {
    const thread = asked(s)
    s.run(thread)
    s.list(thread)
  }),
  violates(
    'resources.assistant-message-fields',
    'listMessages sources',
    'a listed answer has lost its sources',
    (s) => {
      const thread = asked(s)
      s.run(thread)
      const [answer, question] = s.list(thread).items as Fields[]
      s.list(thread, { body: { cursor: null, items: [{ ...answer, sources: undefined }, question] } })
    },
  ),
  violates('resources.source-fields', 'listMessages content', 'a listed source has lost its content', (s) => {
    const thread = asked(s)
    const answer = s.run(thread, 'The answer.', {
      with: { sources: [{ content: 7, meta_data: { document_title: 'A law', section: '1' } }] },
    })
    s.list(thread, { body: { cursor: null, items: [answer] } })
  }),
  unexercised('resources.source-fields', 'runThread content', 'no sources have no fields', (s) => s.run(asked(s))),
  noViolation('resources.source-fields', '', 'what a client posts as a source may be anything', (s) => {
    const thread = begun(s)
    s.add(thread, 'assistant', 'I am a client.', { more: { sources: ['mine'] } })
    s.list(thread)
  }),
  violates('resources.message-ids-unique', 'createMessage', 'one id in two spellings', (s) => {
    const thread = begun(s)
    for (const id of ['0000abcd-0000-4000-8000-000000000001', '0000ABCD-0000-4000-8000-000000000001'])
      s.add(thread, 'user', `Called ${id}.`, { with: { id } })
  }),
  violates('resources.message-ids-unique', 'listMessages', 'two messages of one page have one id', (s) => {
    const thread = begun(s)
    const one = s.add(thread, 'user', 'The first one.')
    const two = s.add(thread, 'user', 'The second one.')
    s.list(thread, { body: { cursor: null, items: [two, { ...one, id: two.id }] } })
  }),
  upholds('resources.message-ids-unique', 'listMessages', 'two messages of one page have two ids', (s) => {
    const thread = asked(s)
    s.run(thread)
    s.list(thread)
  }),
  unexercised('resources.message-ids-unique', 'listMessages', 'one message has no second', (s) => s.list(asked(s))),
  violates('resources.message-ids-unique', 'runThread', 'a run after a further message repeats an answer', (s) => {
    const thread = asked(s)
    const { id } = s.run(thread)
    s.add(thread, 'user', 'And then?')
    s.run(thread, 'Another answer.', { with: { id } })
  }),
  upholds('resources.message-ids-unique', 'runThread', 'a run after a further message has a new answer', (s) => {
    const thread = asked(s)
    s.run(thread)
    s.add(thread, 'user', 'And then?')
    s.run(thread, 'Another answer.')
  }),
  violates(
    'resources.message-ids-unique',
    'createChatCompletion',
    'another question gets the first answer\u2019s id',
    (s) => {
      const { id, thread_id } = s.assistants().complete()
      const messages = [{ role: 'user', content: 'And then?' }]
      s.complete({ messages }, { query: `?thread_id=${thread_id}`, with: { id, thread_id } })
    },
  ),
  violates('resources.message-ids-unique', 'streamChatCompletion', 'two streams at once carry the ids of one', (s) => {
    s.assistants()
    streamsAtOnce(s, s.answer(s.id(), 'ab'))
  }),
  unexercised('resources.message-ids-unique', 'runThread', 'a run and a message beside it have one time', (s) => {
    const thread = asked(s)
    s.run(thread, 'The answer.', { at: [900, 900] })
    s.add(thread, 'user', 'One thing more.', { at: [900, 900] })
  }),
  upholds('resources.message-ids-unique', 'createChatCompletion', 'another question gets an answer of its own', (s) => {
    const { thread_id } = s.assistants().complete()
    const messages = [{ role: 'user', content: 'And then?' }]
    s.complete({ messages }, { query: `?thread_id=${thread_id}`, with: { thread_id } })
  }),
  noViolation('resources.message-ids-unique', '', 'the same request again may get the same answer', (s) => {
    const { id, thread_id } = s.assistants().complete()
    for (let time = 0; time < 2; time += 1)
      s.complete({}, { query: `?thread_id=${thread_id}`, with: { id, thread_id } })
  }),
  noViolation('resources.message-ids-unique', 'runThread', 'a run of the same messages may repeat its answer', (s) => {
    const thread = asked(s)
    const { id } = s.run(thread)
    s.run(thread, 'The answer.', { with: { id } })
  }),
  violates('resources.message-fields', 'createMessage id', 'messages without an id have no id in common', (s) => {
    const thread = begun(s)
    for (const text of ['One.', 'Two.']) s.add(thread, 'user', text, { with: { id: undefined } })
  }),
  violates('resources.chunk-fields', 'streamChatCompletion delta', 'a delta that is a word has no fields', (s) => {
    s.assistants()
    const chunks = s.chunks(s.answer(s.id(), 'ab'), ['a', 'b'])
    s.completeStream({}, { text: ndjsonText(chunks.map((chunk) => ({ ...chunk, delta: 'a' }))) })
  }),
]

/** Two questions in two forms, both answered with the same message. */
function streamsAtOnce(s: TraceBuilder, message: Fields): void {
  s.completeStream({}, { text: ndjsonText(s.chunks(message, ['a', 'b'])), at: [900, 1_000] })
  const messages = [{ role: 'user', content: 'And then?' }]
  const block = (text: string) => ({ role: 'assistant', content_blocks: [{ type: 'text', text }], sources: [] })
  const blocks = s.chunks(message, ['a', 'b']).map((chunk) => ({ ...chunk, delta: block('a') }))
  const json = { ...s.body(), messages }
  s.send('streamChatCompletionEvents', { json }, '', { text: ndjsonText(blocks), at: [910, 1_010] })
}

const schemaFor = (property: Fields) => ({
  meta_data_response_schema: { type: 'object', title: 'T', properties: { intent: property }, required: ['intent'] },
})
const words = assistant(assistantIds.plain, true, schemaFor({ type: 'string' }))
const numbers = assistant(assistantIds.whole, true, schemaFor({ type: 'number' }))
const broken = assistant(assistantIds.whole, true, schemaFor({ $ref: 'https://elsewhere.test/a' }))
const fits = 'resources.meta-data-fits-schema'
/** A thread whose assistant is unknown, and its answer. */
const anyones = (s: TraceBuilder, intent: unknown, records: readonly Fields[] = [words, numbers]): void => {
  const thread = s.assistants(records).thread({ with: { assistant_id: undefined }, sends: '{}' })
  s.add(thread, 'user', 'A question, please.')
  s.run(thread, 'The answer.', { with: { meta_data: { intent } } })
}
/** A run that names one assistant and is answered as another would; before it maybe a run that names none, refused for that. */
const otherAnswers =
  (readsName: boolean) =>
  (s: TraceBuilder): void => {
    const thread = s.assistants([words, numbers]).thread({ with: { assistant_id: undefined }, sends: '{}' })
    s.add(thread, 'user', 'A question, please.')
    const run = (assistant_id: string, change: Change): unknown =>
      s.send(
        'runThread',
        { in: { thread_id: thread }, json: { assistant_id } },
        s.answer(thread, 'The answer.'),
        change,
      )
    if (readsName) run(uuid(88), rejectedWith('assistant_not_available', 403))
    run(assistantIds.whole, { with: { meta_data: { intent: 'x' } } })
  }
const naming = { profile: { runBody: { assistant_id: '{{assistant_id}}' } } }
/** Recorded traffic without a profile: a run in the thread that a completion of another assistant opened. */
const traffic = { source: 'proxy', profile: { runBody: undefined, threads: undefined } } as const
const runIn =
  (json: Fields, intent: unknown) =>
  (s: TraceBuilder): void => {
    s.assistants([words, numbers])
    const opening = { json: { assistant_id: assistantIds.plain, messages: [{ role: 'user', content: 'Hello?' }] } }
    const thread = uuid(60)
    s.send('createChatCompletion', opening, s.answer(thread, 'Hello.', { meta_data: { intent: 'x' } }))
    s.send('runThread', { in: { thread_id: thread }, json }, s.answer(thread, 'The answer.', { meta_data: { intent } }))
  }
const legalType = '53aa66b7-b874-407f-967c-3a959c919d62'
const legalRecord = (type: Fields) => ({
  meta_data_response_schema: { type: 'object', title: 'Legal', properties: { type }, required: [] },
})

const metaDataCases: readonly OracleCase[] = [
  ...['x', 7].map((intent) =>
    upholds(fits, 'runThread', `an answer of any assistant fits one of the schemas: ${intent}`, (s) =>
      anyones(s, intent),
    ),
  ),
  violates(fits, 'runThread', 'an answer of any assistant fits none of the schemas', (s) => anyones(s, true)),
  upholds(fits, 'runThread', 'the assistant of the thread may have answered', otherAnswers(false), naming),
  violates(fits, 'runThread', 'the assistant that a run surely names', otherAnswers(true), naming),
  upholds(
    fits,
    'runThread',
    'a recorded run names the assistant that answered',
    runIn({ assistant_id: assistantIds.whole }, 7),
    traffic,
  ),
  upholds(fits, 'runThread', 'a recorded run may name it in any field', runIn({ agent: 'numbers' }, 7), traffic),
  violates(fits, 'runThread', 'a recorded run without a name is of its thread', runIn({ tools: [] }, 7), traffic),
  violates(
    fits,
    'runThread',
    'a recorded run names the assistant of its thread',
    runIn({ assistant_id: assistantIds.plain }, 7),
    traffic,
  ),
  inconclusive(
    fits,
    'runThread',
    'a recorded run names an assistant that came after the list',
    runIn({ assistant_id: uuid(88) }, true),
    traffic,
  ),
  inconclusive(fits, 'runThread', 'one of the schemas cannot be used', (s) => anyones(s, true, [words, broken])),
  violates(fits, 'createChatCompletion', 'the schema of another assistant is no matter', (s) =>
    s.assistants([words, numbers]).complete({}, { with: { meta_data: { intent: 7 } } }),
  ),
  inconclusive(fits, 'createChatCompletion', 'no list shows the schema', (s) => s.complete()),
  violates(fits, 'runThread', 'an answer that asks for tools is an assistant message as well', (s) =>
    s.run(asked(s), 'The answer.', { with: { meta_data: {}, tool_calls: [{ id: 'a' }] } }),
  ),
  noViolation(fits, '', 'what a client posts as meta_data may be anything', (s) => {
    const thread = begun(s)
    s.add(thread, 'assistant', 'I am a client.', { more: { meta_data: { intent: 7 }, sources: [] } })
    s.list(thread)
  }),
  violates(fits, 'listMessages', 'a listed answer is judged by the schema of its run', (s) => {
    const thread = s.assistants([numbers, words]).thread()
    s.add(thread, 'user', 'A question, please.')
    const answer = s.run(thread, 'The answer.', { with: { id: uuid(70).replace('8000', '8ABC') } })
    s.list(thread, { body: { cursor: null, items: [{ ...answer, meta_data: { intent: 7 } }] } })
  }),
  upholds(
    'resources.legal-meta-data',
    'createChatCompletion intent',
    'a default tells the legal assistant as well',
    (s) =>
      s
        .assistants([assistant(assistantIds.plain, true, legalRecord({ default: legalType }))])
        .complete({}, { with: { meta_data: { legal_advice: true, intent: 'x' } } }),
  ),
  violates('resources.legal-meta-data', 'createChatCompletion intent', 'intent is missing', (s) =>
    s
      .assistants([assistant(assistantIds.plain, true, legalRecord({ const: legalType }))])
      .complete({}, { with: { meta_data: { legal_advice: true } } }),
  ),
  unexercised(
    'resources.legal-meta-data',
    'createChatCompletion intent',
    'another assistant has other meta_data',
    (s) =>
      s
        .assistants([assistant(assistantIds.plain, true, legalRecord({ const: 'another' }))])
        .complete({}, { with: { meta_data: {} } }),
  ),
  unexercised('resources.legal-meta-data', 'runThread intent', 'nobody knows whether it was the legal assistant', (s) =>
    anyones(s, 'x', [assistant(assistantIds.plain, true, legalRecord({ const: legalType })), numbers]),
  ),
  violates(
    'resources.legal-meta-data',
    'createChatCompletion intent',
    'the legal assistant asks for tools without intent',
    (s) =>
      s
        .assistants([assistant(assistantIds.plain, true, legalRecord({ const: legalType }))])
        .complete({}, { with: { meta_data: { legal_advice: true }, tool_calls: [{ id: 'a' }] } }),
  ),
]

/** Cases of all the requirements of the chapter, and of others that a record may break beside them. */
export const resourceCases: readonly OracleCase[] = [...recordCases, ...answerCases, ...metaDataCases]
