/** Chapter tools: an assistant asks, a client answers; answers that match no call; runs that come too early. */
import { valuesAt } from '../../judge/read/json.ts'
import { runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { inheritedName, toolResult, uniqueQuestion, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { callIdsIn, callIdsOfTwoThreads, nearMisses, newCallIds } from '../../probe-runtime/tool-calls.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { exercised, type Probe, rejectionRules, streamRules, successRules } from '../probe.ts'
import { inLanes, mostlyInLanes } from '../support/in-lanes.ts'
import { type RunOperation, refuseRun } from '../support/refuse-run.ts'
import { refuseNamedStream } from '../support/refuse-stream.ts'
import { answeredThread, refuseRuns, runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { askingAssistants, streamerBehindResults } from './asking-assistants.ts'
import { askFor } from './asking-messages.ts'
import { addMarkedQuestion, refuseEmptyResult, refuseResult, refuseResultWithoutId, sendResult } from './results.ts'
import { type AskedThread, answerStepByStep, refuseRunsOf } from './step-by-step.ts'

const threads = { claims: ['threads'], threads: true } as const
const roundTripCalls = 2

export const toolProbes = [
  {
    id: 'tools.unmatched',
    chapter: 'tools',
    shares: ['system-only', 'runs'],
    from: 'smoke',
    until: 'smoke',
    exercises: [
      exercised(['createMessage'], 'tools.unmatched-refused', ...rejectionRules),
      exercised(['createMessage'], 'tools.unmatched-error'),
    ],
    needs: threads,
    cost: { exchanges: 7, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('system-only')
      if (thread === null) return
      await refuseResult(context, thread.id, context.random.uuid(), 'unmatched:/body')
      const answered = await answeredThread(context)
      if (answered !== null) await refuseResult(context, answered, context.random.uuid(), 'unmatched:/body')
      await refuseResultWithoutId(context, thread.id)
    },
  },
  {
    id: 'tools.round-trip',
    chapter: 'tools',
    shares: ['workshop'],
    from: 'smoke',
    exercises: [
      exercised(['runThread'], ...successRules, 'tools.run-after-tool-messages', 'threads.run-appends-answer'),
      exercised(['runThread'], 'tools.asking-answer-fields'),
      exercised(['createMessage'], ...successRules, 'tools.matched-accepted'),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'prompt' },
    // It opens the other thread.
    after: ['threads.interleaved'],
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 6 : 8, modelCalls: 2 }),
    play: playRoundTrip,
  },
  {
    id: 'tools.asked-in-stream',
    chapter: 'tools',
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['streamThreadRun'], 'threads.run-appends-answer', ...streamRules),
      exercised(['createMessage'], 'tools.matched-accepted'),
    ],
    needs: { claims: ['threads', 'tools', 'streaming'], threads: true, tools: 'prompt' },
    // By then it is known that an assistant asks, and whether a client can.
    behind: ['tools.round-trip', 'tools.asked-matching', 'tools.matching'],
    cost: { exchanges: 6, modelCalls: 1 },
    play: async (context) => {
      const asked = await askedThread(context, 1, 'streamThreadRun')
      if (asked === null) return
      if (context.ignoresPostedCalls()) {
        await refuseRunsOf(context, asked, 'pending:/thread')
        for (const id of asked.calls.slice(0, 1).flatMap((call) => nearMisses(call, context.random)))
          await refuseResult(context, asked.thread, id, 'near-miss:/body')
        return answerStepByStep(context, asked)
      }
      await refuseRun(context, 'runThread', asked.thread, 'pending:/thread')
      for (const id of asked.calls) await sendResult(context, asked.thread, id)
    },
  },
  {
    id: 'tools.matching',
    chapter: 'tools',
    shares: ['calls', 'workshop'],
    from: 'gate',
    exercises: [
      exercised(
        ['createMessage'],
        'tools.unmatched-refused#unknown-id',
        'tools.unmatched-refused#without-id',
        'tools.matched-*',
        'threads.rejected-leaves-no-trace',
      ),
      exercised(['runThread', 'streamThreadRun'], 'tools.run-needs-tool-messages', 'threads.rejected-leaves-no-trace'),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    // It opens the other thread.
    after: ['threads.interleaved'],
    cost: (profile) => ({ exchanges: streams(profile) ? 16 : 17, modelCalls: 0 }),
    play: playMatching,
  },
  {
    id: 'tools.stream-after-results',
    chapter: 'tools',
    // The latter, since those that use it write much.
    shares: ['calls', 'unlike'],
    from: 'gate',
    exercises: [
      exercised(['streamThreadRun'], 'tools.run-after-tool-messages', 'threads.run-appends-answer', ...streamRules),
      exercised(['streamThreadRun'], 'threads.stream-ends-on-user-or-tool'),
    ],
    needs: { claims: ['threads', 'tools', 'streaming'], threads: true, tools: 'message' },
    after: ['tools.matching'],
    // While few others write: a message to any thread may make a service forget a list that it keeps.
    late: true,
    cost: (profile) => ({ exchanges: runNamesAssistant(profile) ? 8 : 7, modelCalls: 1 }),
    play: async (context) => {
      const thread = await context.shared('calls')
      const plain = await context.assistant('plain')
      if (thread === null || plain === null || context.ignoresPostedCalls()) return
      if (thread.fresh && !(await answerOneCall(context, thread.id))) return
      // A second round: what was asked and answered in all is more than what was in the last one, which ends on two results.
      await addRound(context, thread.id, 2)
      if ((await refuseNamedStream(context, thread.id))?.outcome === 'accepted') await addRound(context, thread.id, 2)
      const other = runNamesAssistant(context.profile) ? await streamerBehindResults(context, plain) : undefined
      // A list that was read right before the run is an old one behind it.
      await listThread(context, thread.id)
      const { outcome } = await runOnThread(context, thread.id, 'streamThreadRun', other ?? plain)
      await listThread(context, thread.id)
      // A thread ends on a streamed answer just as it does on a whole one.
      if (outcome === 'accepted') await refuseRun(context, 'streamThreadRun', thread.id, 'ends-on-assistant:/thread')
    },
  },
] as const satisfies readonly Probe[]

/** A question, a call and its result; says whether the target took them. */
async function answerOneCall(context: ProbeContext, thread: string): Promise<boolean> {
  await postMessage(context, thread, 'user', uniqueQuestion(context.random))
  return (await addRound(context, thread)) === 2
}

/** Calls of one message and their results, the first of which are given; says how many of all these messages the target took. */
export async function addRound(
  context: ProbeContext,
  thread: string,
  size = 1,
  results: readonly string[] = [],
): Promise<number> {
  const { claims, tools } = context.profile
  if (tools === null || !claims.includes('tools')) return 0
  const calls = await askFor(context, thread, () => newCallIds(context, size, tools), tools)
  if (calls === null) return 0
  const given = results.values()
  const answers = await mostlyInLanes(context, calls, (call) => sendResult(context, thread, call, given.next().value))
  return 1 + answers.filter(({ outcome }) => outcome === 'accepted').length
}

/** A result with an unknown call id behind an assistant message. */
async function refuseUnknownCall(context: ProbeContext, thread: string): Promise<void> {
  await postMessage(context, thread, 'assistant', uniqueStatement(context.random))
  await refuseResult(context, thread, context.random.uuid(), 'unmatched:/body')
  await refuseResultWithoutId(context, thread)
}

/** Makes an assistant ask, answers every call, and runs again. */
async function playRoundTrip(context: ProbeContext): Promise<void> {
  const asked = await askedThread(context, roundTripCalls)
  if (asked === null) return
  const other = context.tier === 'smoke' ? null : await context.shared('workshop')
  // An id that the service itself has drawn is known to it, and asked for in no other thread all the same.
  for (const id of asked.calls.slice(0, other === null ? 0 : 1))
    await refuseResult(context, other?.id ?? '', id, 'call-of-other-thread:/body')
  for (const [index, id] of asked.calls.entries()) {
    // What a run has asked for may be kept in another way than what a client writes.
    if (context.tier !== 'smoke' && index === asked.calls.length - 1)
      await refuseRun(context, 'runThread', asked.thread, index === 0 ? 'pending:/thread' : 'half-pending:/thread')
    await sendResult(context, asked.thread, id)
  }
  await runOnThread(context, asked.thread, 'runThread', asked.assistant)
}

/** Makes an assistant ask for tools, where the model calls of the whole errand are left; notes when none does. */
export async function askedThread(
  context: ProbeContext,
  modelCalls: number,
  operation: RunOperation = 'runThread',
): Promise<AskedThread | null> {
  const mapping = context.profile.tools
  if (mapping?.prompt === undefined) return null
  for (const assistant of await askingAssistants(context)) {
    if (operation === 'streamThreadRun' && !assistant.streaming) continue
    if (context.left().modelCalls < modelCalls) {
      context.note('budget', 'No model calls are left for a round trip.')
      return null
    }
    const thread = await context.thread('primary', assistant)
    if (thread === null) return null
    await postMessage(context, thread, 'user', mapping.prompt)
    const asking = await runOnThread(context, thread, operation, assistant)
    const shown = asking.lines.flatMap((line) => valuesAt(line, '/delta'))
    // How a stream tells of calls is not shown, and the list of messages shows them.
    const listed = operation === 'runThread' ? [] : valuesAt((await listThread(context, thread)).json, '/items/0')
    const calls = [asking.json, ...shown, ...listed].flatMap((message) => callIdsIn(message, mapping))
    if (calls.length > 0) return { thread, assistant, calls: [...new Set(calls)] }
  }
  context.note('refused-by-target', 'No assistant asked for a tool when it got the prompt of the profile.')
  return null
}

/** One assistant message with three calls, or one, and everything that does and does not answer them; the one between comes last. */
async function playMatching(context: ProbeContext): Promise<void> {
  const mapping = context.profile.tools
  const shared = await context.shared('calls')
  const other = await context.shared('workshop')
  if (mapping === null || shared === null || other === null) return
  const thread = shared.id
  const onlyOnUser = await addMarkedQuestion(context, thread, mapping)
  const calls = await askFor(context, thread, () => callIdsOfTwoThreads(context, 3, mapping), mapping)
  if (calls === null) {
    await refuseUnknownCall(context, thread)
    return void (await refuseResult(context, thread, onlyOnUser, 'call-of-user:/body'))
  }
  const [first, second, third] = calls
  const close = nearMisses(first, context.random).map((id) => [thread, id, 'near-miss:/body'] as const)
  // In turn one is sent again: a service that notes an id before it looks for its call takes the second attempt.
  const isRetried = context.random.runNumber % 2 === 1
  const inherited = [thread, inheritedName(context.random), 'unmatched:/body'] as const
  const wrongs = [
    [thread, onlyOnUser, 'call-of-user:/body'],
    ...(isRetried ? [] : [inherited]),
    ...close,
    [other.id, first, 'call-of-other-thread:/body'],
  ] as const
  const refusals = wrongs.map(
    ([place, id, purpose]) =>
      () =>
        refuseResult(context, place, id, purpose),
  )
  await inLanes(context, [() => refuseResultWithoutId(context, thread), ...refusals], (refuse) => refuse())
  const [again] = isRetried ? close : []
  if (again !== undefined) await refuseResult(context, ...again)
  // Two calls may well have the same result; neither of them is a repetition.
  const result = toolResult(context.random)
  await sendResult(context, thread, first, result)
  if (context.ignoresPostedCalls()) return
  if (second !== undefined && third !== undefined) {
    await sendResult(context, thread, third, result)
    // A refused result answers nothing.
    await refuseEmptyResult(context, thread, second)
    await refuseRuns(context, thread, 'half-pending:/thread')
    await sendResult(context, thread, second)
  }
  // Where a run follows, the thread is listed right before it.
  if (!streams(context.profile)) await listThread(context, thread)
}

function streams({ claims }: TargetProfile): boolean {
  return claims.includes('streaming')
}
