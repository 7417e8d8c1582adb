/**
 * Answers one of two calls twice. Apart from the other probes of tools, since a second result is open, and no thread is a
 * plain one behind it.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { askingMessage, newCallIds, resultMessage } from '../../probe-runtime/tool-calls.ts'
import { exercised, type Probe } from '../probe.ts'
import { refuseRun } from '../threads/runs.ts'
import { sendResult } from './results.ts'

export const repeatedCallProbes = [
  {
    id: 'tools.answered-twice',
    chapter: 'tools',
    shares: ['calls'],
    from: 'gate',
    standby: true,
    exercises: [exercised(['runThread'], 'tools.run-needs-tool-messages', 'threads.rejected-leaves-no-trace')],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'message' },
    after: ['tools.matching'],
    behind: ['tools.stream-after-results'],
    cost: { exchanges: 4, modelCalls: 0 },
    play: playTwice,
  },
] as const satisfies readonly Probe[]

/** As many results as calls stand there then; one call still waits. */
async function playTwice(context: ProbeContext): Promise<void> {
  const mapping = context.profile.tools
  const thread = await context.shared('calls')
  if (mapping === null || thread === null || thread.fresh) return
  const calls = newCallIds(context.random, 2, mapping)
  const json = askingMessage(calls, 'I need that again.', mapping) ?? {}
  const here = { in: { thread_id: thread.id } } as const
  const asked = await context.send('createMessage', { ...here, purpose: 'asked-again:/body', expects: 'either', json })
  if (asked.outcome !== 'accepted') return
  for (const id of calls.slice(1)) {
    await sendResult(context, thread.id, id)
    const again = { purpose: 'answered-again:/body', expects: 'either' } as const
    await context.send('createMessage', {
      ...here,
      ...again,
      json: resultMessage(id, toolResult(context.random), mapping),
    })
  }
  await refuseRun(context, 'runThread', thread.id, 'half-pending:/thread')
}
