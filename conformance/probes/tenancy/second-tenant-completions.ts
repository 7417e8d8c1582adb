/** Completions of the second tenant, two at a time. Some faults only that one meets, and some only answers that overlap. */
import type { completionOperations, OperationId } from '../../../spec/index.ts'
import { type AssistantSummary, asksForTools, isDemanding } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { claimedOf } from '../probe.ts'

/**
 * Asks again with the other key, two questions at once: some faults only the second tenant meets. All are of an assistant that
 * streams, since the first tenant tries to continue their threads in both forms.
 */
export async function playSecondTenantCompletions(context: ProbeContext): Promise<void> {
  const as = 'secondary'
  const assistant = await context.assistant('plain', as)
  if (assistant === null) return
  const [asked, beside] = await inTurn(context, assistant)
  // A user whom the first tenant has as well: what is kept for a user is kept for each tenant.
  const first = context.touched().find(({ tenant, asked: body }) => tenant === 'primary' && body !== undefined)
  const user_id = stringAt(first?.asked, '/user_id')
  const known = user_id === undefined ? {} : { user_id }
  const form = formOfTwo(context, asked)
  await Promise.all([
    context.send(form, { as, json: context.completion(asked, known) }),
    askBeside(context, [asked, beside], form, context.completion(asked, known)),
  ])
}

/**
 * In turn both are streams of one form. Two whole ones show what a service keeps for an assistant instead of for a stream; where
 * the caller leaves one, the other shows whether that ends it too.
 */
function formOfTwo(context: ProbeContext, { streaming }: AssistantSummary): (typeof completionOperations)[number] {
  const { runNumber } = context.random
  const areStreams = runNumber % 3 === 0 || runNumber % 6 === 1
  const streams = streaming && areStreams ? claimedOf(context, completionStreams) : []
  return streams[Math.floor(runNumber / 3) % streams.length] ?? 'createChatCompletion'
}

const completionStreams = ['streamChatCompletion', 'streamChatCompletionEvents'] as const

/**
 * What is asked at the same time takes turns from run to run: a stream, a stream whose caller leaves, from which neither the
 * answer beside it nor a later stream may suffer, or another question of the same user to the same assistant. Not by chance,
 * which is another in each part of a divided run.
 */
async function askBeside(
  context: ProbeContext,
  [asked, beside]: readonly [AssistantSummary, AssistantSummary],
  form: OperationId,
  same: unknown,
): Promise<void> {
  const as = 'secondary'
  const turn = context.random.runNumber % 3
  if (turn === 0) return void (await context.send(form, { as, json: same }))
  const leaves = turn === 1 && context.profile.claims.includes('streaming')
  // A left stream of the same assistant also ends the other one where streams of an assistant share something.
  const assistant = leaves && asked.streaming ? asked : beside
  const forms = leaves ? completionStreams : completionStreams.toReversed()
  const [streamed] = assistant.streaming ? claimedOf(context, forms) : []
  if (streamed === undefined) return
  await context.send(streamed, { as, json: context.completion(assistant), ...(leaves ? { abortAfterPieces: 1 } : {}) })
}

/**
 * One that requires fields, and one that streams and that nobody else is sure to ask, in turn the first of the two: what is
 * answered whole shows the metadata, which the record of each describes.
 */
async function inTurn(
  context: ProbeContext,
  plain: AssistantSummary,
): Promise<readonly [AssistantSummary, AssistantSummary]> {
  const demanding = (await context.assistant('demanding', 'secondary')) ?? plain
  const easy = (await context.askable('secondary')).filter((one) => one.streaming && !isDemanding(one))
  const seldom = easy.find((one) => one.id !== plain.id && !asksForTools(one, context.profile)) ?? plain
  return Math.floor(context.random.runNumber / 2) % 2 === 0 ? [demanding, seldom] : [seldom, demanding]
}
