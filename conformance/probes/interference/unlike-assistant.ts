/** Picks the assistant that differs most from the plain one, so that mixed-up answers show. */
import { type AssistantSummary, isNamed } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'

/** One that does not stream, so that its meta_data is seen as well; else the last one that is not known to ask for tools. */
export async function unlikeAssistant(stage: ProbeContext): Promise<AssistantSummary | null> {
  const asksForTools = stage.profile.tools?.assistant_id
  const others = (await stage.assistants()).filter((assistant) => !isNamed(assistant, asksForTools))
  return others.find(({ streaming }) => !streaming) ?? others.at(-1) ?? stage.assistant('plain')
}
