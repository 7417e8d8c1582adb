/**
 * Chapter completions: what has to be refused. The requests take the plain form and both streamed ones, without and
 * within a live thread.
 */
import { bothCompletions, completionOperations, type OperationId } from '../../../spec/index.ts'
import { type AssistantSummary, byDemand, isDemanding } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { stringAt } from '../../probe-runtime/probe-response.ts'
import { acknowledgement, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { claimedOf, exercised, type Probe, rejectionRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { type InvalidRequest, sendInvalid, sendOneInvalid } from '../support/send-invalid.ts'
import { listCompletionThread } from './completions.ts'
import {
  assistantForUser,
  type Form,
  fieldFaults,
  misplacedFields,
  nullInTurn,
  requiredAtEnds,
  severalFaults,
  statedFaults,
  userIdInTurn,
} from './invalid-completions.ts'

const stated = [
  'completions.assistant-id-required',
  'completions.messages-required',
  'completions.needs-user-message',
] as const
const validation = [...rejectionRules, 'errors.validation-*', 'completions.validation-error-names-field'] as const

export const rejectedCompletionProbes = [
  {
    id: 'completions.stated-refusals',
    chapter: 'completions',
    from: 'smoke',
    exercises: [
      exercised(bothCompletions, ...validation, ...stated, 'completions.missing-assistant-id-error'),
      exercised(['streamChatCompletionEvents'], ...stated),
      exercised(['streamChatCompletion'], 'streams.same-acceptance'),
    ],
    needs: {},
    // A malformed id before a missing one: the words for the first of them may be kept for whatever is wrong in that place.
    behind: ['completions.field-refusals'],
    cost: { exchanges: 12, modelCalls: 0 },
    play: (context) => refuseEverywhere(context, (body) => ({ draw: () => [statedFaults(context, body)] })),
  },
  {
    id: 'completions.field-refusals',
    chapter: 'completions',
    from: 'gate',
    exercises: [
      exercised(
        completionOperations,
        'completions.assistant-id-is-uuid',
        'completions.messages-well-typed',
        'completions.content-is-text',
        'completions.role-known',
        'completions.user-id-is-uuid',
        'completions.unknown-assistant-refused',
        'completions.needs-user-message',
      ),
      exercised(bothCompletions, ...validation, 'completions.unknown-assistant-error'),
      exercised(['streamChatCompletion'], 'streams.same-acceptance'),
    ],
    needs: {},
    cost: { exchanges: 38, modelCalls: 0 },
    play: async (context) => {
      await refuseEverywhere(context, (body) => {
        const longer = withMoreTurns(context, body)
        const textFirst = context.random.below(2) === 0
        return {
          draw: fieldFaults(context, longer),
          inForm: (fault, form) => (userIdInTurn(fault, form, textFirst) ? [nullInTurn(fault, longer, form)] : []),
        }
      })
      await refuseEverywhere(context, (body) => ({ draw: () => [[assistantForUser(context, body)]] }), bothCompletions)
    },
  },
  {
    id: 'completions.required-fields',
    chapter: 'completions',
    shares: ['first-completion-thread'],
    from: 'gate',
    rare: true,
    exercises: [exercised(completionOperations, 'completions.required-fields-enforced')],
    needs: {},
    after: ['completions.answer'],
    // Once such an assistant has answered, its fields are required as before.
    behind: ['completions.continue', 'streams.text'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: async (context) => {
      const [demanding] = byDemand(await context.askable())
      if (demanding?.streaming !== true) await refuseStreamsOfSecond(context)
      if (demanding === undefined) return
      const body = { ...context.shortCompletion(demanding), ...userOf(context, demanding) }
      const forms = completionOperations.slice(0, demanding.streaming ? undefined : 1)
      await inLanes(context, claimedOf(context, forms), (operation) => {
        const end = operation === 'streamChatCompletion' ? 'first' : 'last'
        const faults = requiredAtEnds(body, demanding.requires, end)
        const isPlain = operation === 'createChatCompletion'
        return sendInvalid(context, operation, isPlain ? lastWithinThread(context, faults) : faults)
      })
    },
  },
  {
    id: 'completions.refusals-leave-no-trace',
    chapter: 'completions',
    shares: ['first-completion-thread'],
    from: 'gate',
    exercises: [
      exercised(
        ['createChatCompletion'],
        'errors.rejection-repeatable',
        'completions.missing-assistant-id-among-others',
      ),
      exercised(['listMessages'], 'threads.no-phantom-messages'),
    ],
    needs: {},
    after: ['completions.answer'],
    // Its list shows as well what a refusal for want of the assistant's own fields has left in that thread.
    behind: ['completions.field-refusals', 'completions.required-fields'],
    cost: { exchanges: 6, modelCalls: 0 },
    play: refuseWithinThread,
  },
  {
    id: 'completions.misplaced-field',
    chapter: 'completions',
    from: 'gate',
    standby: true,
    exercises: [exercised(['createChatCompletion'], 'completions.required-fields-enforced')],
    needs: {},
    // Beside the same requests without that field, which show what their refusals are for.
    behind: ['completions.required-fields'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const demanding = (await context.assistants()).find(isDemanding)
      if (demanding === undefined) return
      for (const wrong of misplacedFields(context.shortCompletion(demanding), demanding.requires))
        await sendOneInvalid(context, 'createChatCompletion', wrong)
    },
  },
] as const satisfies readonly Probe[]

/** A user who was answered before, with all fields: what a service remembers of a user is no part of the next request. */
function userOf(context: ProbeContext, { id }: AssistantSummary): Readonly<Record<string, unknown>> {
  const completionThreads = context
    .touched()
    .filter((thread) => thread.createdBy !== null && thread.tenant === 'primary')
  // In the first thread another assistant went on for the same user, maybe this one.
  const known = completionThreads.find(({ asked }) => stringAt(asked, '/assistant_id') === id) ?? completionThreads[0]
  const user_id = stringAt(known?.asked, '/user_id')
  return user_id === undefined ? {} : { user_id }
}

/** Where the first tenant has no assistant that streams and requires fields, one of the second is asked for streams. */
async function refuseStreamsOfSecond(context: ProbeContext): Promise<void> {
  const { claims, tenants } = context.profile
  if (!claims.includes('tenancy') || tenants.secondary === undefined) return
  const second = await context.assistant('demanding', 'secondary')
  if (second === null || !second.streaming || !isDemanding(second)) return
  const wrongs = requiredAtEnds(context.shortCompletion(second), second.requires, 'last')
  await inLanes(context, claimedOf(context, completionOperations.slice(1)), (operation) =>
    sendInvalid(
      context,
      operation,
      wrongs.map((wrong) => ({ ...wrong, as: 'secondary' })),
    ),
  )
}

/** A UUID in form that no assistant can have. */
const nil = '00000000-0000-0000-0000-000000000000'

/** Classes of faults, drawn anew for each turn, and what a form gets in the place of one that was drawn for all. */
interface FaultClasses {
  readonly draw: (turn: number) => readonly (readonly InvalidRequest[])[]
  readonly inForm?: (fault: InvalidRequest, form: Form) => readonly InvalidRequest[]
}

/** Sends each class to the forms that the profile claims: the plain one and its stream get the same, content blocks other draws. */
async function refuseEverywhere(
  context: ProbeContext,
  classes: (body: Readonly<Record<string, unknown>>) => FaultClasses,
  wanted: readonly OperationId[] = completionOperations,
): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  const operations = claimedOf(context, wanted)
  const { draw, inForm = (fault) => [fault] } = classes(context.shortCompletion(assistant))
  // The first draw is the likeliest mistake, a value that careless code converts; it must not be left to chance.
  const [plain, contentBlocks] = [draw(0), draw(1 + context.random.below(2))]
  const byOperation = operations.map((operation, at) =>
    (operation === 'streamChatCompletionEvents' ? contentBlocks : plain).map((faults) =>
      faults.flatMap((fault) => inForm(fault, { at, of: operations.length })),
    ),
  )
  const places = [...(byOperation[0]?.keys() ?? [])].flatMap((at) =>
    operations.map((operation, index) => ({ operation, faults: byOperation[index]?.[at] ?? [] })),
  )
  await inLanes(context, places, ({ operation, faults }) => sendInvalid(context, operation, faults))
}

/**
 * A history of four or six messages, so that faults lie far from its first. Where it has more than eight, one of them being
 * inserted, an error that names the list and no entry may be about its length.
 */
function withMoreTurns(
  { random, inTakenRoles }: ProbeContext,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const turns = Array.from({ length: random.below(2) }, () => [
    { role: 'assistant', content: acknowledgement(random) },
    { role: 'user', content: uniqueStatement(random) },
  ])
  return { ...body, messages: [...(Array.isArray(body.messages) ? body.messages : []), ...inTakenRoles(turns.flat())] }
}

/** The most common mistake of all: two fields are missing side by side, so that what is told of one may be told of the other. */
const nothingSent: InvalidRequest = { purpose: 'drop:/body/assistant_id+drop:/body/messages', json: {} }

/** A refused completion that names a live thread must not leave its messages there. */
async function refuseWithinThread(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('plain')
  const thread = context.touched().find(({ createdBy, tenant }) => createdBy && tenant === 'primary')
  if (assistant === null) return
  if (thread === undefined) return context.note('blocked', 'No completion was answered, so there is no live thread.')
  const body = context.shortCompletion(assistant)
  const query = [['thread_id', thread.id]] as const
  const unknown = { purpose: 'unknown:/body/assistant_id', json: { ...body, assistant_id: nil } }
  const dropped = statedFaults(context, body).slice(0, 1)
  const wrongs = [unknown, nothingSent, severalFaults(body), ...dropped, ...dropped]
  for (const wrong of wrongs) await sendOneInvalid(context, 'createChatCompletion', { ...wrong, query })
  await listCompletionThread(context, thread.id)
}

/** The last of several faults in the live thread, where there is one: it may be found when the messages are already stored. */
function lastWithinThread(context: ProbeContext, faults: readonly InvalidRequest[]): readonly InvalidRequest[] {
  const thread = context.touched().find(({ createdBy, tenant }) => createdBy && tenant === 'primary')
  const last = faults.at(-1)
  if (thread === undefined || last === undefined || faults.length < 2) return faults
  return [...faults.slice(0, -1), { ...last, query: [['thread_id', thread.id]] }]
}
