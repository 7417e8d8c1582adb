/** Asks one question several times in the same thread: each run makes an answer of its own. Only deep has the model calls. */
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
] as const satisfies readonly Probe[]
