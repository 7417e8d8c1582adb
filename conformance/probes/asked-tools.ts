/**
 * Chapter tools where no client can write a tool call: one request that the assistant itself made, paid for once, meets
 * everything that does not answer it before the results are posted, since refusals cost nothing.
 */

import type { TargetProfile, ToolMapping } from '../profile/target-profile.ts'
import type { AssistantCard } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { question } from '../staging/wording.ts'
import { on, type Probe, streamed } from './probe.ts'
import { type RunOperation, run } from './runs.ts'
import { list } from './threads.ts'
import { askedThread, newCall, refuseResult, sendResult } from './tools.ts'
import { sendOneWrong } from './wrong.ts'

export const askedTools = [
  {
    id: 'tools.asked-matching',
    chapter: 'tools',
    from: 'gate',
    exercises: [
      on(['createMessage'], 'tools.matched-*'),
      on(['createMessage', 'runThread', 'streamThreadRun'], 'threads.rejected-leaves-no-trace'),
      on(['runThread', 'streamThreadRun'], 'tools.run-needs-tool-messages'),
      on(['streamThreadRun'], 'tools.run-after-tool-messages', 'threads.run-appends-answer', ...streamed),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'asked' },
    cost: (profile) => ({ exchanges: 14, modelCalls: streams(profile) ? 2 : 1 }),
    play: playAsked,
  },
] as const satisfies readonly Probe[]

/** The assistant asks; nothing but the right results answers; then the answer is streamed. */
async function playAsked(stage: Stage): Promise<void> {
  const mapping = stage.profile.tools
  const other = await stage.shared('workshop')
  if (mapping === null || other === null) return
  await refuseCallOfUser(stage, other.id, mapping)
  const asked = await askedThread(stage, streams(stage.profile) ? 2 : 1)
  if (asked === null) return
  const { thread, calls, card } = asked
  await refuseRunsOf(stage, thread, card, 'pending:/thread')
  for (const id of nearMisses(calls)) await refuseResult(stage, thread, id, 'near-miss:/body')
  for (const id of calls.slice(0, 1)) await refuseResult(stage, other.id, id, 'call-of-other-thread:/body')
  for (const [index, id] of calls.entries()) {
    await sendResult(stage, thread, id)
    if (index === 0 && calls.length > 1) await refuseRunsOf(stage, thread, card, 'half-pending:/thread')
  }
  await streamAnswer(stage, thread, card)
  await list(stage, thread)
}

/** A call id on a message of a user, where the service takes such a message, matches no result. */
async function refuseCallOfUser(stage: Stage, thread: string, mapping: ToolMapping): Promise<void> {
  const id = newCall(stage)
  const json = { role: 'user', content: `${question(stage.draw)} It is about ${id}.`, [mapping.resultField]: id }
  const ask = { in: { thread_id: thread }, json, purpose: 'extra:/body', expects: 'either' } as const
  const { outcome } = await stage.send('createMessage', ask)
  if (outcome === 'accepted') await refuseResult(stage, thread, id, 'call-of-user:/body')
}

async function refuseRunsOf(stage: Stage, thread: string, card: AssistantCard, purpose: string): Promise<void> {
  const forms: readonly RunOperation[] = streams(stage.profile) ? ['runThread', 'streamThreadRun'] : ['runThread']
  for (const operation of forms) {
    await sendOneWrong(stage, operation, { purpose, in: { thread_id: thread }, json: stage.runBody(card) })
  }
}

async function streamAnswer(stage: Stage, thread: string, card: AssistantCard): Promise<void> {
  if (!streams(stage.profile)) return
  if (card.streaming) await run(stage, thread, 'streamThreadRun', card)
  else stage.note('no-fixture', 'The assistant that asks for tools does not stream.', 'streamThreadRun')
}

/** Ids that only a careless comparison takes for one that was asked for. */
function nearMisses(calls: readonly string[]): readonly string[] {
  const similar = calls.slice(0, 1).flatMap((id) => [id.toUpperCase(), id.toLowerCase(), id.slice(0, -1)])
  return [...new Set(similar)].filter((id) => id !== '' && !calls.includes(id))
}

function streams({ claims }: TargetProfile): boolean {
  return claims.includes('streaming')
}
