/**
 * Completions with an empty message, which no list of messages may show. Whether they are refused is not said, so one of
 * them may be paid for: they are sent late, while an answer is to spare.
 */
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import type { Probe } from '../probe.ts'
import { listCompletionThread } from './completions.ts'

export const emptyContentProbes = [
  {
    id: 'completions.empty-content',
    chapter: 'completions',
    shares: ['spare-calls'],
    from: 'gate',
    rare: true,
    exercises: [],
    needs: {},
    after: ['tenancy.foreign-thread-continued'],
    late: true,
    cost: { exchanges: 3, modelCalls: 0, spareCalls: 1 },
    play: async (stage) => {
      const assistant = await stage.assistant('plain')
      if (assistant === null) return
      const empty = { role: 'user', content: '' }
      const question = { role: 'user', content: uniqueQuestion(stage.random) }
      for (const [index, messages] of [[empty], [question, empty]].entries()) {
        if (stage.left().modelCalls < 1)
          return stage.note('budget', 'No model call is left, and the request may be answered.')
        const ask = { purpose: `empty:/body/messages/${index}/content`, expects: 'either' } as const
        const json = stage.shortCompletion(assistant, { messages })
        const { outcome } = await stage.send('createChatCompletion', { ...ask, json })
        if (outcome === 'accepted') return listCompletionThread(stage)
      }
    },
  },
] as const satisfies readonly Probe[]
