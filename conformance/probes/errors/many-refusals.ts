/**
 * Refuses one request again and again. A service that leaks a connection or a slot with each refusal stops answering
 * once its pool is used up; pools of ten are common. Only the deep tier has the requests.
 */
import type { OperationId } from '../../../spec/index.ts'
import { transientFailureOf } from '../../client/transient-failure.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe, rejectionRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { makesThreads } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

/** One more than the pools that are common by default, and what other probes have used up comes on top. */
const times = 11
const kinds = 6

export const manyRefusalProbes = [
  {
    id: 'errors.many-refusals',
    chapter: 'errors',
    shares: ['workshop'],
    late: true,
    from: 'deep',
    exercises: [
      exercised(['getAssistant', 'createChatCompletion'], ...rejectionRules),
      exercised(['listMyApiKeys'], 'http.operation-served'),
    ],
    needs: {},
    cost: (profile) => ({ exchanges: (times + 1) * (makesThreads(profile) ? kinds : 2), modelCalls: 0 }),
    play: playManyRefusals,
  },
] as const satisfies readonly Probe[]

/** Behind the refusals of each kind something legal is asked for. */
async function playManyRefusals(context: ProbeContext): Promise<void> {
  for (const [operation, wrong] of await refusedAgain(context)) {
    await inLanes(context, Array.from({ length: times }), () => sendOneInvalid(context, operation, wrong()))
    const { exchange } = await context.send('listMyApiKeys')
    if (transientFailureOf(exchange) !== null) return
  }
}

type Refused = readonly [OperationId, () => RequestSpec & { readonly purpose: string }]

/** What costs no model call even where it is served, or names an assistant that is none. */
async function refusedAgain(context: ProbeContext): Promise<readonly Refused[]> {
  const { random, profile, runBody } = context
  const messages = () => [{ role: 'user', content: uniqueQuestion(random) }]
  const nobody = () => ({ id: random.uuid(), streaming: true, requires: {} })
  const json = () => ({ assistant_id: random.uuid(), messages: messages(), user_id: random.uuid() })
  const everywhere: readonly Refused[] = [
    ['getAssistant', () => ({ purpose: 'unknown:/path/assistant_id', in: { assistant_id: random.uuid() } })],
    ['createChatCompletion', () => ({ purpose: 'unknown:/body/assistant_id', json: json() })],
  ]
  const thread = makesThreads(profile) ? await context.shared('workshop') : null
  if (thread === null) return everywhere
  const unknown = () => ({ purpose: 'unknown:/path/thread_id', in: { thread_id: random.uuid() } })
  const empty = { role: 'user', content: '' }
  return [
    ...everywhere,
    ['listMessages', unknown],
    ['createMessage', () => ({ ...unknown(), json: messages()[0] })],
    ['createMessage', () => ({ purpose: 'empty:/body/content', in: { thread_id: thread.id }, json: empty })],
    ['runThread', () => ({ ...unknown(), json: runBody(nobody()) })],
  ]
}
