/** Sends results of calls: some answer a call of their thread, and a service has to refuse the others. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { resultMessage } from '../../probe-runtime/tool-calls.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

/** Answers one call. */
export function sendResult(
  context: ProbeContext,
  thread: string,
  callId: string,
  result = toolResult(context.random),
): Promise<Answer> {
  const json = resultMessage(callId, result, context.profile.tools)
  return context.send('createMessage', { in: { thread_id: thread }, json })
}

/** Answers a call that nobody asked in this thread. */
export function refuseResult(context: ProbeContext, thread: string, callId: string, purpose: string): Promise<Answer> {
  const json = resultMessage(callId, 'Result: nothing found.', context.profile.tools)
  return sendOneInvalid(context, 'createMessage', { purpose, in: { thread_id: thread }, json })
}

/** A result that does not say which call it answers. */
export function refuseResultWithoutId(context: ProbeContext, thread: string): Promise<Answer> {
  const json = { role: 'tool', content: toolResult(context.random) }
  const wrong = { purpose: 'drop:/body/tool_call_id', in: { thread_id: thread }, json } as const
  return sendOneInvalid(context, 'createMessage', wrong)
}
