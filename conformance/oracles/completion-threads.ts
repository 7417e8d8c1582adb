/** Oracle about the thread of a completion: it lists what was sent and what was answered. */
import { isRole } from '../classify/forms.ts'
import { textField } from '../classify/json.ts'
import { isAccepted, isRefusal, queryValues, type Reading } from '../classify/reading.ts'
import { streamedThreads } from '../classify/stream-chunks.ts'
import { type Docket, groupedBy, oncePerDocket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { LedgerThread } from '../ledger/index.ts'
import type { View, Write } from '../ledger/thread-ledger.ts'
import { servesNothing } from './alike.ts'
import { answerName, bothCompletions, type Oracle } from './oracle.ts'

/** Oracle of completions.thread-holds-conversation. */
export const threadHoldsConversation: Oracle = (docket, testify) => {
  for (const operation of bothCompletions) {
    for (const reading of docket.of(operation)) {
      const id = answeredIn(reading)
      const thread = id === null ? null : docket.ledger.thread(id)
      if (thread === null || queryValues(reading, 'thread_id').length > 0) continue
      // What a service makes of a completion that it should have refused is nobody's rule.
      if (docket.requestOf(reading).validity === 'invalid') continue
      judgeThread(docket, testify, operation, reading, thread)
    }
  }
}

function answeredIn(reading: Reading): string | null {
  if (!isAccepted(reading)) return null
  const { stream, body } = reading.answer
  if (stream === null) return textField(body.kind === 'json' ? body.value : null, 'thread_id')
  const ids = streamedThreads(reading)
  // A stream that names several threads breaks a rule of its own.
  return ids.size === 1 ? ([...ids][0] ?? null) : null
}

function judgeThread(
  docket: Docket,
  testify: Testimony,
  operation: (typeof bothCompletions)[number],
  reading: Reading,
  thread: LedgerThread,
): undefined {
  const later = thread.views.filter((one) => one.startMs > reading.endedAtMs)
  const view = later.find((one) => one.ended) ?? later[0]
  if (view === undefined) return judgeRefusedList(docket, testify, operation, reading, thread)
  const listed = contentsOf(view)
  const writes = docket.ledger.writesOf(reading)
  const say = (facet: 'sent' | 'answer', lost: Write | undefined): undefined => {
    if (lost === undefined) return testify.held(operation, facet, reading.id, view.pages[0].reading.id)
    // A walk that was not finished may have ended before the message, and a malformed message may be the missing one.
    if (!view.ended || hasMalformed(view, lost)) return
    testify.contradicted(operation, facet, {
      exchanges: [reading.id, ...view.pages.map((page) => page.reading.id)],
      expected: `the ${facet === 'sent' ? 'messages that were sent' : 'answer'} in the list of thread ${thread.id}`,
      actual: `no ${lost.role} message with that content`,
      pointer: '/items',
      because: `${reading.id} was answered in thread ${thread.id}, and the list of that thread lacks ${facet === 'sent' ? 'a message that was sent' : 'the answer'}.`,
    })
  }
  // What a stream said in pieces is compared with what is stored by a rule of its own.
  const isListed = ({ id, role, content }: Write): boolean =>
    listed.has(`${role}\n${content}`) || (operation === 'streamChatCompletion' && id !== null && thread.stored.has(id))
  const answer = writes.filter(({ kind, content }) => kind === 'answer' && content !== null)
  const sent = writes.filter(({ kind, content }) => kind === 'sent' && content !== null)
  if (sent.length > 0)
    say(
      'sent',
      sent.find((write) => !isListed(write)),
    )
  if (answer.length > 0)
    say(
      'answer',
      answer.find((write) => !isListed(write)),
    )
}

/** Whether a view shows a message that may be the missing one, with a content or a role that no message has. */
function hasMalformed(view: View, { content }: Write): boolean {
  return view.pages.some(({ items }) =>
    items.some((item) => {
      const listed = textField(item, 'content')
      return listed === null || (listed === content && !isRole(textField(item, 'role')))
    }),
  )
}

/** A thread that cannot be listed holds nothing that anybody could see. */
function judgeRefusedList(
  docket: Docket,
  testify: Testimony,
  operation: (typeof bothCompletions)[number],
  reading: Reading,
  thread: LedgerThread,
): undefined {
  const refused = refusedLists(docket)(thread.id).find((list) => list.sentAtMs > reading.endedAtMs)
  if (refused === undefined || thread.pages.length > 0 || servesNothing(docket, 'listMessages')) return
  testify.contradicted(operation, 'answer', {
    exchanges: [reading.id, refused.id],
    expected: `a list of thread ${thread.id}`,
    actual: answerName(refused),
    because: `${reading.id} was answered in thread ${thread.id}, and that thread cannot be listed.`,
  })
}

/** Lists that should have been served and were refused, by thread; looked up once, since many completions are never listed. */
const refusedLists = oncePerDocket((docket) =>
  groupedBy(docket.of('listMessages'), (list) =>
    isRefusal(list) && docket.requestOf(list).validity !== 'invalid'
      ? (list.params.thread_id?.toLowerCase() ?? null)
      : null,
  ),
)

function contentsOf(view: View): ReadonlySet<string> {
  return new Set(
    view.pages.flatMap(({ items }) => items.map((item) => `${textField(item, 'role')}\n${textField(item, 'content')}`)),
  )
}
