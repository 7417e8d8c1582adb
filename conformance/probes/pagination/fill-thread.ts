/** Fills a thread with statements, whose order is known at either end. */

import { statementsWithPastedTexts } from '../../probe-runtime/pasted-texts.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'

interface Filling {
  readonly contents?: readonly string[]
  /** How many stand for messages of other probes in a thread that was given up: no plan has them. */
  readonly lost?: number
  /** User messages stand among so many of the first ones only: a run that searches only the newest messages finds no question. */
  readonly newestUser?: number
  /** How many messages at either end follow each other, so that their order is known. */
  readonly inTurn?: { readonly oldest: number; readonly newest: number }
}

/**
 * Adds messages one after the other; a run with several workers adds most of a long thread a few at a time. The first ones of
 * an assistant have the given contents, the last one of a user has the fields of the question, all others hold something pasted.
 */
export async function fillThread(
  context: ProbeContext,
  thread: string,
  size: number,
  { contents = [], lost = 0, newestUser = 4, inTurn = longInTurn }: Filling = {},
  question?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const given = contents.values()
  const statements = statementsWithPastedTexts(context.random)
  const drafts = Array.from({ length: size }, (_, index) => {
    const isUser = index % 2 === 0 && index < newestUser
    if (isUser && index + 2 >= newestUser && question !== undefined) return { role: 'user', ...question }
    const content = (isUser ? undefined : given.next().value) ?? statements.next().value
    return { role: isUser ? 'user' : 'assistant', content }
  })
  for (let index = 0; index < size; ) {
    const isInside = index >= inTurn.oldest && index < size - inTurn.newest
    const together = drafts.slice(
      index,
      index + (isInside ? Math.min(context.workers, size - inTurn.newest - index) : 1),
    )
    await Promise.all(
      together.map((json, at) => {
        const isRepetition = index + at < lost
        return context.send('createMessage', { in: { thread_id: thread }, json, isRepetition })
      }),
    )
    index += together.length
  }
}

/** Of a long thread, at the newer end, those behind the hundredth, where faults begin. */
const longInTurn = { oldest: 4, newest: 9 } as const
