/** Conversations about numbers, for tests of what answers quote. */
import type { Fields } from './sample-data.ts'
import type { Change, TraceBuilder } from './trace-builder.ts'

/** What conversations are about. */
export const matters = ['4711-220-8391', '2093847561', 'KX58213.99471', '1820/475533'] as const

/** A thread with a question about a number, and an answer that quotes another one, where one is given. */
export function askAbout(s: TraceBuilder, said: string, quoted: string | null, change: Change = {}): void {
  const thread = s.thread(change)
  s.add(thread, 'user', `What about invoice ${said}?`, change)
  s.run(thread, quoted === null ? 'It is being looked at.' : `You asked about ${quoted}.`, change)
}

/** Three threads whose answers quote their questions. */
export function quoting(s: TraceBuilder): TraceBuilder {
  s.assistants()
  for (const number of matters.slice(0, 3)) askAbout(s, number, number)
  return s
}

/** The messages of a completion that asks this. */
export const asking = (content: string): Fields => ({ messages: [{ role: 'user', content }] })
