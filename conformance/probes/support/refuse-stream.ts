/** Asks for a stream of an assistant that answers whole only. The refusal is of this request: the whole form goes on. */
import { type AssistantSummary, runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import { notStreaming } from '../../probe-runtime/named-assistants.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { sendOneInvalid } from './send-invalid.ts'

/** Sends nothing, and gives `null`, where there is no such assistant, or where no streams are claimed. */
export async function refuseStream(
  context: ProbeContext,
  thread: string,
  assistant: AssistantSummary | null,
  as: TenantName = 'primary',
): Promise<Answer | null> {
  if (assistant === null || assistant.streaming || !context.profile.claims.includes('streaming')) return null
  const ask = { in: { thread_id: thread }, json: context.runBody(assistant), as }
  return sendOneInvalid(context, 'streamThreadRun', { ...ask, purpose: notStreaming })
}

/** The same in a thread of any assistant, where a run names one. A service that does not read the name may answer, once. */
export async function refuseNamedStream(context: ProbeContext, thread: string): Promise<Answer | null> {
  const isRead = runNamesAssistant(context.profile) && !context.ignoresNamedAssistants()
  return isRead ? refuseStream(context, thread, await context.assistant('whole')) : null
}
