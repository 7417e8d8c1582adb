/** Oracles of chapter tools: a tool message answers a call of its own thread, and a run waits for all the answers. */
import type { TestableId } from '../../spec/index.ts'
import { textField } from '../classify/json.ts'
import { isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import { callsState } from '../ledger/calls.ts'
import { servesNothing } from './alike.ts'
import { bothRuns, judgeAcceptance, mustBeRefused, newestBefore, type Oracle, type RefusalRule } from './oracle.ts'
import { judgeCode } from './threads.ts'

const refusedResult =
  (what: string, faults: RefusalRule['faults']): Oracle =>
  (docket, testify) =>
    mustBeRefused(docket, testify, { operations: ['createMessage'], faults, what })

const unmatched: ReadonlySet<string> = new Set(['tool-id-unknown', 'tool-without-assistant-message'])

/** The id that a tool message gives is not found; without any id the fault may be told as a missing field. */
const unmatchedError: Oracle = (docket, testify) => {
  const what = 'a tool message whose call id is not found'
  const code = 'tool_message_has_no_matching_tool_call'
  if (docket.profile.tools !== null) {
    const faults = { 'tool-id-unknown': null, 'tool-without-assistant-message': null }
    return judgeCode(docket, testify, ['createMessage'], faults, code, what)
  }
  for (const reading of docket.of('createMessage')) {
    const { faults } = docket.requestOf(reading)
    if (faults.length !== 1 || !unmatched.has(faults[0]?.rule ?? '') || !isRefusal(reading)) continue
    if (reading.answer.code === code) testify.held('createMessage', null, reading.id)
    else
      testify.ambiguous(
        'createMessage',
        null,
        reading.id,
        'The profile does not say which field of a tool message carries the call id.',
      )
  }
}

/** Tool messages that must be accepted, with whether another result stands between them and their call. */
function* matchedResults(docket: Docket): Generator<{ readonly reading: Reading; readonly isBehindOther: boolean }> {
  for (const reading of docket.of('createMessage')) {
    const role = reading.body.kind === 'json' ? textField(reading.body.value, 'role') : null
    if (role !== 'tool' || docket.requestOf(reading).validity !== 'valid') continue
    yield { reading, isBehindOther: newestBefore(docket, reading)?.role === 'tool' }
  }
}

const runAfterToolMessages: Oracle = (docket, testify) => {
  for (const operation of bothRuns) {
    for (const reading of docket.of(operation)) {
      const thread = docket.ledger.thread(reading.params.thread_id ?? '')
      if (thread === null || docket.requestOf(reading).validity !== 'valid') continue
      const isAnswered = callsState(thread, docket.profile.tools, reading) === 'answered'
      if (isAnswered && newestBefore(docket, reading)?.role === 'tool') {
        if (servesNothing(docket, operation)) {
          testify.ambiguous(operation, null, reading.id, 'No run is served.')
          continue
        }
        judgeAcceptance(testify, reading, null, 'a run of a thread in which every call has its tool message')
      }
    }
  }
}

const runNeedsToolMessages: Oracle = (docket, testify) => {
  const faults = { 'calls-unanswered': 'none-answered', 'calls-partly-answered': 'some-answered' } as const
  mustBeRefused(docket, testify, { operations: bothRuns, faults, what: 'a run of a thread with an open tool call' })
}

/** The oracles of chapter tools. */
export const toolsOracles: Readonly<Record<TestableId<'tools'>, Oracle>> = {
  'tools.unmatched-refused': refusedResult('a tool message without a matching call', {
    'tool-without-assistant-message': 'no-assistant-message',
    'tool-id-unknown': 'unknown-id',
    'tool-without-id': 'without-id',
  }),
  'tools.unmatched-error': unmatchedError,
  'tools.matched-in-own-thread': refusedResult('a tool message whose call only another thread knows', {
    'tool-id-of-other-thread': null,
  }),
  'tools.matched-by-assistant-only': refusedResult(
    'a tool message whose call id stands on a message that is not of an assistant',
    {
      'tool-id-of-other-role': null,
    },
  ),
  'tools.matched-accepted': (docket, testify) => {
    for (const { reading } of matchedResults(docket))
      judgeAcceptance(testify, reading, null, 'a tool message that answers an open call')
  },
  'tools.matched-behind-other-results': (docket, testify) => {
    for (const { reading, isBehindOther } of matchedResults(docket)) {
      if (isBehindOther)
        judgeAcceptance(testify, reading, null, 'a tool message behind another result of the same assistant message')
    }
  },
  'tools.matched-exactly': refusedResult('a tool message whose call id is only similar to one that was asked for', {
    'tool-id-inexact': null,
  }),
  'tools.run-needs-tool-messages': runNeedsToolMessages,
  'tools.run-after-tool-messages': runAfterToolMessages,
}
