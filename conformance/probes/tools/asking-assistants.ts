/** Chooses the assistants that may ask for tools. Apart, since questions on threads and in completions go to them. */
import { type AssistantSummary, asksForTools, isDemanding } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { askerThatStreams, othersThatStream } from '../streams/streams.ts'

/** Assistants that are tried when the profile does not name the one that asks. */
const mostTried = 2

/** The assistant that the profile names; without a name that is listed the likeliest ones. */
export async function askingAssistants(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  const assistants = await context.askable()
  const named = assistants.filter((assistant) => asksForTools(assistant, context.profile))
  if (named.length > 0 || context.profile.tools?.assistant_id !== undefined) return named
  const plain = await context.assistant('plain')
  const others = assistants.filter(
    ({ id, requires }) => id !== plain?.id && Object.values(requires).flat().length === 0,
  )
  const likeliest = [...others, ...(plain === null ? [] : [plain])]
  // One that the profile names differently is tried among those that stream first: there it shows more.
  if (namesOne(context.profile)) likeliest.sort((one, other) => Number(other.streaming) - Number(one.streaming))
  return likeliest.slice(0, mostTried)
}

const namesOne = ({ assistants }: TargetProfile): boolean =>
  Object.values(assistants).some((one) => one !== undefined && 'asksForTools' in one && one.asksForTools)

/**
 * The assistant that streams behind tool results: the one that asks for tools, or else one that differs from the plain one. It
 * requires no fields, because a run sends none.
 */
export async function streamerBehindResults(
  context: ProbeContext,
  plain: AssistantSummary,
): Promise<AssistantSummary | undefined> {
  const others = (await othersThatStream(context, plain)).filter((one) => !isDemanding(one))
  // Where all are said to stream, one of them may not, which only a streamed run of that one shows.
  const isSaidOfAll = (await context.askable()).every(({ streaming }) => streaming)
  if (isSaidOfAll && others.length > 0 && context.random.runNumber % 3 !== 0)
    return others[context.random.below(others.length)]
  const asker = await askerThatStreams(context)
  return asker !== undefined && !isDemanding(asker) ? asker : others.at(-1)
}
