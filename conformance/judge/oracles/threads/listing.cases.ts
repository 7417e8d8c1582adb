/** Near misses of thread lists: the cause of an odd list, also after runs and races. */

import { listedItems, listShowing, proxyTraffic } from '../../../../test/trace-builder/listings.ts'
import { notBlamed, type OracleCase, unexercised, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, timestampText } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { rejection, threadWithQuestion } from './threads.cases.ts'

/** A message that no request added. */
export const strayMessage = (s: TraceBuilder, thread: string, role = 'assistant'): Fields => ({
  id: s.id(),
  thread_id: thread,
  role,
  content: `Words of nobody, number ${s.id()}.`,
  created_at: s.stamp(),
})
export const refusedRun = (s: TraceBuilder, thread: string, change: Change = rejection): unknown =>
  s.run(thread, '', change)
/** Three messages, the oldest first. */
const three = (s: TraceBuilder): { readonly thread: string; readonly added: readonly [Fields, Fields, Fields] } => {
  const thread = s.assistants().thread()
  const say = (text: string): Fields => s.add(thread, 'user', text)
  return { thread, added: [say('The first message.'), say('The second message.'), say('The third message.')] }
}
const inPages = (s: TraceBuilder, thread: string, first: readonly unknown[], second: readonly unknown[]): void => {
  s.list(thread, { query: '?limit=1', ...listShowing(first, 'next') })
  s.list(thread, { query: '?limit=1&cursor=next', ...listShowing(second) })
}

const runId = 'threads.run-appends-answer'
const listedRun =
  (change: (answer: Fields) => Fields, more: Fields = {}) =>
  (s: TraceBuilder): void => {
    const thread = threadWithQuestion(s)
    const [question] = listedItems(s, thread)
    const answer = s.run(thread, 'The answer.', { more })
    s.list(thread, listShowing([change(answer), question]))
  }

const runCases: readonly OracleCase[] = [
  notBlamed(runId, 'runThread', 'a list that lost what the one before showed', (s) => {
    const thread = threadWithQuestion(s)
    s.run(thread)
    const [, question] = listedItems(s, thread)
    s.list(thread, listShowing([question]))
  }),
  notBlamed(
    runId,
    'runThread',
    'a listed thread_id that is no id',
    listedRun((answer) => ({ ...answer, thread_id: 'none' })),
  ),
  notBlamed(
    runId,
    'runThread',
    'a listed created_at that is no time',
    listedRun((answer) => ({ ...answer, created_at: 'now' })),
  ),
  notBlamed(
    runId,
    'runThread',
    'a listed answer that lacks a field',
    listedRun((answer) => ({ ...answer, sources: undefined })),
  ),
  violates(
    runId,
    'runThread',
    'a listed answer of another time',
    listedRun((answer) => ({ ...answer, created_at: timestampText(7) })),
  ),
  notBlamed(
    runId,
    'runThread',
    'the form of an answer that asks for tools is not shown',
    listedRun((answer) => ({ ...answer, content: '' }), { tool_calls: [{ id: 'alpha' }] }),
  ),
  ...(['thread_id', 'created_at'] as const).map((name) =>
    notBlamed(runId, 'runThread', `an answer whose ${name} is none, and is mended in the list`, (s) => {
      const thread = threadWithQuestion(s)
      const [question] = listedItems(s, thread)
      const answer = s.run(thread, 'The answer.', { with: { [name]: 'none' } })
      s.list(thread, listShowing([{ ...answer, thread_id: thread, created_at: s.stamp() }, question]))
    }),
  ),
  notBlamed(runId, 'runThread', 'a refused run may have left what stands beside the answer', (s) => {
    const thread = threadWithQuestion(s)
    const [question] = listedItems(s, thread)
    refusedRun(s, thread)
    const answer = s.run(thread)
    s.list(thread, listShowing([answer, strayMessage(s, thread), question]))
  }),
  violates(runId, 'runThread', 'a refused message cannot have left what stands beside the answer', (s) => {
    const thread = threadWithQuestion(s)
    const [question] = listedItems(s, thread)
    s.add(thread, 'wizard', 'Refused.', rejection)
    const answer = s.run(thread)
    s.list(thread, listShowing([answer, strayMessage(s, thread), question]))
  }),
  unexercised(
    runId,
    'runThread',
    'others may have taken the answer away',
    (s) => {
      const thread = threadWithQuestion(s)
      const [question] = listedItems(s, thread)
      s.run(thread)
      s.list(thread, listShowing([question]))
    },
    proxyTraffic,
  ),
]

const listCases: readonly OracleCase[] = [
  violates('threads.created-is-listed', 'listMessages', 'a walk passes over the message in the middle', (s) => {
    const {
      thread,
      added: [first, , third],
    } = three(s)
    inPages(s, thread, [third], [first])
  }),
  notBlamed(
    'threads.read-your-writes',
    'listMessages',
    'a message that belongs behind the cursor is no late one',
    (s) => {
      const {
        thread,
        added: [, second, third],
      } = three(s)
      inPages(s, thread, [third], [second])
    },
  ),
  violates('threads.read-your-writes', 'listMessages', 'a walk begins without the newest message', (s) => {
    const {
      thread,
      added: [first, second],
    } = three(s)
    inPages(s, thread, [second], [first])
  }),
  violates('threads.read-your-writes', 'listMessages', 'a message without a time may belong anywhere', (s) => {
    const thread = threadWithQuestion(s)
    const [question] = listedItems(s, thread)
    s.add(thread, 'user', 'Without a time.', { with: { created_at: undefined } })
    const last = s.add(thread, 'user', 'The last message.')
    inPages(s, thread, [last], [question])
  }),
  notBlamed('threads.read-your-writes', 'listMessages', 'a message that was listed before was read', (s) => {
    const {
      thread,
      added: [, second, third],
    } = three(s)
    s.list(thread)
    s.list(thread, listShowing([third, second]))
  }),
  notBlamed(
    'threads.created-is-listed',
    'listMessages',
    'a message of the same time does not show that a list is new',
    (s) => {
      const thread = s.assistants().thread()
      const [, second] = ['One.', 'Two.'].map((text) =>
        s.add(thread, 'user', text, { with: { created_at: timestampText(5) } }),
      )
      s.list(thread, listShowing([second]))
    },
  ),
  notBlamed('threads.created-is-listed', 'listMessages', 'nor does one whose time is none', (s) => {
    const thread = s.assistants().thread()
    const [, second] = ['9', '95'].map((created_at) =>
      s.add(thread, 'user', `Said at ${created_at}.`, { with: { created_at } }),
    )
    s.list(thread, listShowing([second]))
  }),
  violates('threads.concurrent-creates', 'createMessage', 'together with one that took longer than another', (s) => {
    const thread = s.assistants().thread()
    const spans = [
      [100, 300],
      [110, 120],
      [200, 210],
    ] as const
    const added = spans.map((at) => s.add(thread, 'user', `Said at ${at[0]}.`, { at }))
    for (let list = 0; list < 2; list += 1) s.list(thread, listShowing(added.slice(0, 2).reverse()))
  }),
  notBlamed('threads.concurrent-creates', 'createMessage', 'late is not lost', (s) => {
    const thread = s.assistants().thread()
    const spans = [
      [100, 300],
      [110, 290],
    ] as const
    const added = spans.map((at) => s.add(thread, 'user', `Said at ${at[0]}.`, { at }))
    s.list(thread, listShowing(added.slice(1)))
    s.list(thread, listShowing(added))
  }),
]

const requestCases: readonly OracleCase[] = [
  notBlamed('threads.create-echoes', 'createMessage role', 'what should have been refused has no right echo', (s) =>
    s.add(s.assistants().thread(), 'wizard', 'Taken all the same.', { with: { role: 'user' } }),
  ),
  notBlamed('threads.roles-accepted', 'createMessage tool', 'a refused result is of another chapter', (s) => {
    const thread = threadWithQuestion(s)
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
    s.add(thread, 'tool', 'It rains.', { more: { tool_call_id: 'alpha' }, ...rejection })
  }),
  notBlamed('threads.run-empty-body', 'runThread', 'a run of the same body was taken', (s) => {
    s.run(threadWithQuestion(s))
    refusedRun(s, threadWithQuestion(s))
  }),
  notBlamed('threads.run-empty-body', 'runThread', 'a run that brings tools is not without', (s) => {
    s.send('runThread', { in: { thread_id: threadWithQuestion(s) }, json: { tools: [] } }, null, rejection)
  }),
  notBlamed('threads.run-reads-whole-thread', 'runThread', 'runs behind a question are refused as well', (s) => {
    refusedRun(s, threadWithQuestion(s))
    const thread = threadWithQuestion(s)
    s.add(thread, 'system', 'Be brief.')
    refusedRun(s, thread)
  }),
]

/** Cases of runs, lists and races. */
export const threadListCases: readonly OracleCase[] = [...runCases, ...listCases, ...requestCases]
