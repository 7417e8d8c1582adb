/** Near misses of messages that do not belong in a thread: traces of refused requests, and messages of other threads. */

import { listedItems, listShowing } from '../../../../test/trace-builder/listings.ts'
import {
  inconclusive,
  notBlamed,
  type OracleCase,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { assistant, assistantIds, ndjsonText, rejectedWith, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { refusedRun, strayMessage } from './listing.cases.ts'
import { rejection, threadWithQuestion } from './threads.cases.ts'

const traceId = 'threads.rejected-leaves-no-trace'
const withStray = (s: TraceBuilder, thread: string, role?: string): void => {
  const left = strayMessage(s, thread, role)
  s.list(thread, listShowing([left, ...listedItems(s, thread)]))
}

const refusalCases: readonly OracleCase[] = [
  violates(traceId, 'runThread', 'an answer stands there, and only a refused run can have left it', (s) => {
    const thread = threadWithQuestion(s)
    const before = listedItems(s, thread)
    refusedRun(s, thread)
    s.list(thread, listShowing([strayMessage(s, thread), ...before]))
  }),
  violates(traceId, 'runThread', 'the streamed form is not blamed for what the plain one leaves', (s) => {
    const thread = threadWithQuestion(s)
    const before = listedItems(s, thread)
    refusedRun(s, thread)
    s.list(thread, listShowing([strayMessage(s, thread), ...before]))
    const other = threadWithQuestion(s)
    const first = listedItems(s, other)
    refusedRun(s, other)
    s.stream(other, [], rejectedWith('bad_request'))
    s.list(other, listShowing([strayMessage(s, other), ...first]))
  }),
  violates(traceId, 'runThread', 'a run that was listed before left another answer', (s) => {
    const thread = threadWithQuestion(s)
    s.run(thread)
    const before = listedItems(s, thread)
    refusedRun(s, thread)
    s.list(thread, listShowing([strayMessage(s, thread), ...before]))
  }),
  violates(traceId, 'runThread', 'a run that came later left another answer', (s) => {
    const thread = threadWithQuestion(s)
    const before = listedItems(s, thread)
    refusedRun(s, thread)
    s.list(thread, listShowing([strayMessage(s, thread), ...before]))
    s.run(thread)
  }),
  notBlamed(traceId, 'runThread', 'a run that was answered meanwhile may have left two answers', (s) => {
    const thread = threadWithQuestion(s)
    s.list(thread)
    refusedRun(s, thread)
    s.run(thread)
    withStray(s, thread)
  }),
  notBlamed(traceId, 'runThread', 'a list that broke off does not tell what stood behind its end', (s) => {
    const thread = threadWithQuestion(s)
    s.list(thread)
    s.run(thread)
    s.list(thread, { query: '?limit=1' })
    refusedRun(s, thread)
    withStray(s, thread)
  }),
  notBlamed(traceId, 'runThread', 'a run that a gateway stopped was never refused', (s) => {
    const thread = threadWithQuestion(s)
    const before = listedItems(s, thread)
    refusedRun(s, thread, rejectedWith('rate_limit_gateway', 429))
    s.list(thread, listShowing([strayMessage(s, thread), ...before]))
  }),
  notBlamed(traceId, 'runThread', 'what stood there before is no trace', (s) => {
    const thread = threadWithQuestion(s)
    const before = [strayMessage(s, thread), ...listedItems(s, thread)]
    s.list(thread, listShowing(before))
    refusedRun(s, thread)
    s.list(thread, listShowing(before))
  }),
  notBlamed(traceId, 'runThread', 'no run leaves a message of a user', (s) => {
    const thread = threadWithQuestion(s)
    const before = listedItems(s, thread)
    refusedRun(s, thread)
    s.list(thread, listShowing([strayMessage(s, thread, 'user'), ...before]))
  }),
  violates(traceId, 'createMessage', 'of two refused messages one is there', (s) => {
    const thread = threadWithQuestion(s)
    for (const text of ['Refused and kept.', 'Refused and dropped.']) s.add(thread, 'wizard', text, rejection)
    const kept = { ...strayMessage(s, thread, 'wizard'), content: 'Refused and kept.' }
    s.list(thread, listShowing([kept, ...listedItems(s, thread)]))
    s.list(thread, listShowing([kept, ...listedItems(s, thread)]))
  }),
  notBlamed(
    'threads.no-phantom-messages',
    'listMessages',
    'where a wrong message was taken, nobody knows what it became',
    (s) => {
      const thread = threadWithQuestion(s)
      s.add(thread, 'wizard', 'Taken all the same.')
      withStray(s, thread)
    },
  ),
]

/** Two completions; the second one, asked for in the first one's thread or not, is listed there. */
const continued =
  (query: (thread: string) => string) =>
  (s: TraceBuilder): void => {
    s.assistants()
    const thread = String(s.complete().thread_id)
    const messages = [{ role: 'user', content: 'Another question, please.' }]
    const { meta_data: _data, sources: _sources, ...answer } = s.complete({ messages }, { query: query(thread) })
    const sent = { ...strayMessage(s, thread, 'user'), content: 'Another question, please.' }
    s.list(thread, listShowing([{ ...answer, thread_id: thread }, sent]))
  }

const ownerCases: readonly OracleCase[] = [
  notBlamed(
    'threads.only-own-messages',
    'listMessages',
    'a completion that was asked for in this thread names another',
    continued((thread) => `?thread_id=${thread.toUpperCase()}`),
  ),
  violates(
    'threads.only-own-messages',
    'listMessages',
    'a completion of a thread of its own',
    continued(() => ''),
  ),
  notBlamed('threads.created-is-listed', 'listMessages', 'two messages without an id are not one twice', (s) => {
    const thread = threadWithQuestion(s)
    const [only] = listedItems(s, thread)
    s.list(
      thread,
      listShowing([
        { ...only, id: undefined },
        { ...only, id: undefined },
      ]),
    )
  }),
]

/** Runs that name an unknown assistant and one of another tenant; each is refused or answered. */
const namingOthers =
  (unknown: Change, foreign: Change): ((s: TraceBuilder) => void) =>
  (s) => {
    s.assistants().assistants([assistant(assistantIds.foreign)], { as: 'secondary' })
    const thread = s.thread()
    s.add(thread, 'user', 'A question, please.')
    const answer = s.answer(thread, 'The answer.')
    for (const [assistant_id, change] of [
      [uuid(88), unknown],
      [assistantIds.foreign, foreign],
    ] as const)
      s.send('runThread', { in: { thread_id: thread }, json: { assistant_id } }, answer, change)
  }
const unavailable = rejectedWith('assistant_not_available', 403)

/** The same foreign assistant in both forms of a run, in a thread where an own one was maybe streamed before. */
const foreignInBothForms = (whole: Change, streamed: Change, hasControl: boolean) => (s: TraceBuilder) => {
  s.assistants().assistants([assistant(assistantIds.foreign)], { as: 'secondary' })
  const thread = s.thread()
  s.add(thread, 'user', 'A question, please.')
  const text = ndjsonText(s.chunks(s.answer(thread, 'The answer.'), ['The ', 'answer.']))
  const named = (assistant_id: string) => ({ in: { thread_id: thread }, json: { assistant_id } })
  if (hasControl) s.send('streamThreadRun', named(assistantIds.plain), null, { text })
  s.add(thread, 'user', 'Another question.')
  s.send('runThread', named(assistantIds.foreign), s.answer(thread, 'The answer.'), whole)
  s.send('streamThreadRun', named(assistantIds.foreign), null, streamed)
}
/** An empty message that fails each time, and a good one behind it. */
const failingEmptyMessage = (times: number) => (s: TraceBuilder) => {
  const thread = threadWithQuestion(s)
  const empty = { in: { thread_id: thread }, json: { role: 'user', content: '' } }
  const failure = rejectedWith('internal_service_error', 500)
  for (let sent = 0; sent < times; sent += 1) s.send('createMessage', empty, null, failure)
  s.add(thread, 'user', 'Another question.')
}
const emptyId = 'threads.empty-content-refused'
const notFound = rejectedWith('resource_not_found', 404)
const runId = 'threads.run-assistant-refused'
const naming = { profile: { runBody: { assistant_id: '{{assistant_id}}' } } }

/** A run of a thread that was opened for an assistant of another tenant, or of which the service says that it is for `shown`. */
const ofForeignThread =
  (change: Change, shown: string = assistantIds.foreign) =>
  (s: TraceBuilder) => {
    s.assistants().assistants([assistant(assistantIds.foreign)], { as: 'secondary' })
    const thread = s.thread({ body: { id: uuid(77), assistant_id: shown } }, assistantIds.foreign)
    s.add(thread, 'user', 'A question, please.')
    s.run(thread, 'The answer.', change)
  }

/** An assistant that streams, maybe one that does not and is refused, and an unknown one, named by runs of one thread. */
const fallingBack = (whole: Change | null) => (s: TraceBuilder) => {
  const thread = s.assistants().thread()
  const named = (assistant_id: string) => ({ in: { thread_id: thread }, json: { assistant_id } })
  s.add(thread, 'user', 'A question, please.')
  if (whole !== null) s.send('streamThreadRun', named(assistantIds.whole), null, whole)
  s.send('streamThreadRun', named(assistantIds.plain), null, {
    text: ndjsonText(s.chunks(s.answer(thread, 'The answer.'), ['The ', 'answer.'])),
  })
  s.add(thread, 'user', 'Another question.')
  s.send('runThread', named(uuid(88)), s.answer(thread, 'Another answer.'))
}

/** A stream by an assistant that does not stream, in a thread of another; before it maybe a run by one that is none. */
const streamOfWhole = (others: Change | null) => (s: TraceBuilder) => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question, please.')
  const answer = s.answer(thread, 'The answer.')
  const named = (assistant_id: string) => ({ in: { thread_id: thread }, json: { assistant_id } })
  if (others !== null) s.send('runThread', named(uuid(88)), answer, others)
  const text = ndjsonText(s.chunks(answer, ['The ', 'answer.']))
  s.send('streamThreadRun', named(assistantIds.whole), null, { text })
}
const supportId = 'streams.run-refused-without-support'

const assistantCases: readonly OracleCase[] = [
  violates(runId, 'runThread foreign', 'the other tenant lends it', namingOthers(unavailable, {}), naming),
  violates(runId, 'runThread unknown', "the thread's own assistant steps in", namingOthers({}, unavailable), naming),
  upholds(runId, 'runThread foreign', 'neither is available', namingOthers(unavailable, unavailable), naming),
  violates(emptyId, 'createMessage rejected', 'it makes the service fail each time', failingEmptyMessage(3)),
  inconclusive(emptyId, 'createMessage rejected', 'twice may be an accident', failingEmptyMessage(2)),
  violates(
    runId,
    'streamThreadRun foreign',
    'one form has its own code for it',
    foreignInBothForms(unavailable, notFound, true),
    naming,
  ),
  inconclusive(
    runId,
    'streamThreadRun foreign',
    'no streamed run is accepted in the thread',
    foreignInBothForms(unavailable, notFound, false),
    naming,
  ),
  violates(
    runId,
    'streamThreadRun foreign',
    'both forms say that something was not found',
    foreignInBothForms(notFound, notFound, true),
    naming,
  ),
  inconclusive(
    runId,
    'streamThreadRun foreign',
    'both forms may be bound to the assistant of the thread',
    foreignInBothForms(rejectedWith('bad_request', 400), rejectedWith('bad_request', 400), true),
    naming,
  ),
  violates(runId, 'runThread foreign', 'its thread is for an assistant of another tenant', ofForeignThread({})),
  upholds(runId, 'runThread foreign', 'the assistant of its thread is not available', ofForeignThread(unavailable)),
  inconclusive(
    runId,
    'runThread foreign',
    'an own assistant came into the place of the foreign one when the thread was opened',
    ofForeignThread({}, assistantIds.plain),
  ),
  notBlamed('http.operation-served', 'runThread', 'a run of a foreign assistant', ofForeignThread(notFound)),
  notBlamed(runId, 'runThread', 'the service does not read the field', namingOthers({}, {}), naming),
  violates(
    runId,
    'runThread unknown',
    'another assistant steps in, though one that does not stream was refused for it',
    fallingBack(rejectedWith('engine_does_not_support_streaming', 400)),
    naming,
  ),
  notBlamed(runId, 'runThread', 'nothing shows that the field is read', fallingBack(null), naming),
  notBlamed(runId, 'runThread', 'a stream was refused for something else', fallingBack(notFound), naming),
  violates(supportId, 'streamThreadRun', 'an assistant that a run surely names', streamOfWhole(unavailable), naming),
  violates(
    supportId,
    'streamThreadRun',
    'a run by another key of the tenant is refused for its assistant',
    (s) => {
      s.assistants(undefined, { as: 'spare' })
      streamOfWhole({ ...unavailable, as: 'spare' })(s)
    },
    { profile: { ...naming.profile, tenants: { primary: { key: 'A' }, spare: { key: 'B' } } } },
  ),
  inconclusive(supportId, 'streamThreadRun', 'that of the thread may have answered', streamOfWhole(null), naming),
]

/** Cases of refusals, of owners and of assistants. */
export const threadTraceCases: readonly OracleCase[] = [...refusalCases, ...ownerCases, ...assistantCases]
