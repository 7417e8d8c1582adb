/** Chapter streams: answers as NDJSON, in text and in content blocks, and assistants that do not stream. */
import { type AssistantSummary, asksForTools } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { questionWithEscapes, uniqueQuestion, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { listCompletionThread } from '../completions/completions.ts'
import { exercised, type Probe, rejectionRules, streamRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

export const streamProbes = [
  {
    id: 'streams.text',
    chapter: 'streams',
    from: 'gate',
    exercises: [
      exercised(
        ['streamChatCompletion'],
        ...streamRules,
        'completions.carries-thread-id',
        'completions.thread-holds-conversation',
      ),
      exercised(['streamChatCompletion'], 'streams.joined-equals-stored', 'streams.streaming-assistant-streams'),
    ],
    needs: { claims: ['streaming'] },
    cost: (profile) => (hasEvents(profile) ? { exchanges: 4, modelCalls: 2 } : { exchanges: 2, modelCalls: 1 }),
    play: async (stage) => {
      const known = new Set(stage.touched().map(({ id }) => id))
      await Promise.all([
        askAnother(stage, 'streamChatCompletion'),
        ...(hasEvents(stage.profile) ? [askAnother(stage, 'streamChatCompletionEvents')] : []),
      ])
      const added = stage.touched().filter(({ id }) => !known.has(id))
      for (const { id } of added) await listCompletionThread(stage, id)
    },
  },
  {
    id: 'streams.blocks',
    chapter: 'streams',
    shares: ['other-assistants'],
    from: 'gate',
    exercises: [
      exercised(
        ['streamChatCompletionEvents'],
        ...streamRules,
        'streams.*-block',
        'streams.block-*',
        'completions.carries-thread-id',
        'completions.thread-holds-conversation',
      ),
    ],
    needs: { claims: ['events'] },
    // Where both forms are claimed, both streams are read at once.
    after: ['streams.text'],
    cost: ({ claims }) =>
      claims.includes('streaming') ? { exchanges: 0, modelCalls: 0 } : { exchanges: 2, modelCalls: 1 },
    play: async (stage) => {
      if (stage.profile.claims.includes('streaming')) return
      await askAnother(stage, 'streamChatCompletionEvents')
      await listCompletionThread(stage)
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
      const assistant = await stage.assistant('whole')
      if (assistant === null) return
      const ask = { purpose: 'not-streaming:/body/assistant_id', expects: 'either' } as const
      await stage.send('streamChatCompletion', { ...ask, json: stage.completion(assistant) })
    },
  },
  {
    id: 'streams.run-without-support',
    chapter: 'streams',
    from: 'gate',
    exercises: [exercised(['streamThreadRun'], 'streams.run-refused-without-support', ...rejectionRules)],
    needs: { claims: ['streaming', 'threads'], threads: true },
    cost: { exchanges: 4, modelCalls: 0 },
    play: async (stage) => {
      const assistant = await stage.assistant('whole')
      const thread = assistant === null ? null : await stage.thread('primary', assistant)
      if (assistant === null || thread === null) return
      const path = { thread_id: thread }
      // Behind an answer, since support may be looked at for the first one only.
      await stage.send('createMessage', {
        in: path,
        json: { role: 'assistant', content: uniqueStatement(stage.random) },
      })
      await stage.send('createMessage', { in: path, json: { role: 'user', content: uniqueQuestion(stage.random) } })
      const json = stage.runBody(assistant)
      await sendOneInvalid(stage, 'streamThreadRun', { purpose: 'not-streaming:/path/thread_id', in: path, json })
    },
  },
] as const satisfies readonly Probe[]

function hasEvents({ claims }: TargetProfile): boolean {
  return claims.includes('events')
}

/** Asks another assistant than the plain one, where there is one. */
async function askAnother(
  stage: ProbeContext,
  operation: 'streamChatCompletion' | 'streamChatCompletionEvents',
): Promise<void> {
  const plain = await stage.assistant('plain')
  if (plain === null) return
  const other = await lastThatStreams(stage, plain)
  // It may be one that takes its time, so the question is short.
  const messages = [{ role: 'user', content: questionWithEscapes(stage.random) }]
  const json = other === undefined ? stage.completion(plain) : stage.completion(other, { messages })
  await stage.send(operation, { json })
}

/** Another assistant than the plain one: those that differ most tend to stand far apart. */
export async function lastThatStreams(
  stage: ProbeContext,
  plain: AssistantSummary,
): Promise<AssistantSummary | undefined> {
  const assistants = await stage.askable()
  return assistants.findLast(
    (assistant) => assistant.streaming && assistant.id !== plain.id && !asksForTools(assistant, stage.profile),
  )
}
