/** Runs one thread several times, in turn and at once: each run makes an answer of its own. Only deep has the model calls. */
import { bothRuns } from '../../../spec/index.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { claimedOf, exercised, type Probe, successRules } from '../probe.ts'
import { runOnThread } from './runs.ts'
import { listThread, postMessage } from './threads.ts'

const times = 2

export const repeatedQuestionInThreadProbes = [
  {
    id: 'threads.question-repeated',
    chapter: 'threads',
    from: 'deep',
    exercises: [exercised(bothRuns, 'threads.run-appends-answer'), exercised(['runThread'], ...successRules)],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: bothRuns.length * times * 2 + 2, modelCalls: bothRuns.length * times },
    play: async (context) => {
      const assistant = await context.assistant('plain')
      const thread = assistant === null ? null : await context.thread('primary', assistant)
      if (assistant === null || thread === null) return
      const question = uniqueQuestion(context.random)
      for (const form of claimedOf(context, bothRuns)) {
        for (let time = 0; time < times; time += 1) {
          await postMessage(context, thread, 'user', question)
          await runOnThread(context, thread, form, assistant)
        }
      }
      await listThread(context, thread)
    },
  },
  {
    id: 'threads.two-runs-at-once',
    chapter: 'threads',
    from: 'deep',
    exercises: [exercised(['runThread'], 'threads.run-appends-answer')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 4, modelCalls: 2 },
    // Whether a thread takes a second run meanwhile is open; where it does, neither answer is lost.
    play: async (context) => {
      const assistant = await context.assistant('plain')
      const thread = assistant === null ? null : await context.thread('primary', assistant)
      if (assistant === null || thread === null) return
      await postMessage(context, thread, 'user', uniqueQuestion(context.random))
      const beside = { purpose: 'beside-run:/thread', expects: 'either' } as const
      await Promise.all([
        runOnThread(context, thread, 'runThread', assistant),
        runOnThread(context, thread, 'runThread', assistant, beside),
      ])
      await listThread(context, thread)
    },
  },
  {
    id: 'threads.same-question-at-once',
    chapter: 'threads',
    from: 'deep',
    exercises: [exercised(['runThread'], 'threads.run-appends-answer', 'streams.answer-belongs-to-thread')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 8, modelCalls: 2 },
    // What a service makes only once for equal runs under way belongs to one of the threads.
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      const question = uniqueQuestion(context.random)
      const threads: string[] = []
      for (let opened = 0; opened < times; opened += 1) {
        const thread = await context.thread('primary', assistant)
        if (thread === null) return
        await postMessage(context, thread, 'user', question)
        threads.push(thread)
      }
      await Promise.all(threads.map((thread) => runOnThread(context, thread, 'runThread', assistant)))
      for (const thread of threads) await listThread(context, thread)
    },
  },
] as const satisfies readonly Probe[]
