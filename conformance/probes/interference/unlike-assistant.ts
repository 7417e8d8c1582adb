/** Picks the assistant that differs most from the plain one, so that mixed-up answers show. */
import { type AssistantSummary, isNamed } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'

/** One that requires fields, since its answers are described most closely; else one that does not stream, else the last one. */
export async function unlikeAssistant(stage: ProbeContext): Promise<AssistantSummary | null> {
  const asksForTools = stage.profile.tools?.assistant_id
  const others = (await stage.assistants()).filter((assistant) => !isNamed(assistant, asksForTools))
  const demanding = others.find(({ requires }) => Object.values(requires).flat().length > 0)
  return demanding ?? others.find(({ streaming }) => !streaming) ?? others.at(-1) ?? stage.assistant('plain')
}
