/**
 * Tool results, and runs of several threads, at the same time. Nothing new is judged: what each of them is answered alone is
 * also what it has to be answered among others.
 */
import { transientFailureOf } from '../../client/transient-failure.ts'
import { longestBusyMs } from '../../judge/classify/busy-thread.ts'
import { valuesAt } from '../../judge/read/json.ts'
import { type AssistantSummary, profileOf } from '../../probe-runtime/assistant-summary.ts'
import { questionInOtherScript, questionOfOneWord, questionWithoutWords } from '../../probe-runtime/odd-questions.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import {
  longQuestion,
  questionAfterMatter,
  sharedOpening,
  uniqueQuestion,
  uniqueStatement,
} from '../../probe-runtime/sample-texts.ts'
import { areUuids, type CallIds, callIdsOfTwoThreads, numericCallId } from '../../probe-runtime/tool-calls.ts'
import { firstCompletionThread } from '../../probe-runtime/touched-thread.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { readInTwo } from '../support/page-walk.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { refuseOnClosed } from '../support/refuse-closed.ts'
import type { RunOperation } from '../support/refuse-run.ts'
import { refuseStream } from '../support/refuse-stream.ts'
import { insideRunMs, insideStream, runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { askFor } from '../tools/asking-messages.ts'
import { refuseResult, sendResult } from '../tools/results.ts'
import { runUnlike, seldomAskedAssistant, threadOfUnlike } from './unlike-assistant.ts'

/** With the first attempt so many that a failure counts as one for good. */
const repetitions = 2
const betweenAttemptsMs = 250
const mostWaitMs = 20_000

export const writesAtOnceProbes = [
  {
    id: 'tools.results-at-once',
    chapter: 'tools',
    shares: ['workshop'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createMessage'], 'tools.matched-accepted')],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['threads.interleaved'],
    cost: { exchanges: 5, modelCalls: 0 },
    play: async (context) => {
      const mapping = context.profile.tools
      const thread = await context.shared('workshop')
      if (mapping === null || thread === null) return
      const { random } = context
      const isOfDigits = random.runNumber % 2 === 0
      const drawn = (): CallIds => {
        const [first, ...more] = callIdsOfTwoThreads(context, 2, mapping)
        const isPlain = !isOfDigits || context.needsUuidCalls()
        return isPlain ? [first, ...more] : [numericCallId(random), ...more.map(() => numericCallId(random))]
      }
      const calls = await askFor(context, thread.id, drawn, mapping)
      if (calls === null) return
      if (isOfDigits && !areUuids(calls)) await refuseResult(context, thread.id, `0${calls[0]}`, 'near-miss:/body')
      await Promise.all(calls.map((call) => sendResult(context, thread.id, call)))
      // Some services take a page that ends on a tool result for the last one.
      if (isOfDigits) await listThread(context, thread.id)
      else await readInTwo(context, thread.id, calls.length)
    },
  },
  {
    id: 'threads.runs-at-once',
    chapter: 'threads',
    shares: ['second-a', 'runs', 'unlike', 'first-completion-thread', 'second-answers', 'spare-calls'],
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['runThread'], ...successRules, 'threads.run-appends-answer', 'streams.answer-belongs-to-thread'),
    ],
    needs: { claims: ['threads'], threads: true },
    // The thread of the run that failed has to be run as well.
    late: true,
    after: ['threads.run', 'errors.provoked'],
    // Its refusals cost nothing, and are sent only while a model call is left.
    behind: ['tenancy.foreign-assistant-run'],
    cost: { exchanges: 13, modelCalls: 3 },
    play: playRuns,
  },
] as const satisfies readonly Probe[]

/**
 * Runs of two threads by one assistant, of a third thread by an assistant of another kind, and a message to that one meanwhile.
 * One of the threads is of a completion, where there is one: it takes no message behind a run either.
 */
async function playRuns(context: ProbeContext): Promise<void> {
  const hasSecond = hasSecondTenant(context.profile)
  const as = hasSecond ? 'secondary' : 'primary'
  const own = await context.shared(hasSecond ? 'second-a' : 'runs', as)
  const plain = await context.assistant('plain', as)
  const unlike = await seldomAskedAssistant(context)
  if (own === null || plain === null || unlike === null) return
  const other = await threadOfUnlike(context, unlike)
  if (other === null) return
  const left = context.left().modelCalls
  if (left < 2) return context.note('budget', 'Fewer than two model calls are left, so no two runs can be at once.')
  const closed = firstCompletionThread(context.touched(), as)
  // The question that was last asked in the other thread which runs at once: an answer that both share shows. In two turns the two
  // only begin alike, and in two they do not, so that an answer that is mixed with the other one shows by what it quotes.
  const shared = runsWhole(context) ? valuesAt(closed?.asked, '/messages/*/content').at(-1) : undefined
  const { prompt } = profileOf(context.profile, plain)
  // Long in any case: a short stream has ended before a list is read during it.
  const alike = longQuestion(context.random, sharedOpening(context.random, prompt))
  const unshared = bothStream(context) ? `${questionAfterMatter(context.random, prompt)}\n${alike}` : alike
  const questions = [
    [own.id, typeof shared === 'string' ? shared : unshared, as],
    [other.id, oddQuestion(context, unlike), 'primary'],
  ] as const
  let isBusy = false
  await inLanes(context, questions, async ([thread, question, asker]) => {
    const { outcome } = await postMessage(context, thread, 'user', question, asker)
    isBusy ||= thread === own.id && outcome === 'rejected'
  })
  const open = { as, expects: 'either', purpose: 'of-completion:/thread' } as const
  const json = context.runBody(plain)
  const add = () => postMessage(context, other.id, 'user', uniqueStatement(context.random))
  // A caller has left a stream of the first one. Its answer may come behind the question, which only a whole run does not mind.
  const [form] = await Promise.all([formFor(context, own.id, plain, as), refuseStream(context, other.id, unlike)])
  // In turn both stream: what a service keeps for a form instead of for a request shows.
  const formOfOther = bothStream(context) && unlike.streaming ? form : 'runThread'
  const runs = [
    (change: RequestSpec) => runOnThread(context, own.id, form, plain, { as, json, ...change }),
    (change: RequestSpec) => runUnlike(context, other.id, unlike, (ask) => ({ ...ask, ...change }), formOfOther),
  ] as const
  const isStream = form === 'streamThreadRun'
  const [ofOwn, ofOther, ofClosed] = await Promise.all([
    isStream
      ? insideStream(
          (more) => runs[0]({ retry: 'none', ...more }),
          () => listThread(context, own.id, as),
        )
      : runs[0]({ retry: 'none' }),
    runs[1]({ retry: 'none' }),
    left < 3 ? null : runOnThread(context, closed?.id ?? own.id, 'runThread', plain, open),
    // What a run answers with is its answer, also where a message came last. Where there is one message, it comes in turn.
    isStream && isLateTurn(context) ? null : add(),
    isStream && !isLateTurn(context) ? null : context.pause(insideRunMs(context)).then(add),
  ])
  // Only what fails again and again, with something else in between, surely stays so.
  const hasFailed = isFailure(ofOther)
  // Whether a thread has room for two assistants is open, and one that never answered may be broken; that the thread can be run by
  // its first assistant is not open.
  const first = ofOther.outcome === 'rejected' || hasFailed ? await context.assistant('plain') : null
  if (first !== null) await runUntilSure(context, other.id, first, hasFailed)
  if (hasFailed) await runs[1]({ isRepetition: true })
  let last = ofOwn
  for (let again = 0; again < repetitions && isFailure(last); again += 1) {
    await context.pause(betweenAttemptsMs)
    if (again > 0 && isLate(last)) await answerElsewhere(context, plain, as)
    // A stream that failed may have been answered all the same; only the list tells on what the thread ends.
    if (form === 'streamThreadRun' && (await lastRole(context, own.id, as, true)) !== 'user') break
    last = await runs[0]({ isRepetition: true, retry: 'none' })
  }
  if (isBusy || last.outcome === 'rejected') await askWhenOver(context, own.id, plain, as)
  const isClosedAgain = closed !== undefined && ofClosed?.outcome === 'accepted'
  // An earlier answer of the thread comes with the second page.
  const looks = [
    ...(isClosedAgain ? [() => refuseOnClosed(context, closed.id, as)] : []),
    () => listThread(context, other.id),
    () => readInTwo(context, own.id, 3, as),
  ]
  await inLanes(context, looks, (look): Promise<unknown> => look())
}

/** Runs a thread by an assistant that has answered before; behind a failure as often as it takes to call one for good. */
async function runUntilSure(
  context: ProbeContext,
  thread: string,
  assistant: AssistantSummary,
  isRepetition: boolean,
  as: TenantName = 'primary',
): Promise<void> {
  const again = { isRepetition: true, retry: 'none' } as const
  const run = (change: RequestSpec) => runOnThread(context, thread, 'runThread', assistant, { as, ...change })
  // The client's own second attempt would retire the assistant, and end the probe.
  let last = await run({ ...again, isRepetition })
  for (let turn = 0; turn < repetitions && isFailure(last); turn += 1) {
    await context.pause(betweenAttemptsMs)
    if (turn > 0 && isLate(last)) await answerElsewhere(context, assistant, as)
    last = await run(again)
  }
}

/** An answer outside of a thread shows that its assistant is not just late. */
const answerElsewhere = (context: ProbeContext, assistant: AssistantSummary, as: TenantName): Promise<Answer> =>
  context.send('createChatCompletion', { as, json: context.shortCompletion(assistant), isRepetition: true })

/** What is refused on a thread whose stream was left may be refused for that stream; once it must be over, it is not. */
async function askWhenOver(
  context: ProbeContext,
  thread: string,
  plain: AssistantSummary,
  as: TenantName,
): Promise<void> {
  const slowest = context.touched().flatMap(({ slowestMs }) => slowestMs ?? [])
  // Longer answers are waited for in vain: then the refusal stays open.
  await context.pause(Math.min(mostWaitMs, longestBusyMs(Math.max(0, ...slowest))))
  const json = { role: 'user', content: uniqueQuestion(context.random) }
  await context.send('createMessage', { in: { thread_id: thread }, json, as, isRepetition: true })
  await runUntilSure(context, thread, plain, true, as)
}

/** In turn it is in another script, has no words at all, or is one word for an assistant whose metadata has lists. */
function oddQuestion({ random, profile }: ProbeContext, assistant: AssistantSummary): string {
  const { prompt } = profileOf(profile, assistant)
  if (random.runNumber % 3 === 1) return questionWithoutWords(random, prompt)
  const hasLists = assistant.described?.includes('"array"') ?? false
  return random.runNumber % 3 === 0 && hasLists
    ? questionOfOneWord(random, prompt)
    : questionInOtherScript(random, prompt)
}

const isFailure = ({ exchange }: Answer): boolean => transientFailureOf(exchange) !== null

/** No answer, or the code for a model that is late. */
const isLate = ({ exchange }: Answer): boolean =>
  exchange.ending === 'timed-out' || transientFailureOf(exchange) === 'timed-out'

/** A stream where the thread surely ends on a question: what a stream that was left has kept hinders the next one. */
async function formFor(
  context: ProbeContext,
  thread: string,
  { streaming }: AssistantSummary,
  as: TenantName,
): Promise<RunOperation> {
  if (!streaming || !context.profile.claims.includes('streaming')) return 'runThread'
  // In turn it runs whole, as that of the completion does: an answer that the two share, since the question is the same, shows.
  if (runsWhole(context)) return 'runThread'
  return (await lastRole(context, thread, as, false)) === 'user' ? 'streamThreadRun' : 'runThread'
}

const runsWhole = ({ random }: ProbeContext): boolean => random.runNumber % 6 < 2

/** In two turns of six: the metadata of a whole answer, and whole runs at once, show in the others. */
const bothStream = ({ random: { runNumber } }: ProbeContext): boolean => runNumber % 6 === 3 || runNumber % 6 === 4

async function lastRole(
  context: ProbeContext,
  thread: string,
  as: TenantName,
  isRepetition: boolean,
): Promise<string | undefined> {
  const ask = { in: { thread_id: thread }, query: [['limit', '1']], as, isRepetition } as const
  return stringAt((await context.send('listMessages', ask)).json, '/items/0/role')
}

/** Whether a message meets a run when it has surely begun, and not at once with it. */
const isLateTurn = ({ random }: ProbeContext): boolean => random.runNumber % 2 === 0
