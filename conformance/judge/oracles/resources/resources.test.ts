/** Proof of the oracles of chapter resources. */

import {
  inconclusive,
  notBlamed,
  noViolation,
  proveOracles,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { askAbout, matters, quoting } from '../../../../test/trace-builder/quoting-answers.ts'
import { assistant, assistantIds, type Fields, ndjsonText } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { resourceCases } from './resources.cases.ts'
import { resourcesOracles } from './resources.ts'

const begun = (s: TraceBuilder): string => s.assistants().thread()
/** A thread with one question and a run that answers with these fields. */
const answered = (s: TraceBuilder, more: Fields): void => {
  const thread = begun(s)
  s.add(thread, 'user', 'A question, please.')
  s.run(thread, 'The answer.', { with: more })
}
const created = (s: TraceBuilder, more: Fields) => s.add(begun(s), 'user', 'Hello there', { with: more })
/** A stream whose chunks are changed. */
const streamed = (s: TraceBuilder, change: (chunk: Fields) => Fields): void => {
  s.assistants()
  const chunks = s.chunks(s.answer(s.id(), 'ab'), ['a', 'b'])
  s.completeStream({}, { text: ndjsonText(chunks.map(change)) })
}
const delta = (chunk: Fields, more: Fields): Fields => ({ ...chunk, delta: { ...(chunk.delta as Fields), ...more } })
const source = { content: 'An excerpt', meta_data: { document_title: 'A law', section: '1' } }
const legalSchema = {
  type: 'object',
  title: 'Legal',
  properties: {
    type: { const: '53aa66b7-b874-407f-967c-3a959c919d62', type: 'string' },
    legal_advice: { type: 'boolean' },
    intent: { type: 'string' },
  },
  required: ['legal_advice', 'intent'],
}
const legal = (s: TraceBuilder, meta_data: Fields): void => {
  s.assistants([assistant(assistantIds.plain, true, { meta_data_response_schema: legalSchema })])
  s.complete({}, { with: { meta_data } })
}

proveOracles(resourcesOracles, [
  upholds('resources.id-is-uuid', 'createMessage id', 'a hyphenated UUID is an id', (s) => created(s, {})),
  violates('resources.id-is-uuid', 'createMessage id', 'an id without hyphens', (s) =>
    created(s, { id: '00000000000040008000000000000001' }),
  ),
  violates('resources.id-is-uuid', 'createMessage thread_id', 'a name as thread_id', (s) =>
    created(s, { thread_id: 'first' }),
  ),
  violates('resources.id-is-uuid', 'streamChatCompletion message_id', 'a prefixed message_id in a chunk', (s) =>
    streamed(s, (chunk) => ({ ...chunk, message_id: 'msg_1' })),
  ),
  violates('resources.id-is-uuid', 'listAssistants id', 'a name as the id of an assistant', (s) =>
    s.assistants([assistant('legal')]),
  ),
  noViolation('resources.id-is-uuid', '', 'upper case is a UUID', (s) =>
    created(s, { id: 'ABCDEF00-0000-4000-8000-00000000000A' }),
  ),
  noViolation('resources.id-is-uuid', '', 'any version is a UUID', (s) =>
    created(s, { id: '00000000-0000-0000-0000-000000000000' }),
  ),
  upholds('resources.timestamp-format', 'createMessage created_at', 'six digits and a Z', (s) => created(s, {})),
  violates('resources.timestamp-format', 'createMessage created_at', 'three digits of a second', (s) =>
    created(s, { created_at: '2026-01-01T00:00:00.123Z' }),
  ),
  violates('resources.timestamp-format', 'createMessage created_at', 'an offset instead of Z', (s) =>
    created(s, { created_at: '2026-01-01T00:00:00.123456+00:00' }),
  ),
  violates('resources.timestamp-format', 'createMessage created_at', 'a day that does not exist', (s) =>
    created(s, { created_at: '2026-02-30T00:00:00.123456Z' }),
  ),
  violates('resources.timestamp-format', 'streamChatCompletion created_at', 'seconds since 1970 in a chunk', (s) =>
    streamed(s, (chunk) => ({ ...chunk, created_at: 1_767_225_600 })),
  ),
  noViolation('resources.timestamp-format', '', 'a fraction of zeros is padded', (s) =>
    created(s, { created_at: '2028-02-29T23:59:60.000000Z' }),
  ),
  upholds('resources.message-fields', 'createMessage created_at', 'all five fields are there', (s) => created(s, {})),
  violates('resources.message-fields', 'createMessage created_at', 'created_at is left out', (s) =>
    created(s, { created_at: undefined }),
  ),
  violates('resources.message-fields', 'runThread thread_id', 'an answer has null as thread_id', (s) =>
    answered(s, { thread_id: null }),
  ),
  violates('resources.message-fields', 'listMessages content', 'a listed message lacks its content', (s) => {
    const thread = begun(s)
    const message = s.add(thread, 'user', 'Hello there')
    s.list(thread, { with: { items: [{ ...message, content: undefined }] } })
  }),
  noViolation('resources.message-fields', '', 'further fields are no matter', (s) =>
    created(s, { metadata: { a: [1] }, name: null }),
  ),
  inconclusive(
    'resources.message-fields',
    'runThread content',
    'an answer that asks for tools may have no content',
    (s) => answered(s, { content: null, tool_calls: [{ id: 'call_1' }] }),
  ),
  upholds('resources.message-role-known', 'createMessage', 'user is a role', (s) => created(s, {})),
  violates('resources.message-role-known', 'listMessages', 'human is no role', (s) => {
    const thread = begun(s)
    const message = s.add(thread, 'user', 'Hello there')
    s.list(thread, { with: { items: [{ ...message, role: 'human' }] } })
  }),
  upholds('resources.message-content-not-empty', 'runThread', 'an answer has content', (s) => answered(s, {})),
  violates('resources.message-content-not-empty', 'runThread', 'an answer is empty', (s) =>
    answered(s, { content: '' }),
  ),
  ...(['user', 'system'] as const).map((role) =>
    violates(
      'resources.message-content-not-empty',
      'listMessages',
      `a completion takes an empty ${role} message, and the list of its thread shows it`,
      (s) => {
        const empty = { role, content: '', created_at: s.stamp() }
        const answer = s.assistants().complete({
          messages: [
            { role, content: '' },
            { role: 'user', content: 'Hello' },
          ],
        })
        const thread = String(answer.thread_id)
        const stored = { id: s.id(), thread_id: thread, created_at: empty.created_at }
        const items = [answer, { ...stored, id: s.id(), role: 'user', content: 'Hello' }, { ...stored, ...empty }]
        s.list(thread, { body: { cursor: null, items } })
      },
    ),
  ),
  noViolation('resources.message-content-not-empty', '', 'an answer that asks for tools may be empty', (s) =>
    answered(s, { content: '', tool_calls: [{ id: 'call_1' }] }),
  ),
  upholds('resources.assistant-message-fields', 'runThread sources', 'no sources are an empty array', (s) =>
    answered(s, {}),
  ),
  violates('resources.assistant-message-fields', 'runThread sources', 'no sources are left out', (s) =>
    answered(s, { sources: undefined }),
  ),
  violates('resources.assistant-message-fields', 'runThread meta_data', 'meta_data is null', (s) =>
    answered(s, { meta_data: null }),
  ),
  violates('resources.assistant-message-fields', 'runThread sources', 'an answer that asks for tools has null', (s) =>
    answered(s, { tool_calls: [{ id: 'a' }], sources: null }),
  ),
  inconclusive(
    'resources.assistant-message-fields',
    'runThread sources',
    'one that may ask for tools has none',
    (s) => answered(s, { tool_calls: [{ id: 'a' }], sources: undefined }),
    { profile: { tools: null } },
  ),
  notBlamed(
    'resources.assistant-message-fields',
    'listMessages meta_data',
    'what a client posted as an assistant has a rule of its own',
    (s) => {
      const thread = begun(s)
      s.add(thread, 'assistant', 'I am a client.', { with: { meta_data: undefined, sources: undefined } })
      s.list(thread)
    },
  ),
  upholds('resources.answer-role', 'runThread', 'an answer is of the assistant', (s) => answered(s, {})),
  violates('resources.answer-role', 'runThread', 'an answer is of the bot', (s) => answered(s, { role: 'bot' })),
  upholds('resources.meta-data-fits-schema', 'runThread', 'meta_data fits the published schema', (s) =>
    answered(s, {}),
  ),
  violates('resources.meta-data-fits-schema', 'runThread', 'meta_data lacks what the schema requires', (s) =>
    answered(s, { meta_data: {} }),
  ),
  violates(
    'resources.meta-data-fits-schema',
    'createChatCompletion',
    'meta_data has another type than published',
    (s) => {
      s.assistants()
      s.complete({}, { with: { meta_data: { intent: 3 } } })
    },
  ),
  inconclusive(
    'resources.meta-data-fits-schema',
    'createChatCompletion',
    'a schema that nobody can use here decides nothing',
    (s) => {
      s.assistants([
        assistant(assistantIds.plain, true, {
          meta_data_response_schema: {
            type: 'object',
            title: 'T',
            properties: { a: { $ref: 'https://elsewhere.test/a' } },
            required: [],
          },
        }),
      ])
      s.complete()
    },
  ),
  violates(
    'resources.meta-data-fits-schema',
    'createChatCompletion',
    'a pattern that could run for ever in another engine is not met',
    (s) => answeredWithIntent(s, '^(a+)+$', `${'a'.repeat(60)}!`),
  ),
  inconclusive(
    'resources.meta-data-fits-schema',
    'createChatCompletion',
    'a pattern that cannot be judged in linear time decides nothing',
    (s) => answeredWithIntent(s, '(?=a)a', 'b'),
  ),
  upholds('resources.legal-meta-data', 'createChatCompletion type', 'the constant is sent', (s) =>
    legal(s, { type: '53aa66b7-b874-407f-967c-3a959c919d62', legal_advice: true, intent: 'x' }),
  ),
  violates('resources.legal-meta-data', 'createChatCompletion legal_advice', 'legal_advice is a word', (s) =>
    legal(s, { legal_advice: 'yes', intent: 'x' }),
  ),
  violates('resources.legal-meta-data', 'createChatCompletion type', 'another type is sent', (s) =>
    legal(s, { type: 'legal', legal_advice: true, intent: 'x' }),
  ),
  noViolation('resources.legal-meta-data', '', 'the constant has a default and may be left out', (s) =>
    legal(s, { legal_advice: false, intent: '' }),
  ),
  upholds('resources.source-fields', 'runThread meta_data.section', 'a source has title and section', (s) =>
    answered(s, { sources: [source] }),
  ),
  violates('resources.source-fields', 'runThread meta_data.section', 'a section is a number', (s) =>
    answered(s, { sources: [{ ...source, meta_data: { ...source.meta_data, section: 1 } }] }),
  ),
  violates('resources.source-fields', 'streamChatCompletion content', 'a streamed source has no content', (s) =>
    streamed(s, (chunk) => delta(chunk, { sources: [{ ...source, content: undefined }] })),
  ),
  upholds('resources.message-ids-unique', 'createMessage', 'every message has an id of its own', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Hello there')
    s.add(thread, 'user', 'Hello again')
  }),
  violates('resources.message-ids-unique', 'createMessage', 'two messages get one id', (s) => {
    const thread = begun(s)
    const { id } = s.add(thread, 'user', 'Hello there')
    s.add(thread, 'user', 'Hello again', { with: { id } })
  }),
  upholds('resources.chunk-fields', 'streamChatCompletion delta', 'a chunk has all its fields', (s) =>
    streamed(s, (chunk) => chunk),
  ),
  violates('resources.chunk-fields', 'streamChatCompletion delta', 'a chunk has its text outside of a delta', (s) =>
    streamed(s, (chunk) => ({ ...chunk, delta: 'text' })),
  ),
  upholds('resources.delta-fields', 'streamChatCompletion sources', 'a delta has sources', (s) =>
    streamed(s, (chunk) => chunk),
  ),
  violates('resources.delta-fields', 'streamChatCompletion sources', 'a delta lacks its sources', (s) =>
    streamed(s, (chunk) => delta(chunk, { sources: undefined })),
  ),
  noViolation('resources.delta-fields', '', 'a chunk may carry more', (s) =>
    streamed(s, (chunk) => ({ ...delta(chunk, { index: 0 }), usage: { tokens: 1 } })),
  ),
  ...resourceCases,
  upholds('resources.answer-to-own-question', 'runThread', 'answers quote their questions', quoting),
  violates('resources.answer-to-own-question', 'runThread', 'an answer quotes the question of another thread', (s) =>
    askAbout(quoting(s), matters[3], matters[0]),
  ),
])

/** The published schema has a pattern for the intent that the answer gives. */
function answeredWithIntent(s: TraceBuilder, pattern: string, intent: string): void {
  const schema = { type: 'object', title: 'T', properties: { intent: { type: 'string', pattern } }, required: [] }
  s.assistants([assistant(assistantIds.plain, true, { meta_data_response_schema: schema })])
  s.complete({}, { with: { meta_data: { intent } } })
}
