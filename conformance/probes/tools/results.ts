/** Sends results of calls: some answer a call of their thread, and a service has to refuse the others. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { shortTextAbout, toolResult } from '../../probe-runtime/sample-texts.ts'
import { askingMessage, resultMessage } from '../../probe-runtime/tool-calls.ts'
import type { ToolMapping } from '../../profile/target-profile.ts'
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

/** The result of a call has a content, as every message has. */
export function refuseEmptyResult(context: ProbeContext, thread: string, callId: string): Promise<Answer> {
  const json = resultMessage(callId, '', context.profile.tools)
  const wrong = { purpose: 'empty:/body/content', in: { thread_id: thread }, json } as const
  return sendOneInvalid(context, 'createMessage', wrong)
}

/** A result that does not say which call it answers. */
export function refuseResultWithoutId(context: ProbeContext, thread: string): Promise<Answer> {
  const json = { role: 'tool', content: toolResult(context.random) }
  const wrong = { purpose: 'drop:/body/tool_call_id', in: { thread_id: thread }, json } as const
  return sendOneInvalid(context, 'createMessage', wrong)
}

/**
 * A question of a user that names a call id in its text, and in a field that a service may refuse there: in turn that of a
 * result, or that of calls. Gives the id, which no assistant message asks for.
 */
export async function addMarkedQuestion(context: ProbeContext, thread: string, mapping: ToolMapping): Promise<string> {
  const id = context.random.uuid()
  const plain = { role: 'user', content: shortTextAbout(id, context.random) }
  const asking = context.random.runNumber % 2 === 1 ? askingMessage([id], plain.content, mapping) : null
  const json = asking === null ? { ...plain, [mapping.resultField]: id } : { ...asking, ...plain }
  const marked = { purpose: 'extra:/body', expects: 'either', json } as const
  const { outcome } = await context.send('createMessage', { in: { thread_id: thread }, ...marked })
  if (outcome !== 'accepted') await context.send('createMessage', { in: { thread_id: thread }, json: plain })
  return id
}
