/**
 * The first look at requests that must be refused: from each class the one fault that most careless checks let through, sent
 * to the form of a completion that checks least.
 */
import { type OperationId, operations } from '../../spec/index.ts'
import type { Stage } from '../staging/stage.ts'
import { remark } from '../staging/wording.ts'
import { on, type Probe, refused } from './probe.ts'
import { sendOneWrong } from './wrong.ts'

const first = { from: 'smoke', until: 'smoke', chapter: 'completions', needs: {} } as const
const validation = [...refused, 'errors.validation-*', 'completions.validation-error-names-field'] as const
const plain = 'createChatCompletion'
const stream = 'streamChatCompletion'
const events = 'streamChatCompletionEvents'
/** A UUID in form that no assistant can have. */
const nil = '00000000-0000-0000-0000-000000000000'

export const firstRefusals = [
  {
    ...first,
    id: 'completions.first-missing',
    exercises: [
      on([stream], ...validation, 'completions.assistant-id-required', 'completions.missing-assistant-id-error'),
    ],
    cost: { exchanges: 1, modelCalls: 0 },
    play: (stage) =>
      refuse(stage, ({ assistant_id: _dropped, ...rest }) => [[stream, 'drop:/body/assistant_id', rest]]),
  },
  {
    ...first,
    id: 'completions.first-ids',
    exercises: [
      on([stream], 'completions.unknown-assistant-refused', 'completions.unknown-assistant-error', ...refused),
      on([events], 'completions.user-id-is-uuid'),
    ],
    cost: { exchanges: 2, modelCalls: 0 },
    play: (stage) =>
      refuse(stage, (body) => [
        [events, 'format:/body/user_id', { ...body, user_id: stage.draw.uuid().slice(0, -1) }],
        [stream, 'unknown:/body/assistant_id', { ...body, assistant_id: nil }],
      ]),
  },
  {
    ...first,
    id: 'completions.first-entries',
    exercises: [
      on([plain], ...validation, 'completions.messages-well-typed#content-missing'),
      on([stream], 'completions.role-known'),
    ],
    cost: { exchanges: 2, modelCalls: 0 },
    play: (stage) => refuse(stage, (body) => entryFaults(stage, body)),
  },
  {
    ...first,
    id: 'threads.first-unknown',
    chapter: 'threads',
    exercises: [on(['listMessages'], 'threads.unknown-thread-error', ...refused)],
    needs: { claims: ['threads'] },
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const unknown = { in: { thread_id: stage.draw.uuid() }, purpose: 'unknown:/path/thread_id' }
      await sendOneWrong(stage, 'listMessages', unknown)
    },
  },
] as const satisfies readonly Probe[]

type Body = Readonly<Record<string, unknown>>
type Fault = readonly [operation: OperationId, purpose: string, json: Body]

function entryFaults(stage: Stage, body: Body): readonly Fault[] {
  const good = Array.isArray(body.messages) ? body.messages : []
  const content = remark(stage.draw)
  return [
    [plain, 'drop:/body/messages/1/content', { ...body, messages: [...good, { role: 'user' }] }],
    [stream, 'enum:/body/messages/1/role', { ...body, messages: [...good, { role: 'moderator', content }] }],
  ]
}

/** Sends what the target claims to serve; each class has one member, so that none is paid for twice. */
async function refuse(stage: Stage, faults: (body: Body) => readonly Fault[]): Promise<void> {
  const card = await stage.assistant('plain')
  if (card === null) return
  for (const [operation, purpose, json] of faults(stage.shortCompletion(card))) {
    const isClaimed = operations[operation].levels.every((level) => stage.profile.claims.includes(level))
    await sendOneWrong(stage, isClaimed ? operation : plain, { purpose, json })
  }
}
