/**
 * Judges that results of open calls are accepted. The contract leaves some results open; one of these is judged as well if the
 * rest of the trace rules out what is open as the reason for its refusal.
 */
import type { AmbiguityText } from '../../classify/ambiguity.ts'
import { noMatchingCall } from '../../classify/tool-faults.ts'
import { askersOf } from '../../history/thread-histories.ts'
import { textField } from '../../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { newestBefore, type Oracle } from '../support/oracle.ts'

export const matchedAccepted: Oracle = (analysis, observe) => {
  for (const { parsed } of matchedResults(analysis)) {
    const [asker] = askersOf(analysis.histories, parsed)
    const named = `a tool message that answers ${asker === undefined ? 'an open call' : 'a tool call'}`
    const what = asker === undefined ? named : `a tool message that answers the call that ${asker.id} asked for`
    judgeAcceptance(observe, parsed, null, what, asker === undefined ? [] : [asker], named)
  }
}

export const matchedBehindOtherResults: Oracle = (analysis, observe) => {
  for (const { parsed, isBehindOther } of matchedResults(analysis)) {
    if (isBehindOther)
      judgeAcceptance(observe, parsed, null, 'a tool message after another result of the same assistant message')
  }
}

/** Tool messages that must be accepted, with whether another result stands between them and their call. */
function* matchedResults(
  analysis: TraceAnalysis,
): Generator<{ readonly parsed: ParsedExchange; readonly isBehindOther: boolean }> {
  for (const parsed of analysis.of('createMessage')) {
    const role = parsed.body.kind === 'json' ? textField(parsed.body.value, 'role') : null
    if (role !== 'tool' || !(analysis.requestOf(parsed).validity === 'valid' || isDenied(analysis, parsed))) continue
    yield { parsed, isBehindOther: newestBefore(analysis, parsed)?.role === 'tool' }
  }
}

/** Whether a result is refused because of its call: the trace rules out every other reason. */
function isDenied(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  if (faults.length > 0 || !isRefusal(parsed) || parsed.answer.code !== noMatchingCall) return false
  return ambiguities.every(({ about }) => notTheReason[about]?.(analysis, parsed) === true)
}

/** For each open question about a result: whether the trace rules it out as the reason for the refusal. */
const notTheReason: Readonly<Partial<Record<AmbiguityText, (analysis: TraceAnalysis, of: ParsedExchange) => boolean>>> =
  {
    // The thread is surely not too long: it takes a later message.
    'a thread of many messages': ({ histories }, { params, endedAtMs }) =>
      (histories.thread(params.thread_id ?? '')?.acknowledged ?? []).some(
        ({ kind, sentAtMs }) => kind === 'created' && sentAtMs > endedAtMs,
      ),
    // The target accepts results away from their calls elsewhere, so it must have searched the newer message only.
    'a tool message behind a newer assistant message': (analysis) => takesAwayResults(analysis),
  }

const away: ReadonlySet<AmbiguityText> = new Set([
  'a tool message away from its call',
  'a tool message behind a newer assistant message',
])

/** Whether the target takes a result that does not stand next to its call. */
const takesAwayResults = memoPerTrace((analysis) =>
  analysis.of('createMessage').some((parsed) => {
    const { faults, ambiguities } = analysis.requestOf(parsed)
    return isAccepted(parsed) && faults.length === 0 && ambiguities.some(({ about }) => away.has(about))
  }),
)
