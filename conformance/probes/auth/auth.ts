/** Chapter auth: every operation without a key, with one that nobody owns, and with the key in the wrong place. */
import type { OperationId } from '../../../spec/index.ts'
import type { Credential } from '../../client/send-request.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { exercised, type Probe } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { withoutTools } from '../threads/runs.ts'

const everyOperation = [
  'listAssistants',
  'getAssistant',
  'listMyApiKeys',
  'createUploadGrant',
  'listMessages',
  'createMessage',
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
] as const

/** The thread, and the message that makes it ready. */
const readying = 2

export const authProbes = [
  {
    id: 'auth.missing-key',
    chapter: 'auth',
    shares: ['keyless'],
    from: 'smoke',
    exercises: [exercised(everyOperation, 'auth.key-required')],
    needs: {},
    cost: { exchanges: everyOperation.length + readying, modelCalls: 0 },
    play: (context) => refuseKey(context, () => null, 'drop:/headers/api-key'),
  },
  {
    id: 'auth.unknown-key',
    chapter: 'auth',
    shares: ['keyless'],
    from: 'gate',
    exercises: [exercised(everyOperation, 'auth.unknown-key-refused')],
    needs: {},
    after: ['auth.missing-key'],
    cost: { exchanges: everyOperation.length, modelCalls: 0 },
    play: (context) => refuseKey(context, wrongKeys(context), 'unknown:/headers/api-key'),
  },
  {
    id: 'auth.header-name',
    chapter: 'auth',
    from: 'gate',
    exercises: [exercised(['listAssistants'], 'auth.header-name-any-case')],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      await listWithOddName(context, 'primary', 'Api-Key')
      await listWithOddName(context, 'primary')
    },
  },
  {
    id: 'auth.key-elsewhere',
    chapter: 'auth',
    from: 'deep',
    exercises: [],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const { key } = context.profile.tenants.primary
      const moved = { purpose: 'moved:/headers/api-key', expects: 'either', as: null } as const
      await context.send('listAssistants', { ...moved, query: [['api-key', key]] })
      await context.send('listAssistants', { ...moved, headers: [['authorization', `Bearer ${key}`]] })
    },
  },
] as const satisfies readonly Probe[]

/** A good request of every claimed operation under a key that is none; paid ones stop at the first that is accepted. */
async function refuseKey(context: ProbeContext, key: (index: number) => Credential, purpose: string): Promise<void> {
  const asks = await goodAsks(context)
  await inLanes(context, [...asks.free.entries()], ([index, [operation, ask]]) =>
    sendOneInvalid(context, operation, { ...ask, as: key(index), purpose }),
  )
  for (const [operation, ask] of asks.paid) {
    const { outcome } = await sendOneInvalid(context, operation, { ...ask, as: key(0), purpose })
    if (outcome === 'accepted')
      return context.note('blocked', `${operation} answered ${purpose}; the rest would be paid for.`)
  }
}

/** Keys that nobody owns: made up, those that only a careless comparison takes for the real one, and the empty one. */
function wrongKeys({ profile, random }: ProbeContext): (index: number) => Credential {
  const { key } = profile.tenants.primary
  const careless = [key.toUpperCase(), `${key}0`, key.slice(0, -1), key.toLowerCase()]
  const keys = [random.uuid(), ...careless.filter((one) => one !== key && one !== ''), '']
  return (index) => ({ raw: keys[index % keys.length] ?? random.uuid() })
}

type Asks = readonly (readonly [OperationId, RequestSpec])[]

async function goodAsks(context: ProbeContext): Promise<{ readonly free: Asks; readonly paid: Asks }> {
  const { claims } = context.profile
  const assistant = await context.assistant('plain')
  if (assistant === null) return { free: [['listAssistants', {}]], paid: [] }
  const thread = await readyThread(context)
  const path = { in: { thread_id: thread ?? '' } }
  const json = context.shortCompletion(assistant)
  const runJson = withoutTools(context.runBody(assistant))
  const message = { ...path, json: { role: 'user', content: uniqueQuestion(context.random) } }
  const grant = { query: [['filename', 'notes.txt'] as const], headers: [['user-id', 'user-1'] as const] }
  const when = (condition: boolean, ...asks: Asks): Asks => (condition ? asks : [])
  return {
    free: [
      ['listAssistants', {}],
      ['getAssistant', { in: { assistant_id: assistant.id } }],
      ['listMyApiKeys', {}],
      ...when(claims.includes('files'), ['createUploadGrant', grant]),
      ...when(thread !== null, ['listMessages', path], ['createMessage', message]),
    ],
    paid: [
      ['createChatCompletion', { json }],
      ...when(claims.includes('streaming'), ['streamChatCompletion', { json }]),
      ...when(claims.includes('events'), ['streamChatCompletionEvents', { json }]),
      ...when(thread !== null, ['runThread', { ...path, json: runJson }]),
      ...when(thread !== null && claims.includes('streaming'), ['streamThreadRun', { ...path, json: runJson }]),
    ],
  }
}

/**
 * A thread that ends on a user message, so that a good key could run it. Nobody else uses it: not every answer says
 * whether something was added.
 */
async function readyThread(context: ProbeContext): Promise<string | null> {
  if (!context.profile.claims.includes('threads') || context.profile.threads === null) return null
  const thread = await context.shared('keyless')
  if (thread === null) return null
  const json = { role: 'user', content: uniqueQuestion(context.random) }
  if (thread.fresh) await context.send('createMessage', { in: { thread_id: thread.id }, json })
  return thread.id
}

/** Lists the assistants of a tenant with the name of the key's header in another case: as some clients write it, or all of them. */
export function listWithOddName(context: ProbeContext, as: TenantName, name = 'API-KEY'): Promise<Answer> {
  const headers = [[name, context.profile.tenants[as]?.key ?? '']] as const
  return context.send('listAssistants', { as, leaveOut: ['api-key'], headers })
}
