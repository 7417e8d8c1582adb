/** Asks for a run that must not be answered. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { sendOneInvalid } from './send-invalid.ts'

export type RunOperation = 'runThread' | 'streamThreadRun'

/** Sends nothing where there is no assistant. */
export async function refuseRun(
  context: ProbeContext,
  operation: RunOperation,
  thread: string,
  purpose: string,
): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  await sendOneInvalid(context, operation, { purpose, in: { thread_id: thread }, json: context.runBody(assistant) })
}
