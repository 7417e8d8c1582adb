/**
 * Walks through several threads at the same time. Nothing new is judged: what each of them is answered alone is also what it
 * has to be answered among others.
 */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe } from '../probe.ts'
import { cursorOf, readPage } from '../support/page-walk.ts'
import { listThread, postMessage } from '../threads/threads.ts'

export const walksAtOnceProbes = [
  {
    id: 'pagination.walks-at-once',
    chapter: 'pagination',
    shares: ['runs', 'three', 'second-b'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['listMessages'], 'pagination.cursor-continues')],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    // They open the threads; the last one wants one of them to be short.
    after: ['threads.interleaved', 'threads.messages'],
    behind: ['pagination.moving-thread'],
    cost: { exchanges: 8, modelCalls: 0 },
    play: walkTwoThreads,
  },
] as const satisfies readonly Probe[]

/** Two walks of one tenant at once, beside lists of another one: a service that keeps one place for both loses a cursor. */
async function walkTwoThreads(context: ProbeContext): Promise<void> {
  const own = await context.shared('runs')
  const other = await context.shared('three')
  const foreign = await context.shared('second-b', 'secondary')
  if (own === null || other === null || foreign === null) return
  await Promise.all([
    postMessage(context, other.id, 'user', uniqueStatement(context.random)),
    postMessage(context, own.id, 'user', uniqueStatement(context.random)),
  ])
  const [first, , second] = await Promise.all([
    readPage(context, own.id, 1),
    listThread(context, foreign.id, 'secondary'),
    readPage(context, other.id, 1),
  ])
  await Promise.all([
    readPage(context, own.id, null, cursorOf(first.json)),
    listThread(context, foreign.id, 'secondary'),
    readPage(context, other.id, null, cursorOf(second.json)),
  ])
}
