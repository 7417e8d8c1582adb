/** Near misses of chapter streams: what is almost a violation, and what almost shows that a rule is kept. */

import { listShowing } from '../../../../test/trace-builder/listings.ts'
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
  fieldError,
  ndjsonText,
  rejectedWith,
  timestampText,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'

const good = (s: TraceBuilder, fragments: readonly string[] = ['one ', 'two']): readonly Fields[] =>
  s.chunks(s.answer(s.id(), fragments.join('')), fragments)
/** A streamed completion whose body is made from good chunks. */
const stream = (s: TraceBuilder, make: (chunks: readonly Fields[]) => Change): void => {
  s.assistants()
  s.completeStream({}, make(good(s)))
}
const asked = (s: TraceBuilder, id: string = assistantIds.plain): string => {
  const thread = s.assistants().thread({}, id)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
/** Chunks with these stamps, in microseconds, or none, that arrive after so many milliseconds. */
const paced = (
  s: TraceBuilder,
  micros: readonly (number | null)[],
  afterMs: readonly number[],
  more: Change = {},
): void => {
  s.assistants()
  const chunks = good(s, micros.map(String))
  s.completeStream(
    {},
    {
      at: [1000, 4000],
      pieces: chunks.map((chunk, at) => [
        afterMs[at] ?? 0,
        `${JSON.stringify({ ...chunk, created_at: stampAt(micros[at] ?? null) })}\n`,
      ]),
      ...more,
    },
  )
}
const stampAt = (micros: number | null): string | undefined => (micros === null ? undefined : timestampText(micros))
/** Replaces the bytes of the last answer. */
const sendBytes = (s: TraceBuilder, ...parts: readonly (string | readonly number[])[]): void => {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
  Object.assign(s.last.response ?? {}, { pieces: [{ atMs: 1, bytes: { base64: bytes.toString('base64') } }] })
}
const fox = [0xf0, 0x9f, 0xa6]
const unsupported = rejectedWith('engine_does_not_support_streaming')
const no = rejectedWith('bad_request')

/** An answer in two blocks, and the list that shows it with this content. */
const inBlocks = (s: TraceBuilder, texts: readonly string[], content: string): void => {
  s.assistants()
  const message = s.answer(s.id(), content)
  const lines = s.chunks(message, texts).map((chunk, at) => {
    const { content: _text, ...delta } = chunk.delta as Fields
    return { ...chunk, delta: { ...delta, content_blocks: [{ type: 'text', text: texts[at] }] } }
  })
  s.send('streamChatCompletionEvents', { json: s.body() }, null, { text: ndjsonText(lines) })
  s.list(String(message.thread_id), listShowing([message]))
}

const framingCases: readonly OracleCase[] = [
  violates('streams.utf8', 'streamChatCompletionEvents', 'a character is cut between two blocks', (s) =>
    inBlocks(s, ['It is \ufffd', '\ufffdt.'], 'It is öt.'),
  ),
  upholds('streams.utf8', 'streamChatCompletionEvents', 'an answer that has the character itself', (s) =>
    inBlocks(s, ['It is \ufffd', 't.'], 'It is \ufffdt.'),
  ),
  ...Object.entries({
    'a word': 'hello\n',
    'a closing brace': '}\n',
    'the data of another field': '{"a":1}\nmetadata: x\n',
    'an event': 'event: chunk\n',
  }).map(([what, text]) =>
    violates('streams.ndjson-lines', 'streamChatCompletion', `${what} is no chunk`, (s) => stream(s, () => ({ text }))),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'a broken line in the middle', (s) =>
    stream(s, (chunks) => ({ text: `${ndjsonText(chunks.slice(0, 1))}{"a":\n${ndjsonText(chunks.slice(1))}` })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'a broken line with its line feed, cut afterwards', (s) =>
    stream(s, (chunks) => ({ text: `${ndjsonText(chunks)}{"a":\n`, ending: 'cut' })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'a single broken line that ends regularly', (s) =>
    stream(s, () => ({ text: '{"a":' })),
  ),
  violates('streams.ndjson-lines', 'streamChatCompletion', 'a whole last line that is no object', (s) =>
    stream(s, (chunks) => ({ text: `${ndjsonText(chunks)}"end"` })),
  ),
  noViolation('streams.ndjson-lines', '', 'what is left of the first line when a stream breaks off', (s) =>
    stream(s, () => ({ text: '{"a":', ending: 'cut' })),
  ),
  unexercised('streams.ndjson-lines', 'streamChatCompletion', 'a stream that broke off before its first line', (s) =>
    stream(s, () => ({ text: '', ending: 'cut' })),
  ),
  noViolation('streams.utf8', '', 'a character that the end of the connection cut', (s) => {
    stream(s, (chunks) => ({ text: ndjsonText(chunks), ending: 'cut' }))
    sendBytes(s, '{"a":"', fox)
  }),
  ...Object.entries({ '"}\n': 'in a whole line', '"}\n{"b":': 'in a line before the last' }).map(([rest, where]) =>
    violates('streams.utf8', 'streamChatCompletion', `a character is cut ${where} of a stream that breaks off`, (s) => {
      stream(s, (chunks) => ({ text: ndjsonText(chunks), ending: 'cut' }))
      sendBytes(s, '{"a":"', fox, rest)
    }),
  ),
  violates('streams.utf8', 'streamChatCompletion', 'a character is cut at a regular end', (s) => {
    stream(s, (chunks) => ({ text: ndjsonText(chunks) }))
    sendBytes(s, '{"a":1}\n{"a":"', fox)
  }),
  unexercised('streams.not-empty', 'streamChatCompletion', 'a stream that broke off may have held more', (s) =>
    stream(s, () => ({ text: '', ending: 'cut' })),
  ),
]

const chunkCases: readonly OracleCase[] = [
  ...(['message_id', 'thread_id', 'created_at'] as const).map((name) =>
    violates(
      'resources.chunk-fields',
      `streamChatCompletion ${name}`,
      `a chunk whose ${name} is a number is compared with none`,
      (s) =>
        stream(s, (chunks) => ({
          text: ndjsonText([{ ...chunks[0], [name]: 7 }, ...chunks, { ...chunks[1], [name]: 7 }]),
        })),
    ),
  ),
  violates('resources.timestamp-format', 'streamChatCompletion', 'stamps of another form are in no order', (s) =>
    stream(s, (chunks) => ({
      text: ndjsonText(chunks.map((chunk, at) => ({ ...chunk, created_at: `${2027 - at}-01-01` }))),
    })),
  ),
  upholds('streams.answer-belongs-to-thread', 'runThread', 'a thread in capitals is the same thread', (s) => {
    const thread = s.assistants().thread({ with: { id: '00000000-0000-4000-8abc-000000000070' } })
    s.add(thread, 'user', 'A question, please.')
    s.run(thread, 'The answer.', { with: { thread_id: thread.toUpperCase() } })
  }),
  violates('streams.answer-belongs-to-thread', 'streamThreadRun', 'the second chunk carries another thread', (s) => {
    const thread = asked(s)
    const [one, two] = s.chunks(s.answer(thread, 'one two'), ['one ', 'two'])
    s.stream(thread, ['one ', 'two'], { text: ndjsonText([one, { ...two, thread_id: s.id() }]) })
  }),
]

const paceCases: readonly OracleCase[] = [
  upholds('streams.progressive', 'streamChatCompletion', 'half of the span is enough', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [1000, 1500, 2000]),
  ),
  inconclusive('streams.progressive', 'streamChatCompletion', 'between a quarter and a half nobody knows', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [1000, 1500, 1900]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'a quarter is too little', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [2000, 2300, 2500]),
  ),
  upholds('streams.progressive', 'streamChatCompletion', 'a tenth of a second tells', (s) =>
    paced(s, [0, 50_000, 100_000], [0, 50, 100]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'a tenth of a second arrives at once', (s) =>
    paced(s, [0, 50_000, 100_000], [100, 100, 100]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'stamps that span little more than the exchange', (s) =>
    paced(s, [0, 1_000_000, 3_100_000], [2900, 2900, 2900]),
  ),
  violates('streams.progressive', 'streamChatCompletion', 'a late chunk without a stamp shows no progress', (s) =>
    paced(s, [0, 1_000_000, null], [500, 500, 2000]),
  ),
  unexercised('streams.progressive', 'streamChatCompletion', 'one chunk, or a stream that broke off', (s) => {
    paced(s, [0], [100])
    paced(s, [0, 1_000_000, 2_000_000], [2900, 2900, 2900], { at: [10_000, 14_000], ending: 'cut' })
  }),
]

const storedCases: readonly OracleCase[] = [
  unexercised('streams.joined-equals-stored', 'streamThreadRun', 'nothing was streamed, or nothing was listed', (s) => {
    const thread = asked(s)
    s.stream(thread, [], rejectedWith('internal_service_error', 503))
    s.stream(thread)
  }),
  violates(
    'resources.message-fields',
    'listMessages content',
    'a listed answer without content is no other content',
    (s) => {
      const thread = asked(s)
      s.stream(thread)
      const [answer, question] = s.list(thread).items as Fields[]
      s.list(thread, { body: { cursor: null, items: [{ ...answer, content: undefined }, question] } })
    },
  ),
]

/** The same completion in both forms, with these answers. */
const both = (s: TraceBuilder, body: Fields, plain: Change, streamed: Change): void => {
  s.assistants()
  s.complete(body, plain)
  s.completeStream(body, streamed)
}
const noUuid = { status: 422, body: fieldError(['body', 'user_id'], 'uuid_parsing') }
const noMessages = { status: 422, body: fieldError(['body', 'messages'], 'value_error') }
const noUser = { messages: [{ role: 'system', content: 'Be kind.' }] }
const passesParity = (law: string, tell: (s: TraceBuilder) => void): OracleCase =>
  unexercised('streams.same-acceptance', 'streamChatCompletion', law, tell)

const acceptanceCases: readonly OracleCase[] = [
  upholds('streams.same-acceptance', 'streamChatCompletion', 'both forms refuse, with one code', (s) =>
    both(s, { user_id: 'ann' }, noUuid, noUuid),
  ),
  violates('streams.same-acceptance', 'streamChatCompletion', 'one fault has two codes', (s) =>
    both(s, { user_id: 'ann' }, no, rejectedWith('validation_error_of_mine')),
  ),
  upholds('streams.same-acceptance', 'streamChatCompletion', 'of two faults either may be told first', (s) =>
    both(s, { ...noUser, user_id: 'ann' }, no, noUuid),
  ),
  passesParity('another body', (s) => {
    s.assistants()
    s.complete(noUser, noMessages)
    s.completeStream()
  }),
  passesParity('another key', (s) => {
    s.assistants().assistants(undefined, { as: 'secondary' })
    s.complete()
    s.completeStream({}, { as: 'secondary' })
  }),
  passesParity('no key', (s) =>
    both(s, {}, { as: null, ...rejectedWith('a', 401) }, { as: null, ...rejectedWith('b', 403) }),
  ),
  passesParity('silence', (s) => both(s, {}, { silent: true }, {})),
  passesParity('an assistant that does not stream', (s) =>
    both(s, { assistant_id: assistantIds.whole }, {}, unsupported),
  ),
  passesParity('one form that says both', (s) => {
    s.assistants()
    const ambiguous = { temperature: 1 }
    s.complete(ambiguous)
    s.complete(ambiguous, no)
    s.completeStream(ambiguous, no)
  }),
  unexercised(
    'streams.same-acceptance',
    'streamThreadRun',
    'a run behind an answer is refused only as a stream',
    (s) => {
      const thread = asked(s)
      s.add(thread, 'assistant', 'Said by a client.')
      s.run(thread)
      const other = asked(s)
      s.add(other, 'assistant', 'Said by a client.')
      s.stream(other, [], no)
    },
  ),
  unexercised('streams.same-acceptance', 'streamThreadRun', 'a run of an assistant that does not stream', (s) => {
    s.run(asked(s, assistantIds.whole))
    s.stream(asked(s, assistantIds.whole), [], unsupported)
  }),
  inconclusive('streams.run-refused-without-support', 'streamThreadRun', 'silence says nothing', (s) =>
    s.stream(asked(s, assistantIds.whole), [], { silent: true }),
  ),
  violates('streams.run-refused-without-support', 'streamThreadRun', 'only the second tenant has such an one', (s) => {
    s.assistants([assistant(assistantIds.plain)])
    s.assistants([assistant(assistantIds.whole, false)], { as: 'secondary' })
    const thread = s.thread({ as: 'secondary' }, assistantIds.whole)
    s.add(thread, 'user', 'A question, please.', { as: 'secondary' })
    s.stream(thread, [], { as: 'secondary', ...no })
  }),
  violates('resources.timestamp-format', 'streamThreadRun created_at', 'chunks in the time of another zone', (s) => {
    const thread = asked(s)
    const [first] = s.stream(thread)
    const created_at = String(first?.created_at).replace('T00', 'T02')
    s.list(thread, listShowing([{ ...s.answer(thread, 'The answer.'), id: first?.message_id, created_at }]))
  }),
  violates('streams.run-refused-without-support', 'streamThreadRun', 'another code', (s) =>
    s.stream(asked(s, assistantIds.whole), [], no),
  ),
  unexercised('streams.streaming-assistant-streams', 'streamChatCompletion', 'a wrong request may be refused', (s) => {
    s.assistants()
    s.completeStream(noUser, noMessages)
    s.completeStream({ assistant_id: undefined }, { status: 422, body: fieldError(['body', 'assistant_id']) })
    s.completeStream({ assistant_id: assistantIds.foreign }, rejectedWith('assistant_not_available', 403))
  }),
]

/** Cases of all the requirements of the chapter, and of others that a stream may break beside them. */
export const streamCases: readonly OracleCase[] = [
  ...framingCases,
  ...chunkCases,
  ...paceCases,
  ...storedCases,
  ...acceptanceCases,
]
