/** Oracles of chapter tools: tool messages answer calls of their thread, and runs wait for all results. */
import { bothRuns, type TestableId } from '../../../../spec/index.ts'
import { noMatchingCall } from '../../classify/tool-faults.ts'
import { callsState } from '../../history/tool-calls.ts'
import { isAccepted, isRefusal } from '../../read/parsed-exchange.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { acceptsNothing } from '../support/confounders.ts'
import { newestBefore, type Oracle, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { mustBeRefused, type RefusalRule, refusalOf } from '../support/refusals.ts'
import { judgeCode } from '../threads/threads.ts'
import { askingAnswerFields } from './asking-answers.ts'
import { matchedAccepted, matchedBehindOtherResults } from './matched-results.ts'

const refusedResult = (what: string, faults: RefusalRule['faults']): ScopedOracle =>
  refusalOf(['createMessage'], what, faults)

const unmatched: ReadonlySet<string> = new Set(['tool-id-unknown', 'tool-without-assistant-message'])

/** The id that a tool message gives is not found; without any id the fault may be reported as a missing field. */
const unmatchedError: Oracle = (analysis, observe) => {
  const what = 'a tool message whose call id is not found'
  if (analysis.profile.tools !== null) {
    const faults = { 'tool-id-unknown': null, 'tool-without-assistant-message': null }
    return judgeCode(analysis, observe, ['createMessage'], faults, noMatchingCall, what)
  }
  for (const parsed of analysis.of('createMessage')) {
    const { faults } = analysis.requestOf(parsed)
    if (faults.length !== 1 || !unmatched.has(faults[0]?.rule ?? '') || !isRefusal(parsed)) continue
    if (parsed.answer.code === noMatchingCall) observe.held('createMessage', null, parsed.id)
    else
      observe.ambiguous(
        'createMessage',
        null,
        parsed.id,
        'The profile does not say which field of a tool message carries the call id.',
      )
  }
}

const runAfterToolMessages: Oracle = (analysis, observe) => {
  for (const operation of bothRuns) {
    for (const parsed of analysis.of(operation)) {
      const thread = analysis.histories.thread(parsed.params.thread_id ?? '')
      const { validity } = analysis.requestOf(parsed)
      if (thread === null || validity === 'invalid') continue
      const isAnswered = callsState(thread, analysis.profile.tools, parsed) === 'answered'
      if (!isAnswered || newestBefore(analysis, parsed)?.role !== 'tool') continue
      // What may be refused, such as a run behind a result that may be there twice, shows the rule where it is accepted.
      if (validity === 'unsure') {
        if (isAccepted(parsed)) observe.held(operation, null, parsed.id)
        continue
      }
      if (acceptsNothing(analysis, operation)) observe.ambiguous(operation, null, parsed.id, 'No run is served.')
      else judgeAcceptance(observe, parsed, null, 'a run of a thread in which every call has its tool message')
    }
  }
}

const runNeedsToolMessages: Oracle = (analysis, observe) => {
  const faults = { 'calls-unanswered': 'none-answered', 'calls-partly-answered': 'some-answered' } as const
  mustBeRefused(analysis, observe, {
    operations: bothRuns,
    faults,
    what: 'a run of a thread whose tool call has no tool message yet',
  })
}

/** The oracles of chapter tools. */
export const toolsOracles: Readonly<Record<TestableId<'tools'>, ScopedOracle>> = {
  'tools.unmatched-refused': refusedResult('a tool message without a matching call', {
    'tool-without-assistant-message': 'no-assistant-message',
    'tool-id-unknown': 'unknown-id',
    'tool-without-id': 'without-id',
  }),
  'tools.unmatched-error': perTrace(unmatchedError),
  'tools.matched-in-own-thread': refusedResult('a tool message whose call belongs to another thread', {
    'tool-id-of-other-thread': null,
  }),
  'tools.matched-by-assistant-only': refusedResult(
    'a tool message whose call id stands on a message that is not of an assistant',
    {
      'tool-id-of-other-role': null,
    },
  ),
  'tools.matched-accepted': perThread(matchedAccepted),
  'tools.matched-behind-other-results': perThread(matchedBehindOtherResults),
  'tools.matched-exactly': refusedResult('a tool message whose call id is only similar to one that was asked for', {
    'tool-id-inexact': null,
  }),
  'tools.run-needs-tool-messages': perTrace(runNeedsToolMessages),
  'tools.run-after-tool-messages': perThread(runAfterToolMessages),
  'tools.asking-answer-fields': perThread(askingAnswerFields),
  'tools.asking-message-not-empty': refusedResult('an assistant message that asks for tools without content', {
    'asking-content-empty': null,
  }),
}
