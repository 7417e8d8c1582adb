/** Chapter streams: answers as NDJSON, in text and in content blocks, and assistants that do not stream. */
import { type AssistantCard, isNamed } from '../staging/assistant-card.ts'
import type { Stage } from '../staging/stage.ts'
import { question, remark, thornyQuestion } from '../staging/wording.ts'
import { listBorn } from './completions.ts'
import { on, type Probe, refused, streamed } from './probe.ts'
import { sendOneWrong } from './wrong.ts'

export const streams = [
  {
    id: 'streams.text',
    chapter: 'streams',
    from: 'gate',
    exercises: [
      on(
        ['streamChatCompletion'],
        ...streamed,
        'completions.carries-thread-id',
        'completions.thread-holds-conversation',
      ),
      on(['streamChatCompletion'], 'streams.joined-equals-stored', 'streams.streaming-assistant-streams'),
    ],
    needs: { claims: ['streaming'] },
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (stage) => {
      const card = await stage.assistant('plain')
      if (card === null) return
      await stage.send('streamChatCompletion', { json: stage.completion(card) })
      await listBorn(stage)
    },
  },
  {
    id: 'streams.blocks',
    chapter: 'streams',
    from: 'gate',
    exercises: [
      on(
        ['streamChatCompletionEvents'],
        ...streamed,
        'streams.*-block',
        'streams.block-*',
        'completions.carries-thread-id',
      ),
    ],
    needs: { claims: ['events'] },
    cost: { exchanges: 1, modelCalls: 1 },
    play: async (stage) => {
      const plain = await stage.assistant('plain')
      if (plain === null) return
      const other = stage.tier === 'smoke' ? undefined : await lastThatStreams(stage, plain)
      // It may be one that takes its time, so the question is short.
      const messages = [{ role: 'user', content: thornyQuestion(stage.draw) }]
      const json = other === undefined ? stage.completion(plain) : stage.completion(other, { messages })
      await stage.send('streamChatCompletionEvents', { json })
    },
  },
  {
    id: 'streams.without-support',
    chapter: 'streams',
    from: 'gate',
    exercises: [],
    needs: { claims: ['streaming'] },
    cost: { exchanges: 1, modelCalls: 1 },
    play: async (stage) => {
      const card = await stage.assistant('whole')
      if (card === null) return
      const ask = { purpose: 'not-streaming:/body/assistant_id', expects: 'either' } as const
      await stage.send('streamChatCompletion', { ...ask, json: stage.completion(card) })
    },
  },
  {
    id: 'streams.run-without-support',
    chapter: 'streams',
    from: 'gate',
    exercises: [on(['streamThreadRun'], 'streams.run-refused-without-support', ...refused)],
    needs: { claims: ['streaming', 'threads'], threads: true },
    cost: { exchanges: 4, modelCalls: 0 },
    play: async (stage) => {
      const card = await stage.assistant('whole')
      const thread = card === null ? null : await stage.thread('primary', card)
      if (card === null || thread === null) return
      const path = { thread_id: thread }
      // Behind an answer, since support may be looked at for the first one only.
      await stage.send('createMessage', { in: path, json: { role: 'assistant', content: remark(stage.draw) } })
      await stage.send('createMessage', { in: path, json: { role: 'user', content: question(stage.draw) } })
      const json = stage.runBody(card)
      await sendOneWrong(stage, 'streamThreadRun', { purpose: 'not-streaming:/path/thread_id', in: path, json })
    },
  },
] as const satisfies readonly Probe[]

/** Another assistant than the plain one: those that differ most tend to stand far apart. */
export async function lastThatStreams(stage: Stage, plain: AssistantCard): Promise<AssistantCard | undefined> {
  const asksForTools = stage.profile.tools?.assistant_id
  const cards = await stage.assistants()
  return cards.findLast((card) => card.streaming && card.id !== plain.id && !isNamed(card, asksForTools))
}
