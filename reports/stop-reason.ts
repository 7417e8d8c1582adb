/** Says why a run is not whole. A spent budget must not be read as the cause of violations. */
import type { Report } from './report.ts'

/** One clause, or `null` when there is nothing to say; may hold text of a target. */
export function stopReason({ run, cost }: Pick<Report, 'run' | 'cost'>): string | null {
  const reason = run.incompleteReason
  if (reason === undefined) return null
  if (run.complete || reason.startsWith('without part')) return reason
  return `the run ended early: ${reason === 'budget' ? capText(cost) : reason}`
}

function capText({ exchanges, maxExchanges, modelCalls, maxModelCalls }: Report['cost']): string {
  if (maxModelCalls !== null && modelCalls >= maxModelCalls)
    return `the cap of ${maxModelCalls} model calls was reached`
  if (maxExchanges !== null && exchanges >= maxExchanges) return `the cap of ${maxExchanges} requests was reached`
  return 'what the caps leave was not enough'
}
