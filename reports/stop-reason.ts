/** Says why a run is not whole. A spent budget must not be read as the cause of violations. */
import type { Report } from './report.ts'
import { runWords } from './severity.ts'

/** One clause, or `null` when there is nothing to say; may hold text of a target. */
export function stopReason({ run, cost }: Pick<Report, 'run' | 'cost'>): string | null {
  const reason = run.incompleteReason
  if (reason === undefined) return null
  if (run.complete || reason.startsWith('without part')) return reason
  return `the run ended early: ${words[reason]?.(cost) ?? reason}`
}

/** Why a run exits with 2 or 3, in one line for formats that show cases only; `null` for any other; may hold text of a target. */
export function undecidedReason(report: Pick<Report, 'run' | 'cost' | 'exchanges'>): string | null {
  const { outcome } = report.run
  if (outcome !== 'invalid' && outcome !== 'incomplete') return null
  const [first] = report.exchanges
  const isSilent = first !== undefined && report.exchanges.every(({ response }) => response === null)
  if (isSilent) return `target unreachable: ${first.failure ?? 'no answer'}`
  return `${runWords[outcome]}: ${stopReason(report) ?? 'nothing could be judged'}`
}

/** A trace says in a word why it ended. */
const words: Readonly<Record<string, (cost: Report['cost']) => string>> = {
  budget: capText,
  interrupted: () => 'it was interrupted',
  unreachable: () => 'the target stopped answering',
}

function capText({ exchanges, maxExchanges, modelCalls, maxModelCalls }: Report['cost']): string {
  if (maxModelCalls !== null && modelCalls >= maxModelCalls)
    return `the cap of ${maxModelCalls} model calls was reached`
  if (maxExchanges !== null && exchanges >= maxExchanges) return `the cap of ${maxExchanges} requests was reached`
  return 'what the caps leave was not enough'
}
