/**
 * First look at requests that must be refused. It takes from each class the one fault that most careless checks let
 * through, and sends it to the form of a completion that checks least.
 */
import { type OperationId, operations } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { inheritedName, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { requiredFieldFaults, severalFaults } from '../completions/invalid-completions.ts'
import { exercised, type Probe, rejectionRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

const first = { from: 'smoke', until: 'smoke', chapter: 'completions', needs: {} } as const
/** An answer shows which roles a completion may have. */
const answered = { ...first, after: ['completions.first-answers'] } as const
const validation = [...rejectionRules, 'errors.validation-*', 'completions.validation-error-names-field'] as const
const plain = 'createChatCompletion'
const stream = 'streamChatCompletion'
const events = 'streamChatCompletionEvents'
/** A UUID in form that no assistant can have. */
const nil = '00000000-0000-0000-0000-000000000000'

export const smokeRejectionProbes = [
  {
    ...answered,
    id: 'completions.first-missing',
    exercises: [
      exercised([stream], ...validation, 'completions.assistant-id-required', 'completions.missing-assistant-id-error'),
    ],
    cost: { exchanges: 1, modelCalls: 0 },
    play: (context) =>
      refuse(context, ({ assistant_id: _dropped, ...rest }) => [[stream, 'drop:/body/assistant_id', rest]]),
  },
  {
    ...answered,
    id: 'completions.first-ids',
    exercises: [
      exercised(
        [stream],
        'completions.unknown-assistant-refused',
        'completions.unknown-assistant-error',
        ...rejectionRules,
      ),
      exercised([events], 'completions.user-id-is-uuid'),
    ],
    cost: { exchanges: 2, modelCalls: 0 },
    play: (context) =>
      refuse(context, (body) => [
        [events, 'format:/body/user_id', { ...body, user_id: '' }],
        [stream, 'unknown:/body/assistant_id', { ...body, assistant_id: nil }],
      ]),
  },
  {
    ...answered,
    id: 'completions.first-entries',
    exercises: [
      exercised([plain], ...validation, 'completions.content-is-text'),
      exercised([stream], 'completions.role-known'),
    ],
    cost: { exchanges: 2, modelCalls: 0 },
    play: (context) => refuse(context, (body) => entryFaults(context, body)),
  },
  {
    ...answered,
    id: 'completions.first-several-faults',
    exercises: [exercised([plain], 'completions.missing-assistant-id-among-others', ...validation)],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const assistant = await context.assistant('plain')
      if (assistant !== null) await sendOneInvalid(context, plain, severalFaults(context.shortCompletion(assistant)))
    },
  },
  {
    ...answered,
    id: 'completions.first-required',
    exercises: [exercised([stream], ...validation, 'completions.required-fields-enforced')],
    cost: { exchanges: 1, modelCalls: 0 },
    play: playRequired,
  },
  {
    ...first,
    id: 'threads.first-unknown',
    chapter: 'threads',
    exercises: [exercised(['listMessages'], 'threads.unknown-thread-error', ...rejectionRules)],
    needs: { claims: ['threads'] },
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const unknown = { in: { thread_id: context.random.uuid() }, purpose: 'unknown:/path/thread_id' }
      await sendOneInvalid(context, 'listMessages', unknown)
    },
  },
] as const satisfies readonly Probe[]

type Body = Readonly<Record<string, unknown>>
type RequestFault = readonly [operation: OperationId, purpose: string, json: Body]

/** The deepest of the fields that the record of an assistant requires: a shallow check finds what is around it. */
async function playRequired(context: ProbeContext): Promise<void> {
  const assistant = await context.assistant('demanding')
  if (assistant === null) return
  const wrong = requiredFieldFaults(context.shortCompletion(assistant), assistant.requires).at(-1)
  if (wrong === undefined) return context.note('no-fixture', 'No assistant that may be asked requires a field.')
  const streams = assistant.streaming && context.profile.claims.includes('streaming')
  await sendOneInvalid(context, streams ? stream : plain, wrong)
}

function entryFaults(context: ProbeContext, body: Body): readonly RequestFault[] {
  const good: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  const unknown = { role: inheritedName(context.random), content: uniqueStatement(context.random) }
  return [
    [
      plain,
      'null:/body/messages/2/content',
      { ...body, messages: good.with(2, { ...Object(good[2]), content: null }) },
    ],
    [stream, `enum:/body/messages/${good.length}/role`, { ...body, messages: [...good, unknown] }],
  ]
}

/** Sends what the target claims to serve; each class has one member, so that none is paid for twice. */
async function refuse(context: ProbeContext, faults: (body: Body) => readonly RequestFault[]): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  for (const [operation, purpose, json] of faults(context.shortCompletion(assistant))) {
    const isClaimed = operations[operation].levels.every((level) => context.profile.claims.includes(level))
    await sendOneInvalid(context, isClaimed ? operation : plain, { purpose, json })
  }
}
