/** Near misses of what threads list: whose fault an odd list is, and what a run or a race left behind. */
import { type Fields, stamp } from '../trace-notation/material.ts'
import { breaks, type OracleCase, passesBy, spares } from '../trace-notation/prove.ts'
import { items, observed, shows } from '../trace-notation/scenes.ts'
import type { Change, Story } from '../trace-notation.ts'
import { asked, no } from './threads.cases.ts'

/** A message that nobody added. */
export const stray = (s: Story, thread: string, role = 'assistant'): Fields => ({
  id: s.id(),
  thread_id: thread,
  role,
  content: `Words of nobody, number ${s.id()}.`,
  created_at: s.stamp(),
})
export const refusedRun = (s: Story, thread: string, change: Change = no): unknown => s.run(thread, '', change)
/** Three messages, the oldest first. */
const three = (s: Story): { readonly thread: string; readonly added: readonly [Fields, Fields, Fields] } => {
  const thread = s.assistants().thread()
  const say = (text: string): Fields => s.add(thread, 'user', text)
  return { thread, added: [say('The first message.'), say('The second message.'), say('The third message.')] }
}
const inPages = (s: Story, thread: string, first: readonly unknown[], second: readonly unknown[]): void => {
  s.list(thread, { query: '?limit=1', ...shows(first, 'next') })
  s.list(thread, { query: '?limit=1&cursor=next', ...shows(second) })
}

const runId = 'threads.run-appends-answer'
const listedRun =
  (change: (answer: Fields) => Fields, more: Fields = {}) =>
  (s: Story): void => {
    const thread = asked(s)
    const [question] = items(s, thread)
    const answer = s.run(thread, 'The answer.', { more })
    s.list(thread, shows([change(answer), question]))
  }

const runCases: readonly OracleCase[] = [
  spares(runId, 'runThread', 'a list that lost what the one before showed', (s) => {
    const thread = asked(s)
    s.run(thread)
    const [, question] = items(s, thread)
    s.list(thread, shows([question]))
  }),
  spares(
    runId,
    'runThread',
    'a listed thread_id that is no id',
    listedRun((answer) => ({ ...answer, thread_id: 'none' })),
  ),
  spares(
    runId,
    'runThread',
    'a listed created_at that is no time',
    listedRun((answer) => ({ ...answer, created_at: 'now' })),
  ),
  spares(
    runId,
    'runThread',
    'a listed answer that lacks a field',
    listedRun((answer) => ({ ...answer, sources: undefined })),
  ),
  breaks(
    runId,
    'runThread',
    'a listed answer of another time',
    listedRun((answer) => ({ ...answer, created_at: stamp(7) })),
  ),
  spares(
    runId,
    'runThread',
    'the form of an answer that asks for tools is not shown',
    listedRun((answer) => ({ ...answer, content: '' }), { tool_calls: [{ id: 'alpha' }] }),
  ),
  ...(['thread_id', 'created_at'] as const).map((name) =>
    spares(runId, 'runThread', `an answer whose ${name} is none, and is mended in the list`, (s) => {
      const thread = asked(s)
      const [question] = items(s, thread)
      const answer = s.run(thread, 'The answer.', { with: { [name]: 'none' } })
      s.list(thread, shows([{ ...answer, thread_id: thread, created_at: s.stamp() }, question]))
    }),
  ),
  spares(runId, 'runThread', 'a refused run may have left what stands beside the answer', (s) => {
    const thread = asked(s)
    const [question] = items(s, thread)
    refusedRun(s, thread)
    const answer = s.run(thread)
    s.list(thread, shows([answer, stray(s, thread), question]))
  }),
  breaks(runId, 'runThread', 'a refused message cannot have left what stands beside the answer', (s) => {
    const thread = asked(s)
    const [question] = items(s, thread)
    s.add(thread, 'wizard', 'Refused.', no)
    const answer = s.run(thread)
    s.list(thread, shows([answer, stray(s, thread), question]))
  }),
  passesBy(
    runId,
    'runThread',
    'others may have taken the answer away',
    (s) => {
      const thread = asked(s)
      const [question] = items(s, thread)
      s.run(thread)
      s.list(thread, shows([question]))
    },
    observed,
  ),
]

const listCases: readonly OracleCase[] = [
  breaks('threads.created-is-listed', 'listMessages', 'a walk passes over the message in the middle', (s) => {
    const {
      thread,
      added: [first, , third],
    } = three(s)
    inPages(s, thread, [third], [first])
  }),
  spares('threads.read-your-writes', 'listMessages', 'a message that belongs behind the cursor is no late one', (s) => {
    const {
      thread,
      added: [, second, third],
    } = three(s)
    inPages(s, thread, [third], [second])
  }),
  breaks('threads.read-your-writes', 'listMessages', 'a walk begins without the newest message', (s) => {
    const {
      thread,
      added: [first, second],
    } = three(s)
    inPages(s, thread, [second], [first])
  }),
  breaks('threads.read-your-writes', 'listMessages', 'a message without a time may belong anywhere', (s) => {
    const thread = asked(s)
    const [question] = items(s, thread)
    s.add(thread, 'user', 'Without a time.', { with: { created_at: undefined } })
    const last = s.add(thread, 'user', 'The last message.')
    inPages(s, thread, [last], [question])
  }),
  spares('threads.read-your-writes', 'listMessages', 'a message that was listed before was read', (s) => {
    const {
      thread,
      added: [, second, third],
    } = three(s)
    s.list(thread)
    s.list(thread, shows([third, second]))
  }),
  spares(
    'threads.created-is-listed',
    'listMessages',
    'a message of the same time does not show that a list is new',
    (s) => {
      const thread = s.assistants().thread()
      const [, second] = ['One.', 'Two.'].map((text) => s.add(thread, 'user', text, { with: { created_at: stamp(5) } }))
      s.list(thread, shows([second]))
    },
  ),
  spares('threads.created-is-listed', 'listMessages', 'nor does one whose time is none', (s) => {
    const thread = s.assistants().thread()
    const [, second] = ['9', '95'].map((created_at) =>
      s.add(thread, 'user', `Said at ${created_at}.`, { with: { created_at } }),
    )
    s.list(thread, shows([second]))
  }),
  breaks('threads.concurrent-creates', 'createMessage', 'together with one that took longer than another', (s) => {
    const thread = s.assistants().thread()
    const spans = [
      [100, 300],
      [110, 120],
      [200, 210],
    ] as const
    const added = spans.map((at) => s.add(thread, 'user', `Said at ${at[0]}.`, { at }))
    for (let list = 0; list < 2; list += 1) s.list(thread, shows(added.slice(0, 2).reverse()))
  }),
  spares('threads.concurrent-creates', 'createMessage', 'late is not lost', (s) => {
    const thread = s.assistants().thread()
    const spans = [
      [100, 300],
      [110, 290],
    ] as const
    const added = spans.map((at) => s.add(thread, 'user', `Said at ${at[0]}.`, { at }))
    s.list(thread, shows(added.slice(1)))
    s.list(thread, shows(added))
  }),
]

const requestCases: readonly OracleCase[] = [
  spares('threads.create-echoes', 'createMessage role', 'what should have been refused has no right echo', (s) =>
    s.add(s.assistants().thread(), 'wizard', 'Taken all the same.', { with: { role: 'user' } }),
  ),
  spares('threads.roles-accepted', 'createMessage tool', 'a refused result is of another chapter', (s) => {
    const thread = asked(s)
    s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: [{ id: 'alpha' }] } })
    s.add(thread, 'tool', 'It rains.', { more: { tool_call_id: 'alpha' }, ...no })
  }),
  spares('threads.run-empty-body', 'runThread', 'a run of the same body was taken', (s) => {
    s.run(asked(s))
    refusedRun(s, asked(s))
  }),
  spares('threads.run-empty-body', 'runThread', 'a run that brings tools is not without', (s) => {
    s.send('runThread', { in: { thread_id: asked(s) }, json: { tools: [] } }, null, no)
  }),
  spares('threads.run-reads-whole-thread', 'runThread', 'runs behind a question are refused as well', (s) => {
    refusedRun(s, asked(s))
    const thread = asked(s)
    s.add(thread, 'system', 'Be brief.')
    refusedRun(s, thread)
  }),
]

/** Cases of runs, lists and races. */
export const threadListCases: readonly OracleCase[] = [...runCases, ...listCases, ...requestCases]
