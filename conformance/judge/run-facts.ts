/**
 * Reads the facts from a trace that decide its outcome beside the verdicts. They are whether it can show anything, and
 * whether it is complete.
 */
import type { Trace } from '../trace/exchange.ts'
import { contradictedSetting } from './contradicted-settings.ts'
import { lastAnswers } from './last-answers.ts'
import { isAccepted, type ParsedExchange } from './read/parsed-exchange.ts'
import type { RunFacts } from './run-outcome.ts'
import type { TraceAnalysis } from './trace-analysis.ts'

/** The facts of one recorded run. */
export const runFacts = (analysis: TraceAnalysis, { footer, notes }: Trace): RunFacts => ({
  invalid: footer === null ? 'the trace has no footer' : whySilent(analysis.parsedExchanges, notes),
  wrongSetting: contradictedSetting(analysis, brokeOff(footer)),
  gone: footer?.reason === 'unreachable' ? lastAnswers(analysis.parsedExchanges) : null,
  unfinished: footer?.complete === false ? (footer.reason ?? 'interrupted') : null,
  acceptedAny: analysis.parsedExchanges.some(isAccepted),
})

/** Whether the run ended before all that was planned was asked; a spent budget leaves out only probes that have not begun. */
export const brokeOff = (footer: Trace['footer']): boolean => footer?.complete === false && footer.reason !== 'budget'

function whySilent(parsedExchanges: readonly ParsedExchange[], notes: Trace['notes']): string | null {
  if (parsedExchanges.length === 0)
    return notes.some(({ reason }) => reason === 'budget')
      ? 'nothing was sent: the budget leaves no request'
      : 'nothing was sent'
  if (parsedExchanges.every(({ exchange }) => exchange.response === null)) return 'the target could not be reached'
  const answered = parsedExchanges.filter(({ answer, key }) => answer.kind !== 'none' && key === 'sent')
  return answered.length > 0 && answered.every(isKeyRefused) ? 'the target refused the keys of the profile' : null
}

const isKeyRefused = ({ answer: { status } }: ParsedExchange): boolean => status === 401 || status === 403
