/** Chapter threads: messages, reads and runs that have to be refused, and proof that they left nothing behind. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { malformedId, uniqueQuestion, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { askingMessage } from '../../probe-runtime/tool-calls.ts'
import type { TouchedThread } from '../../probe-runtime/touched-thread.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe, rejectionRules } from '../probe.ts'
import { type FaultWish, faultDrawer } from '../support/drawn-faults.ts'
import { type InvalidRequest, sendInvalid, sendOneInvalid } from '../support/send-invalid.ts'
import { refuseRuns } from './runs.ts'
import { listThread } from './threads.ts'

const threadOperations = ['listMessages', 'createMessage', 'runThread', 'streamThreadRun'] as const
const needs = { claims: ['threads'], threads: true } as const

export const rejectedMessageProbes = [
  {
    id: 'threads.unknown',
    chapter: 'threads',
    from: 'smoke',
    exercises: [exercised(threadOperations, 'threads.unknown-thread-error', ...rejectionRules)],
    needs: { claims: ['threads'] },
    cost: { exchanges: 5, modelCalls: 0 },
    play: async (context) => {
      const thread = context.random.uuid()
      const outcome = await refuseOnThread(context, thread, 'unknown:/path/thread_id')
      // Such a message may create the thread, which holds it then.
      if (outcome === 'accepted') await listThread(context, thread)
    },
  },
  {
    id: 'threads.malformed-id',
    chapter: 'threads',
    from: 'gate',
    standby: true,
    exercises: [],
    needs: { claims: ['threads'] },
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const path = { in: { thread_id: malformedId(context.random) }, purpose: 'format:/path/thread_id' }
      if (context.random.below(2) === 0) await sendOneInvalid(context, 'listMessages', path)
      else {
        const json = { role: 'user', content: uniqueQuestion(context.random) }
        await sendOneInvalid(context, 'createMessage', { ...path, json })
      }
    },
  },
  {
    id: 'threads.faulty-messages',
    chapter: 'threads',
    shares: ['runs'],
    from: 'gate',
    exercises: [
      exercised(['createMessage'], 'threads.empty-content-refused', 'threads.content-required', 'threads.role-known'),
      exercised(
        ['createMessage'],
        'threads.role-required',
        'threads.rejected-leaves-no-trace',
        'errors.rejection-repeatable',
        'tools.asking-message-not-empty',
      ),
    ],
    needs,
    after: ['threads.interleaved'],
    cost: { exchanges: 12, modelCalls: 0 },
    play: (context) => refuseMessages(context, faultyMessages(context)),
  },
  {
    id: 'threads.completion-closed',
    chapter: 'threads',
    shares: ['first-completion-thread', 'second-answers'],
    from: 'smoke',
    // When all completions are over, so that threads of every form and of several turns are among theirs.
    late: true,
    exercises: [exercised(['createMessage'], 'threads.completion-thread-closed', ...rejectionRules)],
    needs: { claims: ['threads'] },
    after: ['completions.answer'],
    cost: (_profile, tier) => ({ exchanges: tier === 'smoke' ? 3 : 6, modelCalls: 0 }),
    play: async (context) => {
      const all = context.touched().filter((thread) => thread.createdBy)
      // Whose thread it is that a completion with the name of another one is in, is not sure.
      const sure = all.filter((thread) => !thread.named)
      const completionThreads = sure.length > 0 ? sure : all
      if (completionThreads.length === 0)
        return context.note('blocked', 'No completion was answered, so none made a thread.')
      const users = oneOfEachKind(completionThreads).slice(0, context.tier === 'smoke' ? 1 : 4)
      const asks = [
        ...users.map((thread) => ({ thread, role: 'user' })),
        ...completionThreads.slice(0, 1).map((thread) => ({ thread, role: 'system' })),
        ...completionThreads.slice(-1).map((thread) => ({ thread, role: 'assistant' })),
      ]
      const wrongs = asks.map(({ thread, role }) => ({
        ...message('closed:/path/thread_id', { role, content: uniqueStatement(context.random) }),
        in: { thread_id: thread.id },
        as: thread.tenant,
      }))
      await sendInvalid(context, 'createMessage', wrongs)
    },
  },
  {
    id: 'threads.run-without-user',
    chapter: 'threads',
    shares: ['system-only'],
    from: 'smoke',
    // Heavier tiers walk through every state, this one among them.
    until: 'smoke',
    exercises: [
      exercised(
        ['runThread', 'streamThreadRun'],
        'threads.run-needs-user-message',
        'threads.rejected-leaves-no-trace',
        ...rejectionRules,
      ),
      exercised(['streamThreadRun'], 'streams.same-acceptance'),
      exercised(['listMessages'], 'pagination.empty-thread'),
    ],
    needs,
    cost: { exchanges: 4, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('system-only')
      if (thread === null) return
      if (!thread.empty) return context.note('no-fixture', 'The profile does not say that a thread is empty.')
      await listThread(context, thread.id)
      await refuseRuns(context, thread.id, 'empty:/thread')
    },
  },
] as const satisfies readonly Probe[]

/** The first thread of each form of completion, with one turn and with several. */
function oneOfEachKind(completionThreads: readonly TouchedThread[]): readonly TouchedThread[] {
  const kindOf = ({ createdBy, turns }: TouchedThread): string => `${createdBy} ${turns > 1}`
  return completionThreads.filter(
    (thread, index) => completionThreads.findIndex((other) => kindOf(other) === kindOf(thread)) === index,
  )
}

/** Sends a good request of every thread operation to a thread that is none, or not the caller's; gives what the message got. */
export async function refuseOnThread(
  context: ProbeContext,
  thread: string,
  purpose: string,
  { as = 'primary', reads = true }: { readonly as?: TenantName; readonly reads?: boolean } = {},
): Promise<Answer['outcome']> {
  const path = { in: { thread_id: thread }, as, purpose }
  if (reads) await sendOneInvalid(context, 'listMessages', path)
  const assistant = await context.assistant('plain', as)
  if (assistant !== null) {
    await sendOneInvalid(context, 'runThread', { ...path, json: context.runBody(assistant) })
    if (context.profile.claims.includes('streaming'))
      await sendOneInvalid(context, 'streamThreadRun', { ...path, json: context.runBody(assistant) })
  }
  const json = { role: 'user', content: uniqueQuestion(context.random) }
  const { outcome } = await sendOneInvalid(context, 'createMessage', { ...path, json })
  // Messages of some roles may take a way of their own.
  const remark = { role: 'system', content: uniqueStatement(context.random) }
  if (!reads) await sendOneInvalid(context, 'createMessage', { ...path, json: remark })
  return outcome
}

/** All faults meet one live thread; whatever reads it later shows what they left there. */
async function refuseMessages(context: ProbeContext, wrongs: readonly InvalidRequest[]): Promise<void> {
  const thread = await context.shared('runs')
  if (thread === null) return
  const here = wrongs.map((wrong) => ({ ...wrong, in: { thread_id: thread.id } }))
  await sendInvalid(context, 'createMessage', here)
}

/** Every way to break a message, by values that the seed chooses; one of them twice, since a refusal has to repeat. */
function faultyMessages(context: ProbeContext): readonly InvalidRequest[] {
  const { random } = context
  const body = { role: random.pick(['user', 'assistant']), content: uniqueStatement(random) }
  const draw = faultDrawer(context, { operation: 'createMessage', path: {}, query: [], headers: [], body })
  const drawn = (turns: number, pointer: string, ...operators: FaultWish['operators']): readonly InvalidRequest[] =>
    Array.from({ length: turns }, (_, turn) => draw({ pointer, operators }, turn))
  const missing = drawn(1, '/content', 'N-DROP')
  return [
    message('empty:/body/content', emptyAnswer(context)),
    ...missing,
    ...missing,
    ...drawn(1, '/content', 'N-NULL'),
    ...drawn(4, '/content', 'N-TYPE', 'N-ARR1'),
    ...drawn(2, '/role', 'N-ENUM'),
    ...drawn(1, '/role', 'N-TYPE', 'N-ARR1', 'N-NULL'),
    ...drawn(1, '/role', 'N-DROP'),
  ]
}

/** An assistant message without content; where clients can write one that asks for tools, it does. */
function emptyAnswer({ random, profile: { tools } }: ProbeContext): unknown {
  const asking = tools === null ? null : askingMessage([random.uuid()], '', tools)
  return asking ?? { role: 'assistant', content: '' }
}

function message(purpose: string, json: unknown): InvalidRequest {
  return { purpose, json }
}
