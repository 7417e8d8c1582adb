/**
 * Determines the assistant of a run, as far as known: the contract shows no field for it. The profile says where a
 * run names it; recorded traffic often comes without a profile.
 */
import type { ThreadHistory } from '../history/thread-histories.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import { isObject, textField } from '../read/json.ts'
import { textAtPlaceholder } from '../read/locate-placeholder.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'

/** The assistant that a run names, or else the one that its thread was opened for; `null` when unknown. */
export function runAssistant(
  parsed: ParsedExchange,
  thread: ThreadHistory | null,
  profile: JudgeProfile,
): string | null {
  const body = parsed.body.kind === 'json' ? parsed.body.value : null
  const bound = thread?.origin.assistant ?? null
  if (profile.source === 'suite' || profile.runAssistantAt !== null)
    return textAtPlaceholder(body, profile.runAssistantAt)?.toLowerCase() ?? bound
  return ofRecordedRun(body, bound)
}

/**
 * Clients of the service may name the assistant in any field. The one called `assistant_id` counts, unless the thread was
 * opened for another one: whether the service reads the field is then unknown.
 */
function ofRecordedRun(body: unknown, bound: string | null): string | null {
  const named = textField(body, 'assistant_id')?.toLowerCase() ?? null
  if (named !== null) return bound === null || bound === named ? named : null
  return mayNameAnother(body) ? null : bound
}

/** Fields of a run that surely name no assistant. */
const otherFields: ReadonlySet<string> = new Set(['tools', 'tool_choice', 'user_id', 'user_data'])

const mayNameAnother = (body: unknown): boolean =>
  isObject(body) && Object.keys(body).some((name) => !otherFields.has(name))
