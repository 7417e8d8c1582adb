/** Near misses of chapter threads: what is almost a violation, and what almost shows that a rule is kept. */

import { listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  noViolation,
  type OracleCase,
  unexercised,
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

const begun = (s: TraceBuilder): string => s.assistants().thread()
export const threadWithQuestion = (s: TraceBuilder): string => {
  const thread = begun(s)
  s.add(thread, 'user', 'A question, please.')
  return thread
}
const add = (s: TraceBuilder, change: Change & { readonly more?: Fields }) => s.add(begun(s), 'user', 'Hello', change)
export const rejection = rejectedWith('bad_request')
const copy = (s: TraceBuilder, message: Fields | undefined): Fields => ({ ...message, id: s.id() })
/** Two messages, one after the other. */
const two = (s: TraceBuilder): { readonly thread: string; readonly older: Fields; readonly newer: Fields } => {
  const thread = begun(s)
  const [older, newer] = ['first', 'second'].map((which) => s.add(thread, 'user', `The ${which} message.`))
  return { thread, older: older ?? {}, newer: newer ?? {} }
}
/** A question and many answers behind it. */
const longThread = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'Hello')
  for (let index = 0; index < 24; index += 1) s.add(thread, 'assistant', `Remark ${index}`)
  return thread
}
const lettered = (s: TraceBuilder): string => s.assistants().thread({ with: { id: uuid(70).replace('8000', '8abc') } })

const creationCases: readonly OracleCase[] = [
  ...(['role', 'content', 'thread_id'] as const).map((name) =>
    violates('resources.message-fields', `createMessage ${name}`, `${name} that is missing is not another one`, (s) => {
      const thread = begun(s)
      const created = s.add(thread, 'user', 'Hello', { with: { [name]: undefined } })
      s.list(thread, listShowing([{ ...created, role: 'user', content: 'Hello', thread_id: thread }]))
    }),
  ),
  noViolation('threads.create-echoes', '', 'half of a surrogate pair cannot be kept', (s) =>
    add(s, { sends: '{"role":"user","content":"a\\ud800"}', with: { content: 'a\uFFFD' } }),
  ),
  unexercised('threads.created-in-thread', 'createMessage', 'a refused message is in no thread', (s) =>
    add(s, { ...rejectedWith('internal_service_error', 503) }),
  ),
  upholds('threads.created-in-thread', 'createMessage', 'capitals name the same thread', (s) => {
    const thread = lettered(s)
    s.add(thread, 'user', 'Hello', { with: { thread_id: thread.toUpperCase() } })
  }),
  violates('http.operation-served', 'createMessage', 'a message is refused for something else than its role', (s) => {
    add(s, {})
    add(s, rejection)
  }),
  violates('threads.roles-accepted', 'createMessage user', 'a user may not speak two times in a row', (s) =>
    s.add(threadWithQuestion(s), 'user', 'One more thing.', rejection),
  ),
  upholds('threads.roles-accepted', 'createMessage assistant', 'results of tools are of another chapter', (s) => {
    const thread = threadWithQuestion(s)
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
    s.add(thread, 'tool', 'It rains.', { more: { tool_call_id: 'alpha' } })
  }),
  unexercised(
    'threads.server-sets-identity',
    'createMessage thread_id',
    'the thread of the path stands in the body',
    (s) => {
      const thread = begun(s)
      s.add(thread, 'user', 'Hello', { more: { thread_id: thread } })
    },
  ),
  violates('threads.server-sets-identity', 'createMessage created_at', 'a sent created_at is taken', (s) =>
    add(s, { more: { created_at: timestampText(1) } }),
  ),
]

const runWith = (s: TraceBuilder, json: Fields, change: Change = {}): void => {
  const thread = threadWithQuestion(s)
  s.send('runThread', { in: { thread_id: thread }, json }, s.answer(thread, 'The answer.'), change)
}

const runCases: readonly OracleCase[] = [
  unexercised('threads.run-empty-body', 'runThread', 'a run with tools, or one that may be refused', (s) => {
    runWith(s, { tool_choice: 'none' })
    s.run(begun(s), '', rejection)
  }),
  violates('threads.run-empty-body', 'runThread', 'a body with tools is taken, and one without is not', (s) => {
    runWith(s, { tool_choice: 'none' })
    runWith(s, {}, rejection)
  }),
  violates('http.operation-served', 'runThread', 'a run is refused whose body another run had', (s) => {
    s.run(threadWithQuestion(s))
    s.run(threadWithQuestion(s), '', rejection)
  }),
  violates('http.versioned-path', 'runThread', 'where nothing runs nothing is wrong with the body', (s) =>
    s.run(threadWithQuestion(s), '', { status: 404, text: 'Not found' }),
  ),
  violates('threads.run-reads-whole-thread', 'runThread', 'the question of a long thread is too far up', (s) => {
    const thread = longThread(s)
    s.run(thread, '', rejectedWith('bad_request'))
    s.add(thread, 'user', 'And now?')
    s.run(thread)
  }),
  noViolation('threads.run-reads-whole-thread', '', 'a thread may be too long for any run', (s) => {
    const thread = longThread(s)
    s.run(thread, '', rejectedWith('bad_request'))
    s.add(thread, 'user', 'And now?')
    s.run(thread, '', rejectedWith('bad_request'))
  }),
  upholds('threads.run-reads-whole-thread', 'runThread', 'a run behind an answer is served', (s) => {
    const thread = threadWithQuestion(s)
    s.add(thread, 'assistant', 'Said by a client.')
    s.run(thread)
  }),
  violates('threads.run-reads-whole-thread', 'runThread', 'a run behind an assistant message is refused', (s) => {
    const thread = threadWithQuestion(s)
    s.add(thread, 'assistant', 'Said by a client.')
    s.run(thread, '', rejection)
  }),
  unexercised('threads.run-reads-whole-thread', 'runThread', 'the question is the newest message', (s) =>
    s.run(threadWithQuestion(s)),
  ),
  unexercised('threads.run-reads-whole-thread', 'runThread', 'there is no question', (s) => {
    const thread = begun(s)
    s.add(thread, 'system', 'Be kind.')
    s.run(thread, '', rejection)
  }),
]

const listCases: readonly OracleCase[] = [
  unexercised('threads.message-never-changes', 'listMessages', 'one list shows no change', (s) =>
    s.list(threadWithQuestion(s)),
  ),
  unexercised('threads.only-own-messages', 'listMessages', 'an empty list shows nobody', (s) => s.list(begun(s))),
  upholds('threads.only-own-messages', 'listMessages', 'capitals name the same thread', (s) => {
    const thread = lettered(s)
    const message = s.add(thread, 'user', 'Hello')
    s.list(thread, listShowing([{ ...message, thread_id: thread.toUpperCase() }]))
  }),
  ...['id', 'thread_id', 'created_at'].map((name) =>
    violates('resources.message-fields', `listMessages ${name}`, `two items without ${name} are not the same`, (s) => {
      const { thread, older, newer } = two(s)
      s.list(thread, listShowing([newer, older].map((item) => ({ ...item, [name]: undefined }))))
    }),
  ),
  violates('resources.message-ids-unique', 'listMessages', 'two messages of one id are not one message twice', (s) => {
    const { thread, older, newer } = two(s)
    s.list(thread, listShowing([newer, { ...older, id: newer.id }]))
  }),
  violates('threads.created-is-listed', 'listMessages', 'the newest message is lost from two lists', (s) => {
    const { thread, older } = two(s)
    s.list(thread, listShowing([older]))
    s.list(thread, listShowing([older]))
  }),
  violates('threads.read-your-writes', 'listMessages', 'a list is behind, and the next one is not', (s) => {
    const { thread, older } = two(s)
    s.list(thread, listShowing([older]))
    s.list(thread)
  }),
  violates('threads.listed-as-created', 'listMessages id', 'one message has another id, and one is lost', (s) => {
    const { thread, newer } = two(s)
    s.list(thread, listShowing([copy(s, newer)]))
    s.list(thread, listShowing([]))
  }),
  violates('threads.no-phantom-messages', 'listMessages', 'a stranger stands where a message stood', (s) => {
    const { thread, older, newer } = two(s)
    s.list(thread)
    s.list(thread, listShowing([newer, { ...copy(s, older), content: 'Boo!' }, older]))
  }),
  noViolation(
    'threads.no-phantom-messages',
    '',
    'others may write to a thread in recorded traffic',
    (s) => {
      const { thread, older, newer } = two(s)
      s.list(thread, listShowing([newer, { ...copy(s, older), content: 'Said by another client.' }, older]))
    },
    { source: 'proxy' },
  ),
  violates(
    'threads.role-known',
    'createMessage',
    'what comes of a wrong request that is taken is nobody\u2019s rule',
    (s) => {
      const thread = begun(s)
      const message = s.add(thread, 'wizard', 'Hello', { with: { role: 'user' } })
      s.list(thread, listShowing([copy(s, message), message]))
    },
  ),
]

const traceCases: readonly OracleCase[] = [
  upholds('threads.rejected-leaves-no-trace', 'createMessage', 'a refused message is tried again', (s) => {
    const thread = begun(s)
    s.add(thread, 'user', 'Tried two times.', rejectedWith('rate_limit_gateway', 429))
    s.add(thread, 'user', 'Tried two times.')
    s.list(thread)
  }),
  unexercised('threads.rejected-leaves-no-trace', 'createMessage', 'no list was asked for afterwards', (s) => {
    const thread = threadWithQuestion(s)
    s.list(thread)
    s.add(thread, 'wizard', 'Refused for its role.', rejection)
  }),
  violates('threads.no-phantom-messages', 'listMessages', 'a refused run leaves no message of a user', (s) => {
    const thread = threadWithQuestion(s)
    const [question] = s.list(thread).items as Fields[]
    s.add(thread, 'assistant', 'Said by a client.')
    const before = s.list(thread).items as Fields[]
    s.stream(thread, [], rejection)
    s.list(thread, listShowing([{ ...copy(s, question), content: 'Who said this?', created_at: s.stamp() }, ...before]))
  }),
  noViolation('threads.rejected-leaves-no-trace', '', 'an answer may be that of a run that timed out', (s) => {
    const thread = threadWithQuestion(s)
    s.run(thread, 'Nobody saw this.', { silent: true })
    s.run(thread, '', rejectedWith('internal_service_error', 503))
    const late = s.answer(thread, 'Nobody saw this.')
    s.list(thread, listShowing([late, ...(s.list(thread).items as Fields[])]))
  }),
]

/** Messages that are sent and answered at these times, and two lists of them. */
const timed = (s: TraceBuilder, times: readonly (readonly [number, number])[]): void => {
  const thread = begun(s)
  const added = times.map((at, index) => s.add(thread, 'user', `Message number ${index}.`, { at }))
  for (let list = 0; list < 2; list += 1) s.list(thread, listShowing([...added].reverse()))
}

const concurrentCases: readonly OracleCase[] = [
  unexercised('threads.concurrent-creates', 'createMessage', 'one after the other is not together', (s) =>
    timed(s, [
      [100, 200],
      [200, 300],
      [310, 320],
    ]),
  ),
  upholds('threads.concurrent-creates', 'createMessage', 'the longest of three is together with both others', (s) =>
    timed(s, [
      [100, 300],
      [110, 150],
      [200, 250],
    ]),
  ),
  upholds('threads.concurrent-creates', 'createMessage', 'the third is together with the second alone', (s) =>
    timed(s, [
      [100, 150],
      [110, 300],
      [200, 250],
    ]),
  ),
  violates('threads.concurrent-creates', 'createMessage', 'one of two has a second copy', (s) => {
    const thread = begun(s)
    const [one, other] = [1, 2].map((index) =>
      s.add(thread, 'user', `Message number ${index}.`, { at: [100, 200 + index] }),
    )
    s.list(thread, listShowing([other, copy(s, one), one]))
  }),
  violates('threads.read-your-writes', 'listMessages', 'one list alone does not tell that one of two is lost', (s) => {
    const thread = begun(s)
    const [one] = [1, 2].map((index) => s.add(thread, 'user', `Message ${index}.`, { at: [100, 200 + index] }))
    s.list(thread, listShowing([one]))
  }),
]

const answerCases: readonly OracleCase[] = [
  unexercised('threads.run-appends-answer', 'runThread', 'no list was asked for', (s) => s.run(threadWithQuestion(s))),
  unexercised('threads.run-appends-answer', 'runThread', 'a refused run adds nothing', (s) => {
    const thread = threadWithQuestion(s)
    s.run(thread, '', rejectedWith('internal_service_error', 503))
    s.list(thread)
  }),
  ...[{ error_code: 'api_timeout_error', detail: 'late' }, { error: { message: 'late' } }].map((error) =>
    noViolation('threads.run-appends-answer', '', 'a stream may end on an error, and nothing is kept of it', (s) => {
      const thread = threadWithQuestion(s)
      const question = s.list(thread).items as Fields[]
      const chunks = s.chunks(s.answer(thread, 'The answer.'), ['The '])
      s.stream(thread, [], { text: ndjsonText([...chunks, error]) })
      s.list(thread, listShowing(question))
    }),
  ),
  upholds(
    'threads.run-appends-answer',
    'runThread',
    'a message that asks for tools may be stored in another form',
    (s) => {
      const thread = threadWithQuestion(s)
      const answer = s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } })
      const [, question] = s.list(thread).items as Fields[]
      s.list(thread, listShowing([answer, question]))
    },
  ),
  violates('threads.run-appends-answer', 'runThread', 'the answer asks for another call in the list', (s) => {
    const thread = threadWithQuestion(s)
    const answer = s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }, { id: 'beta' }] } })
    s.list(thread, listShowing([{ ...answer, tool_calls: [{ id: 'beta' }, { id: 'gamma' }] }]))
  }),
  noViolation('threads.run-appends-answer', '', 'a list may leave out calls, and change their order', (s) => {
    const thread = threadWithQuestion(s)
    const answer = s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }, { id: 'beta' }] } })
    const [, question] = s.list(thread).items as Fields[]
    s.list(thread, listShowing([{ ...answer, tool_calls: [{ id: 'beta' }, { id: 'ALPHA' }] }, question]))
    s.list(thread, listShowing([{ ...answer, tool_calls: [{ id: 'beta' }] }, question]))
  }),
  violates('threads.message-never-changes', 'listMessages', 'an answer asks for another call later', (s) => {
    const thread = threadWithQuestion(s)
    const answer = s.run(thread, 'Let me look.', { with: { tool_calls: [{ id: 'alpha' }] } })
    const [, question] = s.list(thread).items as Fields[]
    s.list(thread, listShowing([{ ...answer, tool_calls: [{ id: 'beta' }] }, question]))
  }),
  violates('threads.run-appends-answer', 'runThread', 'only the answer that asks for tools has no words', (s) => {
    const thread = threadWithQuestion(s)
    const answer = s.run(thread, '', { with: { tool_calls: [{ id: 'alpha' }] } })
    s.list(thread, listShowing([{ ...answer, content: 'Let me look.' }]))
  }),
  violates(
    'resources.assistant-message-fields',
    'runThread meta_data',
    'a field that is missing is not another one',
    (s) => {
      const thread = threadWithQuestion(s)
      const answer = s.run(thread, 'The answer.', { with: { meta_data: undefined } })
      s.list(thread, listShowing([{ ...answer, meta_data: { intent: 'question' } }]))
    },
  ),
  violates('threads.run-appends-answer', 'runThread', 'the answer is stored with other sources', (s) => {
    const thread = threadWithQuestion(s)
    const answer = s.run(thread)
    const sources = [{ content: 'An excerpt', meta_data: { document_title: 'A law', section: '1' } }]
    s.list(thread, listShowing([{ ...answer, sources }]))
  }),
  violates('threads.run-appends-answer', 'runThread', 'a stranger stands behind the answer', (s) => {
    const thread = threadWithQuestion(s)
    const [question] = s.list(thread).items as Fields[]
    const answer = s.run(thread)
    s.list(thread, listShowing([answer, { ...copy(s, question), content: 'Boo!' }, question]))
  }),
]

/** Cases of all the requirements of the chapter, and of others that a thread may break beside them. */
export const threadCases: readonly OracleCase[] = [
  ...creationCases,
  ...runCases,
  ...listCases,
  ...traceCases,
  ...concurrentCases,
  ...answerCases,
]
