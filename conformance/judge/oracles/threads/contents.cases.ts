/** Cases about the contents of a thread: lists against writes, in the order of the chapter's requirements. */

import {
  notBlamed,
  noViolation,
  type OracleCase,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import {
  type Fields,
  ndjsonText,
  rejectedWith,
  timestampText,
  uuid,
} from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { interruptedRun } from '../../../trace/exchange.ts'

const spellings: Readonly<Record<string, (id: string) => string>> = {
  'without hyphens': (id) => id.replaceAll('-', ''),
  'as a URN': (id) => `urn:uuid:${id}`,
}
const begun = (s: TraceBuilder): string => s.assistants().thread()
const no = rejectedWith('bad_request')
/** Two messages, and a list that shows the messages of the test. */
const listed = (s: TraceBuilder, items: (older: Fields, newer: Fields) => readonly Fields[]): string => {
  const thread = begun(s)
  const older = s.add(thread, 'user', 'The first message.')
  const newer = s.add(thread, 'user', 'The second message.')
  s.list(thread, { body: { cursor: null, items: items(older, newer) } })
  return thread
}
/** A run and a later list that shows the messages of the test. */
const ran = (s: TraceBuilder, items: (question: Fields, answer: Fields) => readonly Fields[], stream = false): void => {
  const thread = begun(s)
  const question = s.add(thread, 'user', 'A question, please.')
  if (stream) s.stream(thread)
  const answer = stream ? ((s.list(thread).items as Fields[])[0] ?? {}) : s.run(thread)
  s.list(thread, { body: { cursor: null, items: items(question, answer) } })
}
const streamed = {
  probe: 'threads.run-stream',
  operation: 'streamThreadRun',
  purpose: 'valid',
  expects: 'accepted',
} as const
/** A stream without an answer, and a message behind it of which a list shows two copies. */
const saidInside = (s: TraceBuilder, lost: Change): void => {
  const thread = begun(s)
  const question = s.add(thread, 'user', 'A question, please.')
  s.stream(thread, [], { silent: true, ...lost })
  const said = s.add(thread, 'user', 'One more thing.')
  s.list(thread, { body: { cursor: null, items: [said, copy(s, said), question] } })
}
/** Messages that are added at the same time, and a list behind them. */
const together = (s: TraceBuilder, lost: number): void => {
  const thread = begun(s)
  const added = [0, 1, 2, 3].map((index) =>
    s.add(thread, 'user', `Message number ${index}.`, { at: [100 + index, 200 + index] }),
  )
  const items = added.filter((_, index) => index !== lost).reverse()
  s.list(thread, { body: { cursor: null, items } })
  s.list(thread, { body: { cursor: null, items } })
}
/** A completion that names its thread is answered in no way of the contract, and the next list shows the answer. */
const wentOnUnreadably = (s: TraceBuilder, change: (answer: Fields) => Change): void => {
  const first = s.assistants().complete()
  const thread = String(first.thread_id)
  s.list(thread, { body: { cursor: null, items: [first] } })
  const answer = s.answer(thread, 'Another answer.')
  s.complete({}, { query: `?thread_id=${thread}`, ...change(answer) })
  s.list(thread, { body: { cursor: null, items: [answer, first] } })
}
/** A message of the assistant that a client added with these fields, and a list that shows none of them. */
const listedWithout = (s: TraceBuilder, more: Fields): void => {
  const thread = begun(s)
  const answer = s.add(thread, 'assistant', 'An answer.', { with: more })
  const { meta_data: _, sources: __, ...bare } = answer
  s.list(thread, { body: { cursor: null, items: [bare] } })
}
const copy = (s: TraceBuilder, message: Fields): Fields => ({ ...message, id: s.id() })

/** Cases of threads.created-is-listed up to threads.run-appends-answer. */
export const threadContentCases: readonly OracleCase[] = [
  upholds('threads.created-is-listed', 'listMessages', 'both messages are there', (s) =>
    listed(s, (older, newer) => [newer, older]),
  ),
  violates('threads.created-is-listed', 'listMessages', 'an older message is lost while a newer one shows', (s) =>
    listed(s, (_, newer) => [newer]),
  ),
  violates('threads.created-is-listed', 'listMessages', 'a message stands twice on one page', (s) =>
    listed(s, (older, newer) => [newer, newer, older]),
  ),
  noViolation('threads.created-is-listed', '', 'a page of a limit of zero shows nothing', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'The first message.')
    s.list(thread, { query: '?limit=0', body: { cursor: null, items: [] } })
  }),
  upholds('threads.listed-as-created', 'listMessages created_at', 'the list shows what creation returned', (s) =>
    listed(s, (older, newer) => [newer, older]),
  ),
  violates('threads.listed-as-created', 'listMessages content', 'the list shows other words', (s) =>
    listed(s, (older, newer) => [{ ...newer, content: 'The second' }, older]),
  ),
  violates('threads.listed-as-created', 'listMessages created_at', 'the list shows another stamp', (s) =>
    listed(s, (older, newer) => [{ ...newer, created_at: timestampText(999_999) }, older]),
  ),
  violates('threads.listed-as-created', 'listMessages id', 'the list shows another id', (s) =>
    listed(s, (older, newer) => [copy(s, newer), older]),
  ),
  upholds('threads.read-your-writes', 'listMessages', 'a list shows what was acknowledged before it', (s) =>
    listed(s, (older, newer) => [newer, older]),
  ),
  violates('threads.read-your-writes', 'listMessages', 'a list is behind', (s) => listed(s, (older) => [older])),
  noViolation('threads.read-your-writes', '', 'a list that was asked for earlier need not show it', (s) => {
    const thread = begun(s)
    const first = s.add(thread, 'user', 'The first message.', { at: [100, 110] })
    s.add(thread, 'user', 'The second message.', { at: [120, 140] })
    s.list(thread, { at: [130, 150], body: { cursor: null, items: [first] } })
  }),
  noViolation('threads.read-your-writes', '', 'a message that timed out may be there or not', (s) => {
    const thread = begun(s)
    const lost = s.add(thread, 'user', 'A message without an answer.', { silent: true })
    s.list(thread, { body: { cursor: null, items: [] } })
    s.list(thread, { body: { cursor: null, items: [lost] } })
  }),
  upholds('threads.message-never-changes', 'listMessages', 'two lists show the same message', (s) => {
    const thread = listed(s, (older, newer) => [newer, older])
    s.list(thread)
  }),
  violates('threads.message-never-changes', 'listMessages', 'a message changes between two lists', (s) => {
    const thread = listed(s, (older, newer) => [newer, older])
    const [newer, older] = s.list(thread).items as Fields[]
    s.list(thread, { body: { cursor: null, items: [newer, { ...older, content: 'Edited.' }] } })
  }),
  violates('threads.message-never-changes', 'listMessages', 'every list draws new ids', (s) => {
    const thread = listed(s, (older, newer) => [copy(s, newer), copy(s, older)])
    s.list(thread, { body: { cursor: null, items: (s.list(thread).items as Fields[]).map((item) => copy(s, item)) } })
  }),
  upholds('threads.only-own-messages', 'listMessages', 'all items are of the thread', (s) =>
    listed(s, (older, newer) => [newer, older]),
  ),
  violates('threads.only-own-messages', 'listMessages', 'an item carries another thread_id', (s) =>
    listed(s, (older, newer) => [newer, { ...older, thread_id: uuid(99) }]),
  ),
  violates('threads.only-own-messages', 'listMessages', 'a message of another thread is listed as its own', (s) => {
    const other = begun(s)
    const message = s.add(other, 'user', 'Said somewhere else.')
    const thread = s.thread()
    s.list(thread, { body: { cursor: null, items: [{ ...message, thread_id: thread }] } })
  }),
  notBlamed(
    'threads.only-own-messages',
    'listMessages',
    'two assistants may give one answer, of which one is not known',
    (s) => {
      const other = s.assistants().complete({}, { with: { content: 'The answer that two of them give.' } })
      const [thread, delta] = [s.id(), { role: 'assistant', sources: [], content_blocks: [] }]
      const chunk = { created_at: s.stamp(), message_id: s.id(), thread_id: thread, delta }
      s.send('streamChatCompletionEvents', { json: s.body() }, null, { text: ndjsonText([chunk]) })
      s.list(thread, { body: { cursor: null, items: [{ ...other, thread_id: thread, id: s.id() }] } })
    },
  ),
  violates('threads.only-own-messages', 'listMessages', 'a new thread is the one before', (s) => {
    const thread = begun(s)
    const message = s.add(thread, 'user', 'Said before the second thread.')
    s.list(s.thread({ with: { id: thread } }), { body: { cursor: null, items: [message] } })
  }),
  ...Object.entries(spellings).map(([how, spell]) =>
    violates('threads.only-own-messages', 'listMessages', `a new thread is the one before, ${how}`, (s) => {
      const thread = begun(s)
      const message = s.add(thread, 'user', 'Said before the second thread.')
      s.thread({ with: { id: spell(thread) } })
      s.list(thread, { body: { cursor: null, items: [message] } })
    }),
  ),
  ...Object.entries(spellings).map(([how, spell]) =>
    violates('threads.only-own-messages', 'listMessages', `a message of another thread, its thread_id ${how}`, (s) => {
      const message = s.add(begun(s), 'user', 'Said somewhere else.')
      const thread = s.thread()
      s.list(thread, { body: { cursor: null, items: [{ ...message, thread_id: spell(thread) }] } })
    }),
  ),
  noViolation('threads.only-own-messages', '', 'a creation that is repeated before anything was said', (s) => {
    const thread = s.assistants().thread()
    s.thread({ with: { id: thread } })
    s.add(thread, 'user', 'Said after both.')
    s.list(thread)
  }),
  violates('threads.message-never-changes', 'listMessages', 'an added answer that is listed without its fields', (s) =>
    listedWithout(s, { meta_data: {}, sources: [] }),
  ),
  notBlamed('threads.message-never-changes', '', 'an added answer that has these fields nowhere', (s) =>
    listedWithout(s, { meta_data: undefined, sources: undefined }),
  ),
  upholds('threads.no-phantom-messages', 'listMessages', 'nothing but what was added', (s) =>
    listed(s, (older, newer) => [newer, older]),
  ),
  ...['/v1/%2Fthreads', '/v1/../v1/threads', '/V1//threads'].map((place) =>
    upholds('threads.no-phantom-messages', 'listMessages', `a message that was added under ${place}`, (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'Said twice.')
      s.add(thread, 'user', 'Said twice.', { path: `${place}/${thread}/messages` })
      s.list(thread)
    }),
  ),
  violates('threads.no-phantom-messages', 'listMessages', 'a second copy of a message', (s) =>
    listed(s, (older, newer) => [copy(s, newer), newer, older]),
  ),
  violates('threads.no-phantom-messages', 'listMessages', 'a message that nobody added', (s) =>
    listed(s, (older, newer) => [{ ...copy(s, newer), content: 'Boo!' }, newer, older]),
  ),
  violates('threads.no-phantom-messages', 'listMessages', 'a greeting in a thread that was made empty', (s) =>
    listed(s, (older, newer) => [
      newer,
      older,
      { ...copy(s, older), content: 'Welcome!', created_at: timestampText(0) },
    ]),
  ),
  notBlamed(
    'threads.no-phantom-messages',
    'listMessages',
    'a completion went on in the thread, and its answer cannot be read',
    (s) => wentOnUnreadably(s, (answer) => ({ body: { choices: [{ message: answer }] } })),
  ),
  notBlamed(
    'pagination.reads-are-pure',
    'listMessages',
    'a completion went on in the thread between two lists, and its answer cannot be read',
    (s) => wentOnUnreadably(s, (answer) => ({ body: [answer] })),
  ),
  noViolation('threads.no-phantom-messages', '', 'a completion went on in the thread, and timed out', (s) =>
    wentOnUnreadably(s, () => rejectedWith('api_timeout_error', 504)),
  ),
  violates('threads.no-phantom-messages', 'listMessages', 'a second copy behind a stream without an answer', (s) =>
    saidInside(s, {}),
  ),
  noViolation('threads.no-phantom-messages', '', 'a message was sent inside of a stream, and then the run died', (s) =>
    saidInside(s, { ending: 'aborted', failure: interruptedRun, intent: streamed }),
  ),
  noViolation(
    'threads.no-phantom-messages',
    '',
    'what a thread of the profile held before the trace',
    (s) => {
      const old = {
        id: uuid(80),
        thread_id: uuid(70),
        role: 'user',
        content: 'From last year.',
        created_at: timestampText(0),
      }
      const message = s.assistants().add(uuid(70), 'user', 'The first message.')
      s.list(uuid(70), { body: { cursor: null, items: [message, old] } })
    },
    { profile: { threads: { kind: 'static', threads: [{ id: uuid(70), tenant: 'primary', holds: 'unknown' }] } } },
  ),
  noViolation(
    'threads.no-phantom-messages',
    '',
    'a write that timed out and was tried again may be there twice',
    (s) => {
      const thread = begun(s)
      const first = s.add(thread, 'user', 'Tried two times.', { silent: true })
      const second = s.add(thread, 'user', 'Tried two times.')
      s.list(thread, { body: { cursor: null, items: [second, first] } })
    },
  ),
  noViolation('threads.no-phantom-messages', '', 'a message whose client left is listed in another spelling', (s) =>
    leftBehind(s, '  Said in leaving. \n', 'Said in leaving.'),
  ),
  violates('threads.no-phantom-messages', 'listMessages', 'other words than those of a client that left', (s) =>
    leftBehind(s, 'Said in leaving.', 'Said in coming.'),
  ),
  upholds('threads.rejected-leaves-no-trace', 'createMessage', 'a refused message is not there', (s) => {
    const thread = begun(s)
    s.add(thread, 'wizard', 'Refused for its role.', no)
    s.list(thread)
  }),
  violates('threads.rejected-leaves-no-trace', 'createMessage', 'a refused message is there', (s) => {
    const thread = begun(s)
    const message = {
      id: s.id(),
      thread_id: thread,
      role: 'user',
      content: 'Refused for its role.',
      created_at: s.stamp(),
    }
    s.add(thread, 'wizard', 'Refused for its role.', no)
    s.list(thread, { body: { cursor: null, items: [message] } })
  }),
  violates(
    'threads.rejected-leaves-no-trace',
    'createChatCompletion',
    'a refused completion leaves its message',
    (s) => {
      const { thread_id } = s.assistants().complete()
      const messages = [{ role: 'user', content: 'Refused for its assistant.' }]
      s.complete({ assistant_id: uuid(77), messages }, { query: `?thread_id=${thread_id}`, ...no })
      const left = { id: s.id(), thread_id, ...messages[0], created_at: s.stamp() }
      s.list(String(thread_id), { body: { cursor: null, items: [left] } })
    },
  ),
  violates('threads.rejected-leaves-no-trace', 'streamThreadRun', 'a refused run leaves an answer', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'A question, please.')
    s.add(thread, 'assistant', 'Said by a client.')
    const before = s.list(thread).items as Fields[]
    s.stream(thread, [], no)
    s.list(thread, { body: { cursor: null, items: [s.answer(thread, 'The answer.'), ...before] } })
  }),
  upholds('threads.concurrent-creates', 'createMessage', 'all four are there', (s) => together(s, -1)),
  violates('threads.concurrent-creates', 'createMessage', 'one of four is lost', (s) => together(s, 2)),
  violates('threads.concurrent-creates', 'createMessage', 'one of two is kept twice', (s) => {
    const thread = begun(s)
    const [one, two] = [1, 2].map((index) =>
      s.add(thread, 'user', `Message number ${index}.`, { at: [100, 200 + index] }),
    )
    s.list(thread, { body: { cursor: null, items: [two, one, one] } })
  }),
  upholds('threads.run-appends-answer', 'runThread', 'the answer is added', (s) =>
    ran(s, (question, answer) => [answer, question]),
  ),
  violates('threads.run-appends-answer', 'runThread', 'the answer is not there', (s) =>
    ran(s, (question) => [question]),
  ),
  violates('threads.run-appends-answer', 'runThread', 'the answer is there twice', (s) =>
    ran(s, (question, answer) => [copy(s, answer), answer, question]),
  ),
  violates('threads.run-appends-answer', 'runThread', 'the answer is stored with other meta_data', (s) =>
    ran(s, (question, answer) => [{ ...answer, meta_data: { intent: 'other' } }, question]),
  ),
  violates('threads.run-appends-answer', 'runThread', 'an answer is stored under another id', (s) =>
    ran(s, (question, answer) => [copy(s, answer), question]),
  ),
  violates('threads.message-never-changes', 'listMessages', 'an answer that a list showed changes its id later', (s) =>
    ran(s, (question, answer) => [copy(s, answer), question], true),
  ),
  noViolation('threads.run-appends-answer', '', 'a run that timed out may have answered', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'A question, please.')
    s.run(thread, 'Nobody saw this.', { silent: true })
    s.list(thread, {
      body: { cursor: null, items: [s.answer(thread, 'Nobody saw this.'), ...(s.list(thread).items as Fields[])] },
    })
  }),
]

/** A client adds a message and disconnects, and the thread lists another text. */
function leftBehind(s: TraceBuilder, sent: string, listed: string): void {
  const thread = begun(s)
  const message = s.add(thread, 'user', sent, { silent: true })
  s.list(thread, { body: { cursor: null, items: [{ ...message, content: listed }] } })
}
