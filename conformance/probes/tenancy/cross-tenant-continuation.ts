/**
 * Chapter tenancy: a completion that goes on in a thread of another tenant. Whether it is refused or answered elsewhere is
 * open, so it may cost an answer; where it does not, a question that was asked before is asked again at the end.
 */
import { bothCompletions, completionOperations, type OperationId } from '../../../spec/index.ts'
import { valuesAt } from '../../judge/read/json.ts'
import { isDemanding } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { askedForBareMessage } from '../../probe-runtime/touched-thread.ts'
import { withQuestion } from '../completions/completions.ts'
import { claimedOf, exercised, type Probe } from '../probe.ts'

export const crossTenantContinuationProbes = [
  {
    id: 'tenancy.foreign-thread-continued',
    chapter: 'tenancy',
    shares: ['second-answers', 'spare-calls'],
    late: true,
    from: 'gate',
    exercises: [exercised(completionOperations, 'tenancy.foreign-thread-not-continued')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    after: ['completions.answer', 'tenancy.second-tenant-completions'],
    cost: { exchanges: 3, modelCalls: 0, spareCalls: 1 },
    play: async (context) => {
      const completionThreads = context.touched().filter((thread) => thread.createdBy)
      const foreign = completionThreads.find(({ tenant }) => tenant === 'secondary')
      if (foreign === undefined) return context.note('blocked', 'No completion of the second tenant made a thread.')
      await goOn(context, foreign.id, 'foreign', completionOperations)
    },
  },
  {
    id: 'completions.unknown-thread',
    chapter: 'completions',
    shares: ['spare-calls'],
    late: true,
    from: 'gate',
    rare: true,
    exercises: [exercised(['createChatCompletion'], 'completions.unknown-thread-not-replaced')],
    needs: {},
    after: ['completions.answer'],
    // Answers that are kept for a question are the commoner fault.
    behind: ['completions.asked-again'],
    cost: { exchanges: 1, modelCalls: 0, spareCalls: 1 },
    play: (context) => {
      const forms = claimedOf(context, bothCompletions)
      // Not by chance, which is another in each part of a divided run.
      const form = forms[context.random.runNumber % forms.length]
      return goOn(context, context.random.uuid(), 'unknown', form === undefined ? [] : [form])
    },
  },
] as const satisfies readonly Probe[]

export const repeatedQuestionProbes = [
  {
    id: 'completions.asked-again',
    chapter: 'completions',
    shares: ['spare-calls'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['createChatCompletion'], 'completions.fresh-thread')],
    needs: {},
    after: [
      'completions.answer',
      'completions.empty-content',
      'tenancy.foreign-assistant-run',
      'tenancy.foreign-thread-continued',
      'threads.runs-at-once',
    ],
    late: true,
    cost: { exchanges: 1, modelCalls: 0, spareCalls: 1 },
    play: async (context) => {
      // Only an answer that no other probe needed pays for it.
      const json = await questionToRepeat(context)
      if (json !== undefined && context.left().modelCalls > 0) await context.send('createChatCompletion', { json })
    },
  },
] as const satisfies readonly Probe[]

/**
 * A question once more: its thread has to be another one than the first time. In one run of six it is for an assistant that
 * requires fields, which has refused requests without them meanwhile, and in one what only a stream or a run has answered
 * without sources, where there is such; in the others it is the first one, since kept answers are the commoner fault.
 */
async function questionToRepeat(context: ProbeContext): Promise<unknown> {
  const touched = context.touched()
  const turn = context.random.runNumber % 6
  const bare = turn === 5 ? askedForBareMessage(touched) : null
  if (bare !== null && 'asked' in bare) return bare.asked
  const assistant = bare === null ? null : await context.assistant('plain')
  if (bare !== null && assistant !== null) return withQuestion(context.shortCompletion(assistant), bare.said)
  const asked = touched
    .filter(({ createdBy, tenant }) => createdBy && tenant === 'primary')
    .flatMap((thread) => thread.asked ?? [])
  const demanding = turn === 4 ? (await context.askable()).find(isDemanding) : undefined
  if (demanding === undefined || asked[0] === undefined) return asked[0]
  const own = asked.find((body) => stringAt(body, '/assistant_id') === demanding.id)
  return own ?? { ...context.shortCompletion(demanding), messages: valuesAt(asked[0], '/messages/*') }
}

/** Names the thread in the claimed forms in turn. Where one was answered, the reserve pays for the others: no plan has them. */
async function goOn(
  context: ProbeContext,
  thread: string,
  whose: 'foreign' | 'unknown',
  forms: readonly OperationId[],
): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  const query = [['thread_id', thread]] as const
  const ask = {
    query,
    json: context.shortCompletion(assistant),
    purpose: `${whose}:/query/thread_id`,
    expects: 'either',
  } as const
  let isAnswered = false
  for (const operation of claimedOf(context, forms)) {
    const { outcome } = await context.send(operation, isAnswered ? { ...ask, isRepetition: true } : ask)
    isAnswered ||= outcome !== 'rejected'
  }
}
