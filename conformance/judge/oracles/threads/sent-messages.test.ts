/** Tests how a thread may list the messages that a completion sent: not at all, or as they were. */

import { listShowing, proxyTraffic } from '../../../../test/trace-builder/listings.ts'
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, timestampText } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { threadsOracles } from './threads.ts'

const id = 'threads.no-phantom-messages'
const asked = ' Which term applies:\n one year,  two  or a half? '
const question = { messages: [{ role: 'user', content: asked }] }

/** A completion, and the list of its thread with these messages behind the answer. */
const listing =
  (...contents: readonly (string | Fields)[]) =>
  (s: TraceBuilder): void => {
    s.assistants()
    const answer = s.complete(question)
    const thread_id = String(answer.thread_id)
    s.list(thread_id, listShowing([answer, ...contents.map((one) => message(s, thread_id, one))]))
  }

const message = (s: TraceBuilder, thread_id: string, content: string | Fields): Fields => ({
  id: s.id(),
  thread_id,
  role: 'user',
  created_at: timestampText(0),
  ...(typeof content === 'string' ? { content } : content),
})

/** Two completions of one thread with the same question, and a list that shows it this often. */
const goneOn =
  (times: number) =>
  (s: TraceBuilder): void => {
    s.assistants()
    const first = s.complete(question)
    const thread_id = String(first.thread_id)
    const second = s.complete(question, { query: `?thread_id=${thread_id}`, with: { thread_id, content: 'Again.' } })
    const questions = Array.from({ length: times }, () => message(s, thread_id, asked))
    s.list(thread_id, listShowing([second, first, ...questions]))
  }

proveOracles({ [id]: threadsOracles[id] }, [
  upholds(id, 'listMessages', 'a sent message as it was sent', listing(asked)),
  violates(id, 'listMessages', 'a sent message that is listed cut', listing(asked.slice(0, 20))),
  violates(id, 'listMessages', 'a sent message whose blanks became one', listing(asked.replaceAll(/\s+/g, ' '))),
  violates(id, 'listMessages', 'a question that was sent twice and is listed three times', goneOn(3)),
  noViolation(id, '', 'a question that was sent twice and is listed twice', goneOn(2)),
  noViolation(id, '', 'a question that was sent twice and is listed once', goneOn(1)),
  noViolation(id, '', 'a thread that lists no sent message', listing()),
  noViolation(id, '', 'a sent message without the blanks at its ends', listing(asked.trim())),
  noViolation(id, '', 'a prompt of the service', listing(asked, { role: 'system', content: 'Be brief.' })),
  noViolation(id, '', 'a prompt of the service that begins as the question does', listing(asked, asked.slice(0, 20))),
  noViolation(id, '', 'a question inside of a prompt', listing(`Answer this: ${asked}`)),
  noViolation(id, '', 'a thread that others write to', listing(asked.slice(0, 20)), proxyTraffic),
])
