/**
 * Asks once more for an id that has its answer, and answers another one twice. Apart from the other probes of tools, since
 * both are open, and no thread is a plain one behind them.
 */
import { valuesAt } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { askingMessage, callIdsIn, newCallIds, resultMessage } from '../../probe-runtime/tool-calls.ts'
import { exercised, type Probe } from '../probe.ts'
import { refuseRun } from '../threads/runs.ts'
import { listThread } from '../threads/threads.ts'
import { newCall, sendResult } from './tools.ts'

export const repeatedCallProbes = [
  {
    id: 'tools.asked-and-answered-twice',
    chapter: 'tools',
    shares: ['calls'],
    from: 'gate',
    standby: true,
    exercises: [exercised(['runThread'], 'tools.run-needs-tool-messages', 'threads.rejected-leaves-no-trace')],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['tools.matching'],
    behind: ['tools.stream-after-results'],
    cost: { exchanges: 5, modelCalls: 0 },
    play: playTwice,
  },
] as const satisfies readonly Probe[]

/**
 * An id that was asked and answered before is asked for once more, and its neighbour is answered twice. As many results as
 * calls stand there then, and all ids were answered at some time; one call still waits.
 */
async function playTwice(context: ProbeContext): Promise<void> {
  const mapping = context.profile.tools
  const thread = await context.shared('calls')
  if (mapping === null || thread === null || thread.fresh) return
  const listed = valuesAt((await listThread(context, thread.id)).json, '/items/*')
  const [, ...others] = newCallIds(context.random, 2, mapping)
  const [known] = listed.flatMap((message) => callIdsIn(message, mapping))
  const ask = async (first: string, isRepetition: boolean): Promise<boolean> => {
    const json = askingMessage([first, ...others], 'I need that again.', mapping) ?? {}
    const request = { purpose: 'asked-again:/body', expects: 'either', isRepetition, json } as const
    return (await context.send('createMessage', { in: { thread_id: thread.id }, ...request })).outcome === 'accepted'
  }
  // Whether an id may come twice is open; a fresh one shows the rest.
  const isAsked = known !== undefined && (await ask(known, false))
  if (!isAsked && !(await ask(newCall(context), true))) return
  for (const id of others) {
    await sendResult(context, thread.id, id)
    const json = resultMessage(id, toolResult(context.random), mapping)
    const again = { purpose: 'answered-again:/body', expects: 'either', json } as const
    await context.send('createMessage', { in: { thread_id: thread.id }, ...again })
  }
  await refuseRun(context, 'runThread', thread.id, 'half-pending:/thread')
}
