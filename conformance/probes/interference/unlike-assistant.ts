/** Picks the assistant that differs most from the plain one, so that mixed-up answers show. */
import { type AssistantSummary, isNamed, runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { runOnThread } from '../threads/runs.ts'

/** One that requires fields, since its answers are described most closely; else one that does not stream, else the last one. */
export async function unlikeAssistant(stage: ProbeContext): Promise<AssistantSummary | null> {
  const others = await withoutTools(stage)
  return others.find(isDemanding) ?? easyOne(others) ?? stage.assistant('plain')
}

/** Runs that assistant; where a run needs fields that the contract does not show, the next one, which requires none. */
export async function runUnlike(
  stage: ProbeContext,
  thread: string,
  assistant: AssistantSummary,
  change: (plain: RequestSpec) => RequestSpec = (plain) => plain,
): Promise<Answer> {
  const run = (one: AssistantSummary) =>
    runOnThread(stage, thread, 'runThread', one, change({ json: stage.runBody(one) }))
  const answer = await run(assistant)
  const easy = easyOne((await withoutTools(stage)).filter((one) => !isDemanding(one)))
  const isLacking = answer.errorCode === 'validation_error' && isDemanding(assistant)
  return isLacking && easy !== undefined && runNamesAssistant(stage.profile) ? run(easy) : answer
}

async function withoutTools(stage: ProbeContext): Promise<readonly AssistantSummary[]> {
  return (await stage.assistants()).filter((assistant) => !isNamed(assistant, stage.profile.tools?.assistant_id))
}

const isDemanding = ({ requires }: AssistantSummary): boolean => Object.values(requires).flat().length > 0

const easyOne = (others: readonly AssistantSummary[]): AssistantSummary | undefined =>
  others.find(({ streaming }) => !streaming) ?? others.at(-1)
