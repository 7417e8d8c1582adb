/**
 * Conversations out of the generator: random ones in deep, every sequence up to length three in soak.
 * They look for what nobody thought of; the laws that judge them are the same.
 */
import { type Conversation, conversationArbitrary, enumerateConversations, sample } from '../../../generators/index.ts'
import { runConversation } from '../../probe-runtime/conversation-runner.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { exercised, type Probe, successRules } from '../probe.ts'

const needs = { claims: ['threads', 'tenancy'], threads: true, tenants: ['secondary'] } as const
const exercises = [exercised(['createMessage', 'listMessages'], ...successRules)]
/** Random conversations in the deep tier, commands in each, and model calls in all of them. */
const deep = { conversations: 48, commands: 16, modelCalls: 32 } as const
const openingAndReading = 6

export const conversationProbes = [
  {
    id: 'threads.random-conversations',
    chapter: 'threads',
    alone: true,
    from: 'deep',
    exercises,
    needs,
    cost: { exchanges: deep.conversations * (openingAndReading + deep.commands), modelCalls: deep.modelCalls },
    play: (context) => playSome(context, deep.conversations, { maxLength: deep.commands, maxModelCalls: 2 }),
  },
  {
    id: 'threads.every-short-conversation',
    chapter: 'threads',
    alone: true,
    from: 'soak',
    exercises,
    needs,
    cost: { exchanges: 170_000, modelCalls: 20_000 },
    play: async (context) => {
      for (const conversation of enumerateConversations(3)) await runConversation(context, conversation)
    },
  },
] as const satisfies readonly Probe[]

async function playSome(
  context: ProbeContext,
  count: number,
  options: Parameters<typeof conversationArbitrary>[0],
): Promise<void> {
  const drawn: readonly Conversation[] = sample(conversationArbitrary(options), { seed: context.random.seed(), count })
  for (const conversation of drawn) {
    if (context.left().exchanges < openingAndReading + conversation.commands.length) return
    await runConversation(context, conversation)
  }
}
