/** Posts assistant messages that ask for tools. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { areUuids, askingMessage, type CallIds } from '../../probe-runtime/tool-calls.ts'
import type { ToolMapping } from '../../profile/target-profile.ts'

/**
 * Adds an assistant message with calls whose ids are drawn, once more where a refusal shows that they have to be UUIDs. Gives
 * the ids; notes when the target takes none from a client.
 */
export async function askFor(
  context: ProbeContext,
  thread: string,
  draw: () => CallIds,
  mapping: ToolMapping,
): Promise<CallIds | null> {
  const ask = async (more: RequestSpec): Promise<CallIds | null> => {
    const calls = draw()
    const json = askingMessage(calls, 'Let me look that up.', mapping) ?? {}
    const { outcome } = await context.send('createMessage', { in: { thread_id: thread }, json, ...more })
    if (outcome === 'accepted') return calls
    return !areUuids(calls) && context.needsUuidCalls() ? ask({ ...more, isRepetition: true }) : null
  }
  if (mapping.assistantMessage === undefined) return null
  const calls = await ask({ expects: 'either' })
  if (calls === null)
    context.note('refused-by-target', 'The target takes no assistant message with tool calls from a client.')
  return calls
}
