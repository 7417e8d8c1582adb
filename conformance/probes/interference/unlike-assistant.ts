/** Picks the assistant that differs most from the plain one, so that mixed-up answers show. */
import {
  type AssistantSummary,
  isDemanding,
  isNamed,
  runNamesAssistant,
} from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { othersThatStream } from '../streams/streams.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import type { RunOperation } from '../support/refuse-run.ts'
import { runOnThread } from '../threads/runs.ts'
import { askingAssistants } from '../tools/asking-assistants.ts'

/**
 * One that requires fields, since its answers are described most closely; else one that does not stream, which is run in a
 * thread that refused to stream it; else the last one.
 */
export async function unlikeAssistant(context: ProbeContext): Promise<AssistantSummary | null> {
  const others = await withoutTools(context)
  return others.find(isDemanding) ?? leastAlike(others) ?? context.assistant('plain')
}

/**
 * One that requires nothing and that no other request is sure to ask: it streams, is not the last one that does, and no
 * candidate for tools. Only where a run says who answers; else, and where there is none, the one that is unlike. One whose
 * record describes the same metadata as the plain one's gives way to another that streams: what is kept of the first shows.
 */
export async function seldomAskedAssistant(context: ProbeContext): Promise<AssistantSummary | null> {
  const plain = await context.assistant('plain')
  if (plain === null || !runNamesAssistant(context.profile)) return unlikeAssistant(context)
  const whole = runsWholeAtOnce(context) ? await context.assistant('whole') : null
  if (whole !== null && !isDemanding(whole)) return whole
  const others = await othersThatStream(context, plain)
  const easy = others.filter((one) => !isDemanding(one))
  const asking = context.profile.tools?.prompt === undefined ? [] : await askingAssistants(context)
  const isSeldom = (one: AssistantSummary) => one !== others.at(-1) && !asking.includes(one)
  // The last easy one may be asked behind tool results, so another one comes first.
  const found = easy.slice(0, -1).findLast(isSeldom) ?? easy.findLast(isSeldom) ?? (await unlikeAssistant(context))
  const isAlike = found?.described === plain.described
  return (isAlike ? easy.find(({ described }) => described !== plain.described) : undefined) ?? found
}

/** In turn the assistant that does not stream is run beside other runs; in the long thread the plain one is, then. */
export const runsWholeAtOnce = ({ random }: ProbeContext): boolean => random.runNumber % 6 === 0

/** Runs that assistant; where a run needs fields that the contract does not show, the next one, which requires none. */
export async function runUnlike(
  context: ProbeContext,
  thread: string,
  assistant: AssistantSummary,
  change: (plain: RequestSpec) => RequestSpec = (plain) => plain,
  form: RunOperation = 'runThread',
): Promise<Answer> {
  const run = (one: AssistantSummary) => runOnThread(context, thread, form, one, change({ json: context.runBody(one) }))
  const answer = await run(assistant)
  const easy = leastAlike((await withoutTools(context)).filter((one) => !isDemanding(one)))
  const isLacking = answer.errorCode === 'validation_error' && isDemanding(assistant)
  return isLacking && easy !== undefined && runNamesAssistant(context.profile) ? run(easy) : answer
}

/**
 * A thread in which the plain assistant has answered and runs were refused, where a run says who answers: what is kept of the
 * first answer shows in that of another one, and what a refusal has left shows as well. Else a thread for the other one alone.
 */
export function threadOfUnlike(context: ProbeContext, unlike: AssistantSummary): ReturnType<ProbeContext['shared']> {
  // Without a second tenant, the thread of runs is asked by its first assistant at the same time.
  const isShared = hasSecondTenant(context.profile) && runNamesAssistant(context.profile)
  return isShared ? context.shared('runs') : context.shared('unlike', 'primary', unlike)
}

async function withoutTools(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  return (await context.assistants()).filter((assistant) => !isNamed(assistant, context.profile.tools?.assistant_id))
}

const leastAlike = (others: readonly AssistantSummary[]): AssistantSummary | undefined =>
  others.find(({ streaming }) => !streaming) ?? others.at(-1)
