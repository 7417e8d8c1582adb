/**
 * Asks the same question in several threads, with model calls that only the deep tier has. An answer that a service keeps
 * for a question belongs to one thread, and a stream that was read to its end has to be made anew.
 */
import { completionOperations, type OperationId } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { claimedOf, exercised, type Probe, streamRules } from '../probe.ts'
import { listCompletionThread } from './completions.ts'

const threadsOfEach = 2
const turns = 2

export const sameQuestionProbes = [
  {
    id: 'completions.same-questions',
    chapter: 'completions',
    from: 'deep',
    exercises: [
      exercised(completionOperations, 'completions.fresh-thread', 'completions.continues-thread'),
      exercised(['streamChatCompletion', 'streamChatCompletionEvents'], ...streamRules),
    ],
    needs: {},
    after: ['completions.answer'],
    cost: {
      exchanges: completionOperations.length * threadsOfEach * (turns + 1),
      modelCalls: completionOperations.length * threadsOfEach * turns,
    },
    play: async (context) => {
      for (const operation of claimedOf(context, completionOperations)) await askInTwoThreads(context, operation)
    },
  },
] as const satisfies readonly Probe[]

/** The same first question opens two threads, and the same second one goes on in both. */
async function askInTwoThreads(context: ProbeContext, operation: OperationId): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  const known = new Set(context.touched().map(({ id }) => id))
  const first = context.shortCompletion(assistant)
  for (let opened = 0; opened < threadsOfEach; opened += 1) await context.send(operation, { json: first })
  const threads = context.touched().filter(({ id }) => !known.has(id))
  const second = context.shortCompletion(assistant)
  for (const { id } of threads) await context.send(operation, { query: [['thread_id', id]], json: second })
  for (const { id } of threads) await listCompletionThread(context, id)
}
