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
    exercises: [],
    needs: {},
    after: ['tenancy.foreign-thread-continued'],
    late: true,
    cost: { exchanges: 2, modelCalls: 0, spareCalls: 1 },
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant === null) return
      if (context.left().modelCalls < 1)
        return context.note('budget', 'No model call is left, and the request may be answered.')
      const empty = { role: 'user', content: '' }
      const question = { role: 'user', content: uniqueQuestion(context.random) }
      const [index, messages] = context.random.pick([[0, [empty]] as const, [1, [question, empty]] as const])
      const ask = { purpose: `empty:/body/messages/${index}/content`, expects: 'either' } as const
      const json = context.shortCompletion(assistant, { messages })
      const { outcome } = await context.send('createChatCompletion', { ...ask, json })
      if (outcome === 'accepted') await listCompletionThread(context)
    },
  },
] as const satisfies readonly Probe[]
