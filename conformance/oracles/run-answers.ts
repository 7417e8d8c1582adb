/**
 * Oracle of threads.run-appends-answer: a run adds its answer to the thread as it was returned, and nothing else. Apart from
 * the other oracles of contents because it tells what the run did from what a list made of it.
 */
import { isTimestamp, isUuid } from '../classify/forms.ts'
import { fieldOf, sameJson } from '../classify/json.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { mayAskForTools } from '../ledger/calls.ts'
import type { LedgerThread } from '../ledger/index.ts'
import type { StoredMessage, View, Write } from '../ledger/thread-ledger.ts'
import { bothRuns, type Oracle } from './oracle.ts'
import { changeIn, shown } from './thread-contents.ts'

const answerFields = ['thread_id', 'role', 'content', 'created_at', 'meta_data', 'sources'] as const

/** Oracle of threads.run-appends-answer. */
export const runAppendsAnswer: Oracle = (docket, testify) => {
  for (const operation of bothRuns) {
    for (const reading of docket.of(operation)) {
      const write = docket.ledger
        .writesOf(reading)
        .find(({ kind, status }) => kind === 'answer' && status === 'acknowledged')
      const thread = docket.ledger.thread(reading.params.thread_id ?? '')
      if (write && thread?.alone) judgeAnswer(docket, testify, operation, thread, write)
    }
  }
}

function judgeAnswer(
  docket: Docket,
  testify: Testimony,
  operation: 'runThread' | 'streamThreadRun',
  thread: LedgerThread,
  write: Write,
): undefined {
  const { reading, stored, returned } = write
  const missed = write.missingFrom.find((view) => isOwnLoss(thread, write, view))
  const extra = extraOf(thread, write)
  const say = (list: string, expected: string, actual: string, pointer: string): undefined =>
    testify.contradicted(operation, null, {
      exchanges: [reading.id, list],
      expected,
      actual,
      pointer,
      because: `${reading.id} answered with message ${write.id}; ${list} should list ${expected}, and it has ${actual}.`,
    })
  if (missed !== undefined) return say(missed.pages[0].reading.id, 'the answer', 'a list without it', '/items')
  if (extra !== null)
    return say(shown(extra).list, 'the answer and nothing else', `message ${extra.id} as well`, shown(extra).pointer)
  if (stored === null) return
  const list = stored.first.page.reading.id
  const field =
    returned === null || mayAskForTools(returned, docket.profile.tools)
      ? undefined
      : answerFields.find((name) => isListedOtherwise(name, fieldOf(returned, name), fieldOf(stored.first.item, name)))
  if (field === undefined) return testify.held(operation, null, reading.id, list)
  const { at, before, after } = changeIn(field, returned, stored.first.item)
  say(list, `${at} ${before}`, after, `/items/${stored.first.at}/${at}`)
}

/** Whether a list that lacks an answer tells of the run: a list that changes without a write is a fault of lists. */
function isOwnLoss({ timeline }: LedgerThread, { stored }: Write, view: View): boolean {
  const seen = stored?.first.page.reading
  return seen === undefined || seen.endedAtMs > view.startMs || !timeline.isQuiet(seen.sentAtMs, view.endMs)
}

/** What is missing or malformed in one of the two places is a rule of fields. */
function isListedOtherwise(name: (typeof answerFields)[number], returned: unknown, listed: unknown): boolean {
  if (returned === undefined || listed === undefined) return false
  if (name === 'thread_id' && (!isUuid(returned) || !isUuid(listed))) return false
  if (name === 'created_at' && (!isTimestamp(returned) || !isTimestamp(listed))) return false
  return !sameJson(returned, listed)
}

/** A message that nobody added and that stands right behind or before the answer; a refused run may have left it. */
function extraOf(thread: LedgerThread, write: Write): StoredMessage | null {
  const sighting = write.stored?.first
  if (sighting === undefined) return null
  const mayBeLeft = thread.refusals.some(({ kind }) => kind === 'answer')
  for (const at of [sighting.at - 1, sighting.at + 1]) {
    const neighbour = thread.stored.get(sighting.page.ids[at] ?? '')
    if (neighbour?.explanation === 'copy') return neighbour
    if (neighbour?.explanation === 'unexplained' && !mayBeLeft) return neighbour
  }
  return null
}
