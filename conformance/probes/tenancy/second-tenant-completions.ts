/**
 * Completions of the second tenant, two at a time, beside a run whose caller leaves. Some faults only that tenant meets, and
 * some only answers that overlap.
 */
import type { completionOperations } from '../../../spec/index.ts'
import { type AssistantSummary, asksForTools, isDemanding, profileOf } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { longQuestion, questionAfterMatter, sharedOpening } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { withQuestion } from '../completions/completions.ts'
import { claimedOf } from '../probe.ts'
import { runOnThread } from '../threads/runs.ts'

const as = 'secondary'
const completionStreams = ['streamChatCompletion', 'streamChatCompletionEvents'] as const

/**
 * Asks again with the other key, two questions at once: some faults only the second tenant meets. All are of an assistant that
 * streams, since the first tenant tries to continue their threads in both forms.
 */
export async function playSecondTenantCompletions(context: ProbeContext): Promise<void> {
  const plain = await context.assistant('plain', as)
  if (plain === null) return
  const turn = context.random.runNumber % 6
  // Services join equal requests under way more often than others, so at four turns both questions are equal.
  const isSame = turn % 3 !== 2
  const asked = turn % 3 === 2 ? await inTurn(context, plain) : plain
  // A user whom the first tenant has as well: what is kept for a user is kept for each tenant.
  const first = context.touched().find(({ tenant, asked: body }) => tenant === 'primary' && body !== undefined)
  const user_id = stringAt(first?.asked, '/user_id')
  const known = user_id === undefined ? {} : { user_id }
  const form = formOfTwo(context, asked)
  const json = alikeCompletion(context, asked, known)
  const ask = () => context.send(form, { as, json })
  const thread = leavesRun(context.profile) ? await context.shared('second-a', as) : null
  // Those that wait for the first answer of their assistant go out with its first piece, so a whole one is not the first.
  const streamed = form === 'createChatCompletion' ? null : ask()
  const leaving = thread === null || thread.fresh ? Promise.resolve() : leaveRun(context, thread.id, plain)
  // Two whole ones wait for the end of the left stream, so that neither waits for the other.
  if (isSame && streamed === null) await leaving
  await Promise.all([
    streamed ?? ask(),
    leaving,
    // Otherwise another question behind the left stream, which takes what that one gives back.
    isSame ? ask() : leaving.then(() => askBeside(context, plain)),
  ])
}

/** Whether a run of the second tenant is left beside its completions. */
export const leavesRun = ({ claims, threads }: TargetProfile): boolean =>
  threads !== null && claims.includes('threads') && claims.includes('streaming')

/**
 * The caller leaves inside of the answer, or seldom before a whole one; neither the thread, nor the answers beside it, nor the next
 * ones may suffer from it.
 */
async function leaveRun(context: ProbeContext, thread: string, plain: AssistantSummary): Promise<void> {
  const { runNumber } = context.random
  if (runNumber % 6 === 1 && isSeldom(runNumber))
    await runOnThread(context, thread, 'runThread', plain, { as, leavesAtOnce: true })
  else await runOnThread(context, thread, 'streamThreadRun', plain, { as, abortAfterPieces: 1 })
}

/**
 * In one turn, and seldom in two others, both are streams of one assistant, or of one form: what a service keeps for those
 * instead of for a stream shows, mostly in text, since a list holds the same. Where the two questions are equal, mostly whole.
 */
function formOfTwo(context: ProbeContext, { streaming }: AssistantSummary): (typeof completionOperations)[number] {
  const { runNumber } = context.random
  const turn = runNumber % 6
  const isStream = streaming && (turn % 3 === 0 ? isSeldom(runNumber) : turn === 1)
  const streams = isStream ? claimedOf(context, completionStreams) : []
  return streams.at(isSeldom(runNumber) && turn !== 0 ? -1 : 0) ?? 'createChatCompletion'
}

/** At a third of the runs of a turn. */
const isSeldom = (runNumber: number): boolean => Math.floor(runNumber / 6) % 3 === 1

/** In turn as text, whose fragments have to be the stored answer: what the left stream did not get may open this one. */
async function askBeside(context: ProbeContext, assistant: AssistantSummary): Promise<void> {
  const streams = assistant.streaming ? claimedOf(context, completionStreams) : []
  const streamed = context.random.runNumber % 3 === 2 ? streams.at(-1) : streams[0]
  if (streamed === undefined) return
  // An answer that is mixed with the other one quotes the other question too.
  const question = questionAfterMatter(context.random, profileOf(context.profile, assistant).prompt)
  await context.send(streamed, { as, json: withQuestion(context.completion(assistant), question) })
}

/** Its question begins as the others of this tenant do. */
function alikeCompletion(
  context: ProbeContext,
  assistant: AssistantSummary,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const opening = sharedOpening(context.random, profileOf(context.profile, assistant).prompt)
  return withQuestion(context.completion(assistant, fields), longQuestion(context.random, opening))
}

/**
 * In turn one that requires fields, and one that streams and that nobody else is sure to ask: what is answered whole shows the
 * metadata, which the record of each describes.
 */
async function inTurn(context: ProbeContext, plain: AssistantSummary): Promise<AssistantSummary> {
  const demanding = (await context.assistant('demanding', 'secondary')) ?? plain
  const easy = (await context.askable('secondary')).filter((one) => one.streaming && !isDemanding(one))
  const seldom = easy.find((one) => one.id !== plain.id && !asksForTools(one, context.profile)) ?? plain
  return Math.floor(context.random.runNumber / 2) % 2 === 0 ? demanding : seldom
}
