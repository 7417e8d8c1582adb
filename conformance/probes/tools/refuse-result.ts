/** Sends results that answer no call of their thread. A service has to refuse each of them. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { resultMessage } from '../../probe-runtime/tool-calls.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

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
