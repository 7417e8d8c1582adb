/**
 * Makes the thread that the first looks share. It holds all kinds of messages, pages of them, and a whole answer at its
 * end.
 */
import type { AssistantSummary } from '../../probe-runtime/assistant-summary.ts'
import { nonStreamingAssistant, type SharedFixture } from '../../probe-runtime/fixtures.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'

export interface FirstThread extends SharedFixture {
  /** The assistant that it was opened for. */
  readonly assistant: AssistantSummary
}

/** It is of an assistant that gives whole answers only, where there is one: then it shows how a stream is refused as well. */
export async function firstThread(context: ProbeContext): Promise<FirstThread | null> {
  const assistant =
    nonStreamingAssistant(await context.askable(), context.profile) ?? (await context.assistant('plain'))
  const thread = assistant === null ? null : await context.shared('three', 'primary', assistant)
  return assistant === null || thread === null ? null : { ...thread, assistant }
}
