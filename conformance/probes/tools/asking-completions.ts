/** Answers a call that a completion asked for, in its thread. It takes no message, not even the one that fits. */
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { callIdsIn, resultMessage } from '../../probe-runtime/tool-calls.ts'
import { withQuestion } from '../completions/completions.ts'
import { exercised, type Probe, rejectionRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { askingAssistants } from './asking-assistants.ts'

export const askingCompletionProbes = [
  {
    id: 'tools.asked-in-completion',
    chapter: 'tools',
    from: 'deep',
    exercises: [exercised(['createMessage'], 'threads.completion-thread-closed', ...rejectionRules)],
    needs: { claims: ['threads', 'tools'], threads: true, tools: 'prompt' },
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (context) => {
      const { tools } = context.profile
      const [assistant] = await askingAssistants(context)
      if (tools?.prompt === undefined || assistant === undefined) return
      const json = withQuestion(context.shortCompletion(assistant), tools.prompt)
      const answer = await context.send('createChatCompletion', { json })
      const [call] = callIdsIn(answer.json, tools)
      const thread = stringAt(answer.json, '/thread_id')
      if (call === undefined || thread === undefined)
        return context.note(
          'refused-by-target',
          'No completion asked for a tool when it got the prompt of the profile.',
        )
      await sendOneInvalid(context, 'createMessage', {
        purpose: 'closed:/path/thread_id',
        in: { thread_id: thread },
        json: resultMessage(call, toolResult(context.random), tools),
      })
    },
  },
] as const satisfies readonly Probe[]
