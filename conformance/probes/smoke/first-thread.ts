/**
 * Makes the thread that the first looks share. It holds all kinds of messages, pages of them, and where the assistant
 * asks for tools, whole answers before a streamed one.
 */
import type { AssistantSummary } from '../../probe-runtime/assistant-summary.ts'
import { nonStreamingAssistant, type SharedFixture } from '../../probe-runtime/fixtures.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { askingAssistants } from '../tools/asking-assistants.ts'

export interface FirstThread extends SharedFixture {
  /** The assistant that it was opened for. */
  readonly assistant: AssistantSummary
}

/**
 * It is of an assistant that asks for tools, where one can be made to: it is answered, asks, and is answered again. Else it
 * is of one that gives whole answers only, if there is one: then it shows how a stream is refused as well.
 */
export async function firstThread(context: ProbeContext): Promise<FirstThread | null> {
  const assistant = (await firstAssistant(context)) ?? (await context.assistant('plain'))
  const thread = assistant === null ? null : await context.shared('three', 'primary', assistant)
  return assistant === null || thread === null ? null : { ...thread, assistant }
}

async function firstAssistant(context: ProbeContext): Promise<AssistantSummary | null | undefined> {
  return asksLater(context.profile)
    ? (await askingAssistants(context))[0]
    : nonStreamingAssistant(await context.askable(), context.profile)
}

/** Whether its assistant is made to ask for tools behind the first answer. */
export function asksLater({ claims, tools }: TargetProfile): boolean {
  return claims.includes('tools') && tools?.prompt !== undefined
}
