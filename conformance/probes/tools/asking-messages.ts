/** Posts assistant messages that ask for tools. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { areUuids, askingMessage, type CallIds } from '../../probe-runtime/tool-calls.ts'
import type { ToolMapping } from '../../profile/target-profile.ts'

/** Sends a message with ids that are drawn for it, once more where a refusal shows that they have to be UUIDs. */
export async function sendWithCallIds<Ids extends readonly string[]>(
  context: ProbeContext,
  draw: () => Ids,
  send: (ids: Ids, more: RequestSpec) => Promise<Answer>,
): Promise<{ readonly ids: Ids; readonly answer: Answer }> {
  const ids = draw()
  const answer = await send(ids, {})
  if (answer.outcome === 'accepted' || areUuids(ids) || !context.needsUuidCalls()) return { ids, answer }
  const others = draw()
  return { ids: others, answer: await send(others, { isRepetition: true }) }
}

/** Adds an assistant message with these calls and gives their ids; notes when the target takes none from a client. */
export async function askFor(
  context: ProbeContext,
  thread: string,
  draw: () => CallIds,
  mapping: ToolMapping,
): Promise<CallIds | null> {
  if (mapping.assistantMessage === undefined) return null
  const { ids, answer } = await sendWithCallIds(context, draw, (calls, more) => {
    const json = askingMessage(calls, 'Let me look that up.', mapping)
    return context.send('createMessage', { in: { thread_id: thread }, json, expects: 'either', ...more })
  })
  if (answer.outcome === 'accepted') return ids
  context.note('refused-by-target', 'The target takes no assistant message with tool calls from a client.')
  return null
}
