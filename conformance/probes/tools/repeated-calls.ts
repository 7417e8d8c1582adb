/**
 * Answers one of two calls twice. It is apart from the other probes of tools because the contract is silent on a second
 * result, and what follows in that thread proves nothing.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { newCallIds, resultMessage } from '../../probe-runtime/tool-calls.ts'
import { mayFillByCompletion } from '../completions/question-not-last.ts'
import { exercised, type Probe } from '../probe.ts'
import { refuseRun } from '../support/refuse-run.ts'
import { askFor } from './asking-messages.ts'
import { sendResult } from './results.ts'
import { addRound } from './tools.ts'

export const repeatedCallProbes = [
  {
    id: 'tools.answered-twice',
    chapter: 'tools',
    shares: ['calls'],
    from: 'gate',
    rare: true,
    late: true,
    exercises: [
      exercised(['runThread', 'streamThreadRun'], 'tools.run-needs-tool-messages', 'threads.rejected-leaves-no-trace'),
    ],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['tools.matching'],
    behind: ['tools.stream-after-results'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: playTwice,
  },
] as const satisfies readonly Probe[]

/** Then there are as many results as calls, and one call still waits for its own. */
async function playTwice(context: ProbeContext): Promise<void> {
  const mapping = context.profile.tools
  const thread = await context.shared('calls')
  if (mapping === null || thread === null || thread.fresh) return
  const calls = await askFor(context, thread.id, () => newCallIds(context, 2, mapping), mapping)
  if (calls === null) return
  for (const id of calls.slice(1)) {
    await sendResult(context, thread.id, id)
    const json = resultMessage(id, toolResult(context.random), mapping)
    const again = { purpose: 'answered-again:/body', expects: 'either', json } as const
    await context.send('createMessage', { in: { thread_id: thread.id }, ...again })
  }
  // A message that asks, with its result right behind it: the call of the earlier one still waits. A run in which a client fills
  // the long thread has no requests to spare for this.
  if (mayFillByCompletion(context)) await addRound(context, thread.id)
  const { claims } = context.profile
  const form = claims.includes('streaming') && context.random.runNumber % 2 !== 0 ? 'streamThreadRun' : 'runThread'
  await refuseRun(context, form, thread.id, 'half-pending:/thread')
}
