/** Proof of the oracles of chapter streams. */

import { listShowing } from '../../../../test/trace-builder/listings.ts'
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
import {
  assistant,
  assistantIds,
  type Fields,
  ndjsonText,
  rejectedWith,
  timestampText,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { streamCases } from './streams.cases.ts'
import { streamsOracles } from './streams.ts'

const chunks = (s: TraceBuilder, fragments: readonly string[] = ['one ', 'two']): readonly Fields[] =>
  s.chunks(s.answer(s.id(), fragments.join('')), fragments)
/** A streamed completion whose body is made from good chunks. */
const stream = (s: TraceBuilder, make: (chunks: readonly Fields[]) => Change): void => {
  s.assistants()
  s.completeStream({}, make(chunks(s)))
}
const second = (list: readonly Fields[], more: Fields): readonly Fields[] =>
  list.map((chunk, at) => (at === 1 ? { ...chunk, ...more } : chunk))
const delta = (list: readonly Fields[], more: Fields): readonly Fields[] =>
  list.map((chunk) => ({ ...chunk, delta: { ...(chunk.delta as Fields), ...more } }))
/** A completion as events whose deltas hold these fields. */
const events = (s: TraceBuilder, more: Fields): void => {
  s.assistants()
  const list = delta(chunks(s), { content: undefined, ...more })
  s.send('streamChatCompletionEvents', { json: s.body() }, null, { text: ndjsonText(list) })
}
const reasoning = { content_blocks: [{ type: 'reasoning', reasoning: 'Hm.' }] }
/** A thread with a question, ready for a run. */
const _question = { id: '00000000-0000-4000-8000-000000000102', role: 'user', content: 'A question, please.' }
const asked = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question, please.')
  return thread
}
/** What a list of the thread shows. */
const listed = (s: TraceBuilder, thread: string): readonly Fields[] => s.list(thread).items as readonly Fields[]
/** Chunks that were made over two seconds and arrive as told. */
const paced = (s: TraceBuilder, afterMs: readonly number[], more: Change = {}): void =>
  stream(s, (list) => ({
    at: [0, 3000],
    pieces: list.map((chunk, at) => [
      afterMs[at] ?? 0,
      `${JSON.stringify({ ...chunk, created_at: timestampText(at * 2_000_000) })}\n`,
    ]),
    ...more,
  }))

const source = (content: string, more: Fields = {}): Fields => ({
  content,
  meta_data: { document_title: 'Handbook', section: '1' },
  ...more,
})
/** A streamed run whose two chunks show these sources, and a list of the thread that shows those. */
const sourced = (
  s: TraceBuilder,
  byChunk: readonly (readonly Fields[])[],
  listed: unknown,
  operation: 'streamThreadRun' | 'streamChatCompletionEvents' = 'streamThreadRun',
): void => {
  const thread = s.assistants().thread()
  const question = s.add(thread, 'user', 'A question, please.')
  const fragments = byChunk.map((_, at) => `${at} `)
  const answer = s.answer(thread, fragments.join(''))
  const chunks = s.chunks(answer, fragments).map((chunk, at) => ({
    ...chunk,
    delta: { ...(chunk.delta as Fields), sources: byChunk[at] },
  }))
  if (operation === 'streamThreadRun') s.stream(thread, [], { text: ndjsonText(chunks) })
  else s.send(operation, { json: s.body() }, null, { text: ndjsonText(chunks) })
  s.list(thread, listShowing([{ ...answer, sources: listed }, question]))
}

const sourceCases: readonly OracleCase[] = [
  upholds('streams.sources-kept', 'streamThreadRun', 'sources of any chunk, in another order and twice', (s) =>
    sourced(s, [[source('A')], [source('B'), source('A')]], [source('B'), source('A'), source('C')]),
  ),
  upholds('streams.sources-kept', 'streamThreadRun', 'other fields of a source may come and go', (s) =>
    sourced(s, [[source('A', { score: 1 })], []], [source('A', { id: 'x' })]),
  ),
  violates('streams.sources-kept', 'streamThreadRun', 'the list has no sources', (s) =>
    sourced(s, [[], [source('A')]], []),
  ),
  violates('streams.sources-kept', 'streamThreadRun', 'one of the sources is not listed', (s) =>
    sourced(s, [[source('A')], [source('B')]], [source('B')]),
  ),
  upholds('streams.sources-kept', 'streamThreadRun', 'sources of every chunk may be preliminary', (s) =>
    sourced(s, [[source('A')], [source('A')], [source('B')]], [source('B')]),
  ),
  violates('streams.sources-kept', 'streamThreadRun', 'one of the last of them is not listed', (s) =>
    sourced(s, [[source('A')], [source('A')], [source('A'), source('B')]], [source('A')]),
  ),
  ...[[], [source('A')]].map((last) =>
    unexercised(
      'streams.sources-kept',
      'streamThreadRun',
      `the answer may have none of them, with ${last.length}`,
      (s) => sourced(s, [[source('A')], [source('A')], last], []),
    ),
  ),
  violates('streams.sources-kept', 'streamChatCompletionEvents', 'a source has another title in the list', (s) =>
    sourced(
      s,
      [[], [source('A')]],
      [source('A', { meta_data: { document_title: 'Manual', section: '1' } })],
      'streamChatCompletionEvents',
    ),
  ),
  unexercised('streams.sources-kept', 'streamThreadRun', 'a stream may show no sources', (s) =>
    sourced(s, [[], []], [source('A')]),
  ),
  notBlamed('streams.sources-kept', '', 'a source that is none, and sources that are no list', (s) => {
    sourced(s, [[], [{ content: 'A' }]], [])
    sourced(s, [[], [source('A')]], null)
  }),
  unexercised('streams.sources-kept', 'streamThreadRun', 'a stream that breaks off', (s) => {
    const thread = s.assistants().thread()
    const question = s.add(thread, 'user', 'A question, please.')
    const answer = s.answer(thread, 'one')
    const [one] = s.chunks(answer, ['one'])
    const delta = { content: 'one', role: 'assistant', sources: [source('A')] }
    s.stream(thread, [], { text: ndjsonText([{ ...one, delta }]), ending: 'cut' })
    s.list(thread, listShowing([answer, question]))
  }),
]

proveOracles(streamsOracles, [
  upholds('streams.ndjson-lines', 'streamChatCompletion', 'one object a line', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'server-sent events', (s) =>
    stream(s, (list) => ({ text: list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('') })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'one JSON array', (s) =>
    stream(s, (list) => ({ text: JSON.stringify(list) })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'a line feed inside of a string is not escaped', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list).replace('"content":"', `$&${'long '.repeat(30)}\n`) })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'pretty print', (s) =>
    stream(s, (list) => ({ text: list.map((chunk) => JSON.stringify(chunk, null, 2)).join('\n') })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'objects without a line feed between them', (s) =>
    stream(s, (list) => ({ text: list.map((chunk) => JSON.stringify(chunk)).join('') })),
  ),
  noViolation('streams.ndjson-lines', '', 'CRLF, blank lines and no final newline', (s) =>
    stream(s, (list) => ({ text: list.map((chunk) => JSON.stringify(chunk)).join('\r\n\r\n') })),
  ),
  noViolation('streams.ndjson-lines', '', 'pieces that end anywhere, and U+2028 inside a text', (s) =>
    stream(s, () => {
      const text = ndjsonText(chunks(s, ['a\u2028b', 'c']))
      return {
        pieces: [
          [1, text.slice(0, 7)],
          [2, text.slice(7, 150)],
          [3, text.slice(150)],
        ],
      }
    }),
  ),
  noViolation('streams.ndjson-lines', '', 'an error told inside a stream', (s) =>
    stream(s, (list) => ({ text: ndjsonText([...list, { error_code: 'api_timeout_error', detail: 'late' }]) })),
  ),
  upholds('streams.utf8', 'streamChatCompletion', 'characters beyond the BMP', (s) =>
    stream(s, () => ({ text: ndjsonText(chunks(s, ['🦊', 'x'])) })),
  ),
  violates('streams.utf8', 'streamChatCompletion', 'a byte order mark ahead of the first line', (s) =>
    stream(s, (list) => ({ text: `\uFEFF${ndjsonText(list)}` })),
  ),
  violates('streams.utf8', 'streamChatCompletion', 'a character cut in half', (s) => {
    stream(s, (list) => ({ text: ndjsonText(list) }))
    const exchange = s.last
    const raw = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xf0, 0x9f, 0xa6]), Buffer.from('"}\n')])
    Object.assign(exchange.response ?? {}, { pieces: [{ atMs: 1, bytes: { base64: raw.toString('base64') } }] })
  }),
  upholds('streams.not-empty', 'streamChatCompletion', 'one chunk is enough', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list.slice(0, 1)) })),
  ),
  violates('streams.not-empty', 'streamChatCompletion', 'no chunk at all', (s) => stream(s, () => ({ text: '' }))),
  upholds('streams.text-delta', 'streamChatCompletion', 'text in content', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.text-delta', 'streamChatCompletion', 'blocks on the text endpoint', (s) =>
    stream(s, (list) => ({ text: ndjsonText(delta(list, { content: undefined, ...reasoning })) })),
  ),
  violates('streams.text-delta', 'streamChatCompletion', 'both variants at once', (s) =>
    stream(s, (list) => ({ text: ndjsonText(delta(list, reasoning)) })),
  ),
  noViolation('streams.text-delta', '', 'null for the other variant, and an empty fragment', (s) =>
    stream(s, (list) => ({ text: ndjsonText(delta(list, { content: '', content_blocks: null })) })),
  ),
  upholds('streams.blocks-delta', 'streamChatCompletionEvents', 'a list of blocks', (s) => events(s, reasoning)),
  violates('streams.blocks-delta', 'streamChatCompletionEvents', 'text on the events endpoint', (s) =>
    events(s, { content: 'text' }),
  ),
  violates('streams.blocks-delta', 'streamChatCompletionEvents', 'a block that is a string', (s) =>
    events(s, { content_blocks: ['Hm.'] }),
  ),
  upholds('streams.block-has-type', 'streamChatCompletionEvents', 'a block of an unknown type', (s) =>
    events(s, { content_blocks: [{ type: 'text', text: 'x' }] }),
  ),
  violates('streams.block-has-type', 'streamChatCompletionEvents', 'a block without a type', (s) =>
    events(s, { content_blocks: [{ text: 'x' }] }),
  ),
  upholds('streams.reasoning-block', 'streamChatCompletionEvents', 'reasoning is a string', (s) =>
    events(s, reasoning),
  ),
  violates('streams.reasoning-block', 'streamChatCompletionEvents', 'reasoning under another name', (s) =>
    events(s, { content_blocks: [{ type: 'reasoning', text: 'Hm.' }] }),
  ),
  upholds('streams.delta-role', 'streamChatCompletion', 'the assistant speaks', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.delta-role', 'streamChatCompletion', 'the bot speaks', (s) =>
    stream(s, (list) => ({ text: ndjsonText(delta(list, { role: 'bot' })) })),
  ),
  upholds('streams.one-message', 'streamChatCompletion', 'one message_id', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.one-message', 'streamChatCompletion', 'a message_id for each chunk', (s) =>
    stream(s, (list) => ({ text: ndjsonText(second(list, { message_id: s.id() })) })),
  ),
  upholds('streams.one-thread', 'streamChatCompletion', 'one thread_id', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.one-thread', 'streamChatCompletion', 'another thread_id in the last chunk', (s) =>
    stream(s, (list) => ({ text: ndjsonText(second(list, { thread_id: s.id() })) })),
  ),
  upholds('streams.created-at-order', 'streamChatCompletion', 'equal stamps are in order', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates('streams.created-at-order', 'streamChatCompletion', 'a stamp goes back', (s) =>
    stream(s, (list) => ({ text: ndjsonText(second(list, { created_at: timestampText(1) })) })),
  ),
  upholds('streams.joined-equals-stored', 'streamThreadRun', 'what was streamed is stored', (s) => {
    const thread = asked(s)
    s.stream(thread)
    s.list(thread)
  }),
  violates('streams.joined-equals-stored', 'streamThreadRun', 'the stored answer is trimmed', (s) => {
    const thread = asked(s)
    const [chunk] = s.stream(thread, ['  indented ', 'answer'])
    const message = { ...s.answer(thread, 'indented answer'), id: chunk?.message_id }
    s.list(thread, { with: { items: [message] } })
  }),
  noViolation('streams.joined-equals-stored', '', 'a stream that broke off may be stored in any way', (s) => {
    const thread = asked(s)
    const [chunk] = s.stream(thread, ['one ', 'two'], { ending: 'cut' })
    const part = { ...s.answer(thread, 'one'), id: chunk?.message_id }
    s.list(thread, { with: { items: [part, ...listed(s, thread)] } })
  }),
  upholds('streams.progressive', 'streamChatCompletion', 'chunks arrive as they are made', (s) =>
    paced(s, [100, 2100]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'all chunks arrive in one lump', (s) =>
    paced(s, [2100, 2101]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'a stall of the suite does not explain the lump', (s) =>
    paced(s, [2100, 2101], { loopLagMs: 900 }),
  ),
  inconclusive('streams.progressive', 'streamChatCompletion', 'the suite itself was late', (s) =>
    paced(s, [2100, 2101], { loopLagMs: 1500 }),
  ),
  inconclusive('streams.progressive', 'streamChatCompletion', 'stamps of whole seconds tell nothing', (s) =>
    paced(s, [10, 12], { at: [0, 20] }),
  ),
  inconclusive('streams.progressive', 'streamChatCompletion', 'a fast answer tells nothing', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  upholds('streams.ends-whole', 'streamChatCompletion', 'a last line without its line feed is whole', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list).trimEnd() })),
  ),
  violates('streams.ends-whole', 'streamChatCompletion', 'a regular end in the middle of a chunk', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list).slice(0, -20) })),
  ),
  inconclusive('streams.ends-whole', 'streamChatCompletion', 'a connection that breaks is no regular end', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list).slice(0, -20), ending: 'cut' })),
  ),
  upholds('streams.streaming-assistant-streams', 'streamChatCompletion', 'an assistant that streams', (s) =>
    stream(s, (list) => ({ text: ndjsonText(list) })),
  ),
  violates(
    'streams.streaming-assistant-streams',
    'streamChatCompletion',
    'an assistant that streams is refused',
    (s) => {
      s.assistants()
      s.completeStream({}, rejectedWith('engine_does_not_support_streaming'))
    },
  ),
  noViolation(
    'streams.streaming-assistant-streams',
    '',
    'an assistant that does not stream may be refused or answer in one chunk',
    (s) => {
      s.assistants()
      s.completeStream({ assistant_id: assistantIds.whole }, rejectedWith('engine_does_not_support_streaming'))
      s.completeStream({ assistant_id: assistantIds.whole })
    },
  ),
  upholds('streams.run-refused-without-support', 'streamThreadRun', 'the code of the table', (s) => {
    const thread = s.assistants().thread({}, assistantIds.whole)
    s.add(thread, 'user', 'A question, please.')
    s.stream(thread, [], rejectedWith('engine_does_not_support_streaming'))
  }),
  violates(
    'streams.run-refused-without-support',
    'streamThreadRun',
    'an assistant that does not stream streams',
    (s) => {
      const thread = s.assistants().thread({}, assistantIds.whole)
      s.add(thread, 'user', 'A question, please.')
      s.stream(thread)
    },
  ),
  violates('streams.same-acceptance', 'streamChatCompletion', 'only the plain form looks for a user message', (s) => {
    const body = { messages: [{ role: 'system', content: 'Be kind.' }] }
    s.assistants()
    s.complete(body, rejectedWith('bad_request'))
    s.completeStream(body)
  }),
  upholds('streams.same-acceptance', 'streamThreadRun', 'both forms run a thread that is ready', (s) => {
    s.run(asked(s))
    s.stream(asked(s))
  }),
  violates('streams.same-acceptance', 'streamThreadRun', 'only the plain form looks for a user message', (s) => {
    s.assistants().run(s.thread(), '', rejectedWith('bad_request'))
    s.stream(s.thread())
  }),
  violates(
    'streams.same-acceptance',
    'streamThreadRun',
    'only the plain form looks for one in a longer thread',
    (s) => {
      const thread = s.assistants().thread()
      s.run(thread, '', rejectedWith('bad_request'))
      s.stream(thread, [], rejectedWith('bad_request'))
      s.add(thread, 'system', 'Be kind.')
      s.run(thread, '', rejectedWith('bad_request'))
      s.stream(thread)
    },
  ),
  violates('streams.same-acceptance', 'streamThreadRun', 'only the streamed form refuses a second turn', (s) => {
    s.stream(asked(s))
    for (const form of ['run', 'stream'] as const) {
      const thread = asked(s)
      s.run(thread)
      s.add(thread, 'user', 'And another question.')
      if (form === 'run') s.run(thread)
      else s.stream(thread, [], rejectedWith('bad_request'))
    }
  }),
  upholds('streams.whole-form-does-not-stream', 'runThread', 'a plain run answers whole', (s) => s.run(asked(s))),
  violates('streams.whole-form-does-not-stream', 'runThread', 'a plain run streams', (s) =>
    s.run(asked(s), '', { text: ndjsonText(chunks(s)) }),
  ),
  upholds('streams.answer-belongs-to-thread', 'streamThreadRun', 'chunks carry the thread of the path', (s) =>
    s.stream(asked(s)),
  ),
  violates('streams.answer-belongs-to-thread', 'runThread', 'the answer carries another thread', (s) =>
    s.run(asked(s), 'x', { with: { thread_id: s.id() } }),
  ),
  noViolation(
    'streams.run-refused-without-support',
    '',
    'a thread of an unknown assistant may be refused a stream',
    (s) => {
      s.assistants([assistant(assistantIds.plain), assistant(assistantIds.whole, false)])
      const thread = s.thread({ with: { assistant_id: undefined }, sends: '{}' })
      s.add(thread, 'user', 'A question, please.')
      s.stream(thread, [], rejectedWith('engine_does_not_support_streaming'))
    },
  ),
  ...streamCases,
  ...sourceCases,
])
