/**
 * Finds accepted runs that lack what their assistant requires of completions. The contract does not say whether runs
 * need these fields too, so such a run is what shows that another refusal of the assistant had a different cause.
 */
import { isAccepted, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import { type AssistantRecord, lacksRequiredField } from './assistant-registry.ts'
import type { JudgeContext } from './judge-context.ts'
import { runAssistant } from './run-assistant.ts'

type Known = Pick<JudgeContext, 'registry' | 'histories' | 'profile'>

/** The record of the assistant when the exchange is an accepted run without the fields that the record names, or null. */
export const fieldlessRunOf = (parsed: ParsedExchange, known: Known): AssistantRecord | null =>
  isAccepted(parsed) ? askedWithoutFields(parsed, known) : null

/** The same of any run, whatever its answer. */
export function askedWithoutFields(
  parsed: ParsedExchange,
  { registry, histories, profile }: Known,
): AssistantRecord | null {
  if (!isRun(parsed)) return null
  const id = runAssistant(parsed, histories.thread(parsed.params.thread_id ?? ''), profile)
  const record = id === null ? null : registry.recordOf(parsed.tenant, id)
  return record !== null && lacksRequiredField(record, parsed) ? record : null
}

/** The assistants, each by its record, that such runs show to answer without their fields. */
export function fieldlessRuns(parsedExchanges: readonly ParsedExchange[], known: Known): ReadonlySet<AssistantRecord> {
  return new Set(parsedExchanges.flatMap((parsed) => fieldlessRunOf(parsed, known) ?? []))
}
