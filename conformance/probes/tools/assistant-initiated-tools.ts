/**
 * Chapter tools where no client can write a tool call. The assistant makes one request, which is paid for once. It
 * meets everything that does not answer it before the results are posted, since refusals cost nothing.
 */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { nearMisses } from '../../probe-runtime/tool-calls.ts'
import type { TargetProfile, ToolMapping } from '../../profile/target-profile.ts'
import { exercised, type Probe, streamRules } from '../probe.ts'
import { refuseEmptyResult, refuseResult } from './results.ts'
import { answerStepByStep, refuseRunsOf } from './step-by-step.ts'
import { askedThread } from './tools.ts'

export const assistantInitiatedToolProbes = [
  {
    id: 'tools.asked-matching',
    chapter: 'tools',
    shares: ['workshop'],
    from: 'gate',
    exercises: [
      exercised(['createMessage'], 'tools.matched-*'),
      exercised(['createMessage', 'runThread', 'streamThreadRun'], 'threads.rejected-leaves-no-trace'),
      exercised(['runThread', 'streamThreadRun'], 'tools.run-needs-tool-messages'),
      exercised(['streamThreadRun'], 'tools.run-after-tool-messages', 'threads.run-appends-answer', ...streamRules),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'asked' },
    cost: (profile) => ({ exchanges: 15, modelCalls: streams(profile) ? 2 : 1 }),
    play: playAsked,
  },
] as const satisfies readonly Probe[]

/** The assistant asks; nothing but the right results answers; then the answer is streamed. */
async function playAsked(context: ProbeContext): Promise<void> {
  const mapping = context.profile.tools
  const other = await context.shared('workshop')
  if (mapping === null || other === null) return
  await refuseCallOfUser(context, other.id, mapping)
  const asked = await askedThread(context, streams(context.profile) ? 2 : 1)
  if (asked === null) return
  const { thread, calls } = asked
  await refuseRunsOf(context, asked, 'pending:/thread')
  const [close = ''] = nearMisses(calls[0] ?? '', context.random)
  if (close !== '') await refuseResult(context, thread, close, 'near-miss:/body')
  for (const id of calls.slice(0, 1)) await refuseResult(context, other.id, id, 'call-of-other-thread:/body')
  for (const id of calls.slice(0, 1)) await refuseEmptyResult(context, thread, id)
  await answerStepByStep(context, asked)
}

/** A call id on a message of a user, where the service takes such a message, matches no result. */
async function refuseCallOfUser(context: ProbeContext, thread: string, mapping: ToolMapping): Promise<void> {
  const id = context.random.uuid()
  const json = {
    role: 'user',
    content: `${uniqueQuestion(context.random)} It is about ${id}.`,
    [mapping.resultField]: id,
  }
  const ask = { in: { thread_id: thread }, json, purpose: 'extra:/body', expects: 'either' } as const
  const { outcome } = await context.send('createMessage', ask)
  if (outcome === 'accepted') await refuseResult(context, thread, id, 'call-of-user:/body')
}

function streams({ claims }: TargetProfile): boolean {
  return claims.includes('streaming')
}
