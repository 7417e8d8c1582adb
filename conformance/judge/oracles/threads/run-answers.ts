/**
 * Oracle of threads.run-appends-answer: a run adds its answer to the thread as it was returned, and nothing else. It is
 * separate from the other oracles of contents because it separates the effect of the run from that of a list.
 */

import { bothRuns } from '../../../../spec/index.ts'
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { StoredMessage, View, Write } from '../../history/thread-record.ts'
import { mayAskForTools } from '../../history/tool-calls.ts'
import { renamedCall } from '../../history/writes.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isTimestamp, isUuid } from '../../read/formats.ts'
import { fieldOf, sameJson } from '../../read/json.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'
import { changeIn } from './changed-messages.ts'
import { shownMessages } from './contents.ts'

const answerFields = ['thread_id', 'role', 'content', 'created_at', 'meta_data', 'sources'] as const

/** Oracle of threads.run-appends-answer. */
export const runAppendsAnswer: Oracle = (analysis, observe) => {
  for (const operation of bothRuns) {
    for (const parsed of analysis.of(operation)) {
      const write = analysis.histories
        .writesOf(parsed)
        .find(({ kind, status }) => kind === 'answer' && status === 'acknowledged')
      const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
      if (write && thread?.alone) judgeAnswer(analysis, observe, operation, thread, write)
    }
  }
}

function judgeAnswer(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operation: 'runThread' | 'streamThreadRun',
  thread: ThreadHistory,
  write: Write,
): undefined {
  const { parsed, stored, returned } = write
  const missed = write.missingFrom.find((view) => isOwnLoss(thread, write, view))
  const extra = extraOf(thread, write)
  const say = (list: string, expected: string, actual: string, pointer: string, headline: string): undefined =>
    observe.contradicted(operation, null, {
      exchanges: [parsed.id, list],
      expected,
      actual,
      pointer,
      because: `${parsed.id} answered with message ${write.id}; ${list} should list ${expected}, and it has ${actual}.`,
      headline,
    })
  if (missed !== undefined) {
    const headline = 'the thread does not list the answer'
    return say(missed.pages[0].parsed.id, 'the answer', 'a list without it', '/items', headline)
  }
  if (extra !== null)
    return say(
      shownMessages(extra).list,
      'the answer and nothing else',
      `message ${extra.id} as well`,
      shownMessages(extra).pointer,
      'the thread lists another message beside the answer',
    )
  if (stored === null) return
  const list = stored.first.page.parsed.id
  const field =
    returned === null || mayAskForTools(returned, analysis.profile.tools)
      ? lostWords(returned, stored.first.item)
      : answerFields.find((name) => isListedOtherwise(name, fieldOf(returned, name), fieldOf(stored.first.item, name)))
  const renamed = renamedCall(returned, stored.first.item, analysis.profile.tools)
  if (renamed !== null) {
    const [asked, listed] = renamed
    const headline = 'the thread lists the answer with another call of a tool'
    return say(list, `the call ${asked}`, `the call ${listed}`, `/items/${stored.first.at}`, headline)
  }
  if (field === undefined) return observe.held(operation, null, parsed.id, list)
  const { at, before, after, change } = changeIn(field, returned, stored.first.item)
  const headline = `the thread lists the answer ${change ?? `with another ${at}`}`
  say(list, `${at} ${before}`, after, `/items/${stored.first.at}/${at}`, headline)
}

/** In which form a message asks for tools is not shown; one that has words is no empty one. */
function lostWords(returned: unknown, listed: unknown): 'content' | undefined {
  const [given, kept] = [fieldOf(returned, 'content'), fieldOf(listed, 'content')]
  return given === '' && typeof kept === 'string' && kept !== '' ? 'content' : undefined
}

/** Whether a list that lacks an answer is evidence about the run: a list that changes without a write is a fault of lists. */
function isOwnLoss({ timeline }: ThreadHistory, { stored }: Write, view: View): boolean {
  const seen = stored?.first.page.parsed
  return seen === undefined || seen.endedAtMs > view.startMs || !timeline.isQuiet(seen.sentAtMs, view.endMs)
}

/** The rules of fields cover a field that is missing or malformed in one of the two places. */
function isListedOtherwise(name: (typeof answerFields)[number], returned: unknown, listed: unknown): boolean {
  if (returned === undefined || listed === undefined) return false
  if (name === 'thread_id' && (!isUuid(returned) || !isUuid(listed))) return false
  if (name === 'created_at' && (!isTimestamp(returned) || !isTimestamp(listed))) return false
  return !sameJson(returned, listed)
}

/** A message that no request added, directly before or after the answer; a refused run may have left it. */
function extraOf(thread: ThreadHistory, write: Write): StoredMessage | null {
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
