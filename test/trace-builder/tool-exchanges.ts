/** Threads whose messages ask for tools, and the results of their calls. */
import type { Fields } from './sample-data.ts'
import type { Change, TraceBuilder } from './trace-builder.ts'

/** A thread with a question. */
export const questioned = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'What is the weather?')
  return thread
}

/** A thread whose assistant message asks for these calls. */
export const calling = (s: TraceBuilder, ...ids: readonly string[]): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'What is the weather?')
  s.add(thread, 'assistant', 'Let me look.', { more: { tool_calls: ids.map((id) => ({ id })) } })
  return thread
}

/** Answers a call; `null` leaves its id out. */
export const result = (s: TraceBuilder, thread: string, id: string | null, change: Change = {}): Fields =>
  s.add(thread, 'tool', 'It rains.', { ...(id === null ? {} : { more: { tool_call_id: id } }), ...change })
