/** Near misses of chapter streams: what is almost a violation, and what almost shows that a rule is kept. */
import { assistantIds, type Fields, fieldError, lines, refused, stamp } from '../trace-notation/material.ts'
import { allows, breaks, keeps, leavesOpen, type OracleCase, passesBy } from '../trace-notation/prove.ts'
import type { Change, Story } from '../trace-notation.ts'

const good = (s: Story, fragments: readonly string[] = ['one ', 'two']): readonly Fields[] =>
  s.chunks(s.answer(s.id(), fragments.join('')), fragments)
/** A streamed completion whose body is made from good chunks. */
const stream = (s: Story, make: (chunks: readonly Fields[]) => Change): void => {
  s.assistants()
  s.completeStream({}, make(good(s)))
}
const asked = (s: Story, assistant: string = assistantIds.plain): string => {
  const thread = s.assistants().thread({}, assistant)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
/** Three chunks with these stamps, in microseconds, that arrive after so many milliseconds. */
const paced = (s: Story, micros: readonly number[], afterMs: readonly number[], more: Change = {}): void => {
  s.assistants()
  const chunks = good(s, micros.map(String))
  s.completeStream(
    {},
    {
      at: [1000, 4000],
      pieces: chunks.map((chunk, at) => [
        afterMs[at] ?? 0,
        `${JSON.stringify({ ...chunk, created_at: stamp(micros[at] ?? 0) })}\n`,
      ]),
      ...more,
    },
  )
}
/** Replaces the bytes of the last answer. */
const sendBytes = (s: Story, ...parts: readonly (string | readonly number[])[]): void => {
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
  Object.assign(s.last.response ?? {}, { pieces: [{ atMs: 1, bytes: { base64: bytes.toString('base64') } }] })
}
const fox = [0xf0, 0x9f, 0xa6]
const unsupported = refused('engine_does_not_support_streaming')
const no = refused('bad_request')

const framingCases: readonly OracleCase[] = [
  ...Object.entries({
    'a word': 'hello\n',
    'a closing brace': '}\n',
    'the data of another field': '{"a":1}\nmetadata: x\n',
    'an event': 'event: chunk\n',
  }).map(([what, text]) =>
    breaks('streams.ndjson-lines', 'streamChatCompletion', `${what} is no chunk`, (s) => stream(s, () => ({ text }))),
  ),
  breaks('streams.ndjson-lines', 'streamChatCompletion', 'a broken line in the middle', (s) =>
    stream(s, (chunks) => ({ text: `${lines(chunks.slice(0, 1))}{"a":\n${lines(chunks.slice(1))}` })),
  ),
  breaks('streams.ndjson-lines', 'streamChatCompletion', 'a broken line with its line feed, cut afterwards', (s) =>
    stream(s, (chunks) => ({ text: `${lines(chunks)}{"a":\n`, ending: 'cut' })),
  ),
  breaks('streams.ndjson-lines', 'streamChatCompletion', 'a single broken line that ends regularly', (s) =>
    stream(s, () => ({ text: '{"a":' })),
  ),
  breaks('streams.ndjson-lines', 'streamChatCompletion', 'a whole last line that is no object', (s) =>
    stream(s, (chunks) => ({ text: `${lines(chunks)}"end"` })),
  ),
  allows('streams.ndjson-lines', '', 'what is left of the first line when a stream breaks off', (s) =>
    stream(s, () => ({ text: '{"a":', ending: 'cut' })),
  ),
  passesBy('streams.ndjson-lines', 'streamChatCompletion', 'a stream that broke off before its first line', (s) =>
    stream(s, () => ({ text: '', ending: 'cut' })),
  ),
  allows('streams.utf8', '', 'a character that the end of the connection cut', (s) => {
    stream(s, (chunks) => ({ text: lines(chunks), ending: 'cut' }))
    sendBytes(s, '{"a":"', fox)
  }),
  ...Object.entries({ '"}\n': 'in a whole line', '"}\n{"b":': 'in a line before the last' }).map(([rest, where]) =>
    breaks('streams.utf8', 'streamChatCompletion', `a character is cut ${where} of a stream that breaks off`, (s) => {
      stream(s, (chunks) => ({ text: lines(chunks), ending: 'cut' }))
      sendBytes(s, '{"a":"', fox, rest)
    }),
  ),
  breaks('streams.utf8', 'streamChatCompletion', 'a character is cut at a regular end', (s) => {
    stream(s, (chunks) => ({ text: lines(chunks) }))
    sendBytes(s, '{"a":1}\n{"a":"', fox)
  }),
  passesBy('streams.not-empty', 'streamChatCompletion', 'a stream that broke off may have held more', (s) =>
    stream(s, () => ({ text: '', ending: 'cut' })),
  ),
]

const chunkCases: readonly OracleCase[] = [
  ...(['message_id', 'thread_id', 'created_at'] as const).map((name) =>
    breaks(
      'resources.chunk-fields',
      `streamChatCompletion ${name}`,
      `a chunk whose ${name} is a number is compared with none`,
      (s) =>
        stream(s, (chunks) => ({ text: lines([{ ...chunks[0], [name]: 7 }, ...chunks, { ...chunks[1], [name]: 7 }]) })),
    ),
  ),
  breaks('resources.timestamp-format', 'streamChatCompletion', 'stamps of another form are in no order', (s) =>
    stream(s, (chunks) => ({
      text: lines(chunks.map((chunk, at) => ({ ...chunk, created_at: `${2027 - at}-01-01` }))),
    })),
  ),
  keeps('streams.answer-belongs-to-thread', 'runThread', 'a thread in capitals is the same thread', (s) => {
    const thread = s.assistants().thread({ with: { id: '00000000-0000-4000-8abc-000000000070' } })
    s.add(thread, 'user', 'A question, please.')
    s.run(thread, 'The answer.', { with: { thread_id: thread.toUpperCase() } })
  }),
  breaks('streams.answer-belongs-to-thread', 'streamThreadRun', 'the second chunk carries another thread', (s) => {
    const thread = asked(s)
    const [one, two] = s.chunks(s.answer(thread, 'one two'), ['one ', 'two'])
    s.stream(thread, ['one ', 'two'], { text: lines([one, { ...two, thread_id: s.id() }]) })
  }),
]

const paceCases: readonly OracleCase[] = [
  keeps('streams.progressive', 'streamChatCompletion', 'half of the span is enough', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [1000, 1500, 2000]),
  ),
  leavesOpen('streams.progressive', 'streamChatCompletion', 'between a quarter and a half nobody knows', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [1000, 1500, 1900]),
  ),
  breaks('streams.progressive', 'streamChatCompletion', 'a quarter is too little', (s) =>
    paced(s, [0, 1_000_000, 2_000_000], [2000, 2300, 2500]),
  ),
  keeps('streams.progressive', 'streamChatCompletion', 'a tenth of a second tells', (s) =>
    paced(s, [0, 50_000, 100_000], [0, 50, 100]),
  ),
  breaks('streams.progressive', 'streamChatCompletion', 'a tenth of a second arrives at once', (s) =>
    paced(s, [0, 50_000, 100_000], [100, 100, 100]),
  ),
  breaks('streams.progressive', 'streamChatCompletion', 'stamps that span little more than the exchange', (s) =>
    paced(s, [0, 1_000_000, 3_100_000], [2900, 2900, 2900]),
  ),
  passesBy('streams.progressive', 'streamChatCompletion', 'one chunk, or a stream that broke off', (s) => {
    paced(s, [0], [100])
    paced(s, [0, 1_000_000, 2_000_000], [2900, 2900, 2900], { at: [10_000, 14_000], ending: 'cut' })
  }),
]

const storedCases: readonly OracleCase[] = [
  passesBy('streams.joined-equals-stored', 'streamThreadRun', 'nothing was streamed, or nothing was listed', (s) => {
    const thread = asked(s)
    s.stream(thread, [], refused('internal_service_error', 503))
    s.stream(thread)
  }),
  breaks(
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
const both = (s: Story, body: Fields, plain: Change, streamed: Change): void => {
  s.assistants()
  s.complete(body, plain)
  s.completeStream(body, streamed)
}
const noUuid = { status: 422, body: fieldError(['body', 'user_id'], 'uuid_parsing') }
const noUser = { messages: [{ role: 'system', content: 'Be kind.' }] }
const passesParity = (law: string, tell: (s: Story) => void): OracleCase =>
  passesBy('streams.same-acceptance', 'streamChatCompletion', law, tell)

const acceptanceCases: readonly OracleCase[] = [
  keeps('streams.same-acceptance', 'streamChatCompletion', 'both forms refuse, with one code', (s) =>
    both(s, { user_id: 'ann' }, noUuid, noUuid),
  ),
  breaks('streams.same-acceptance', 'streamChatCompletion', 'one fault has two codes', (s) =>
    both(s, { user_id: 'ann' }, no, refused('validation_error_of_mine')),
  ),
  keeps('streams.same-acceptance', 'streamChatCompletion', 'of two faults either may be told first', (s) =>
    both(s, { ...noUser, user_id: 'ann' }, no, noUuid),
  ),
  passesParity('another body', (s) => {
    s.assistants()
    s.complete(noUser, no)
    s.completeStream()
  }),
  passesParity('another key', (s) => {
    s.assistants().assistants(undefined, { as: 'secondary' })
    s.complete()
    s.completeStream({}, { as: 'secondary' })
  }),
  passesParity('no key', (s) => both(s, {}, { as: null, ...refused('a', 401) }, { as: null, ...refused('b', 403) })),
  passesParity('silence', (s) => both(s, {}, { silent: true }, {})),
  passesParity('an assistant that does not stream', (s) =>
    both(s, { assistant_id: assistantIds.whole }, {}, unsupported),
  ),
  passesParity('one form that says both', (s) => {
    s.assistants()
    const doubtful = { temperature: 1 }
    s.complete(doubtful)
    s.complete(doubtful, no)
    s.completeStream(doubtful, no)
  }),
  passesBy('streams.same-acceptance', 'streamThreadRun', 'a run behind an answer is refused only as a stream', (s) => {
    const thread = asked(s)
    s.add(thread, 'assistant', 'Said by a client.')
    s.run(thread)
    const other = asked(s)
    s.add(other, 'assistant', 'Said by a client.')
    s.stream(other, [], no)
  }),
  passesBy('streams.same-acceptance', 'streamThreadRun', 'a run of an assistant that does not stream', (s) => {
    s.run(asked(s, assistantIds.whole))
    s.stream(asked(s, assistantIds.whole), [], unsupported)
  }),
  leavesOpen('streams.run-refused-without-support', 'streamThreadRun', 'silence says nothing', (s) =>
    s.stream(asked(s, assistantIds.whole), [], { silent: true }),
  ),
  breaks('streams.run-refused-without-support', 'streamThreadRun', 'another code', (s) =>
    s.stream(asked(s, assistantIds.whole), [], no),
  ),
  passesBy('streams.streaming-assistant-streams', 'streamChatCompletion', 'a wrong request may be refused', (s) => {
    s.assistants()
    s.completeStream(noUser, no)
    s.completeStream({ assistant_id: undefined }, { status: 422, body: fieldError(['body', 'assistant_id']) })
    s.completeStream({ assistant_id: assistantIds.foreign }, refused('assistant_not_available', 403))
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
