/** Near misses of what should not stand in a thread: traces of refused requests, and messages of other threads. */
import { refused } from '../trace-notation/material.ts'
import { breaks, type OracleCase, spares } from '../trace-notation/prove.ts'
import { items, shows } from '../trace-notation/scenes.ts'
import type { Story } from '../trace-notation.ts'
import { refusedRun, stray } from './thread-lists.cases.ts'
import { asked, no } from './threads.cases.ts'

const traceId = 'threads.rejected-leaves-no-trace'
const withStray = (s: Story, thread: string, role?: string): void => {
  const left = stray(s, thread, role)
  s.list(thread, shows([left, ...items(s, thread)]))
}

const refusalCases: readonly OracleCase[] = [
  breaks(traceId, 'runThread', 'an answer stands there, and only a refused run can have left it', (s) => {
    const thread = asked(s)
    const before = items(s, thread)
    refusedRun(s, thread)
    s.list(thread, shows([stray(s, thread), ...before]))
  }),
  breaks(traceId, 'runThread', 'a run that was listed before left another answer', (s) => {
    const thread = asked(s)
    s.run(thread)
    const before = items(s, thread)
    refusedRun(s, thread)
    s.list(thread, shows([stray(s, thread), ...before]))
  }),
  breaks(traceId, 'runThread', 'a run that came later left another answer', (s) => {
    const thread = asked(s)
    const before = items(s, thread)
    refusedRun(s, thread)
    s.list(thread, shows([stray(s, thread), ...before]))
    s.run(thread)
  }),
  spares(traceId, 'runThread', 'a run that was answered meanwhile may have left two answers', (s) => {
    const thread = asked(s)
    s.list(thread)
    refusedRun(s, thread)
    s.run(thread)
    withStray(s, thread)
  }),
  spares(traceId, 'runThread', 'a list that broke off does not tell what stood behind its end', (s) => {
    const thread = asked(s)
    s.list(thread)
    s.run(thread)
    s.list(thread, { query: '?limit=1' })
    refusedRun(s, thread)
    withStray(s, thread)
  }),
  spares(traceId, 'runThread', 'a run that a gateway stopped was never refused', (s) => {
    const thread = asked(s)
    const before = items(s, thread)
    refusedRun(s, thread, refused('rate_limit_gateway', 429))
    s.list(thread, shows([stray(s, thread), ...before]))
  }),
  spares(traceId, 'runThread', 'what stood there before is no trace', (s) => {
    const thread = asked(s)
    const before = [stray(s, thread), ...items(s, thread)]
    s.list(thread, shows(before))
    refusedRun(s, thread)
    s.list(thread, shows(before))
  }),
  spares(traceId, 'runThread', 'no run leaves a message of a user', (s) => {
    const thread = asked(s)
    const before = items(s, thread)
    refusedRun(s, thread)
    s.list(thread, shows([stray(s, thread, 'user'), ...before]))
  }),
  breaks(traceId, 'createMessage', 'of two refused messages one is there', (s) => {
    const thread = asked(s)
    for (const text of ['Refused and kept.', 'Refused and dropped.']) s.add(thread, 'wizard', text, no)
    const kept = { ...stray(s, thread, 'wizard'), content: 'Refused and kept.' }
    s.list(thread, shows([kept, ...items(s, thread)]))
    s.list(thread, shows([kept, ...items(s, thread)]))
  }),
  spares(
    'threads.no-phantom-messages',
    'listMessages',
    'where a wrong message was taken, nobody knows what it became',
    (s) => {
      const thread = asked(s)
      s.add(thread, 'wizard', 'Taken all the same.')
      withStray(s, thread)
    },
  ),
]

/** Two completions; the second one, asked for in the first one's thread or not, is listed there. */
const continued =
  (query: (thread: string) => string) =>
  (s: Story): void => {
    s.assistants()
    const thread = String(s.complete().thread_id)
    const messages = [{ role: 'user', content: 'Another question, please.' }]
    const { meta_data: _data, sources: _sources, ...answer } = s.complete({ messages }, { query: query(thread) })
    const sent = { ...stray(s, thread, 'user'), content: 'Another question, please.' }
    s.list(thread, shows([{ ...answer, thread_id: thread }, sent]))
  }

const ownerCases: readonly OracleCase[] = [
  spares(
    'threads.only-own-messages',
    'listMessages',
    'a completion that was asked for in this thread names another',
    continued((thread) => `?thread_id=${thread.toUpperCase()}`),
  ),
  breaks(
    'threads.only-own-messages',
    'listMessages',
    'a completion of a thread of its own',
    continued(() => ''),
  ),
  spares('threads.created-is-listed', 'listMessages', 'two messages without an id are not one twice', (s) => {
    const thread = asked(s)
    const [only] = items(s, thread)
    s.list(
      thread,
      shows([
        { ...only, id: undefined },
        { ...only, id: undefined },
      ]),
    )
  }),
]

/** Cases of refusals and of owners. */
export const threadTraceCases: readonly OracleCase[] = [...refusalCases, ...ownerCases]
