/**
 * Good requests that name the assistant or the cursor of another tenant. What a service has to do then is not always said;
 * that nothing of the other tenant is shown, is.
 */
import { bothRuns } from '../../../spec/index.ts'
import { transientFailureOf } from '../../client/transient-failure.ts'
import { type AssistantSummary, unnamedRuns } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { claimedOf, exercised, type Probe } from '../probe.ts'
import { cursorOf, readPage } from '../support/page-walk.ts'
import { type InvalidRequest, sendOneInvalid } from '../support/send-invalid.ts'
import { postMessage } from '../threads/threads.ts'

const needs = { claims: ['tenancy', 'threads'], threads: true, tenants: ['secondary'] } as const

export const foreignReferenceProbes = [
  {
    id: 'tenancy.foreign-assistant-first',
    chapter: 'tenancy',
    from: 'gate',
    rare: true,
    exercises: [exercised(['getAssistant'], 'tenancy.foreign-assistant-hidden')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    behind: ['threads.messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    // A service that caches the refusal under the id alone gives it to the owner as well, unless it has cached the record before.
    play: async (context) => {
      const others = await context.assistants('secondary')
      const own = (await context.assistants()).findLast(({ id }) => others.every((other) => other.id !== id))
      if (own !== undefined && isReadByForeignFirst(context))
        await sendOneInvalid(context, 'getAssistant', { ...hiddenAssistant(own), as: 'secondary' })
    },
  },
  {
    id: 'tenancy.foreign-assistant-run',
    chapter: 'tenancy',
    shares: ['runs', 'spare-calls'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['runThread', 'streamThreadRun'], 'threads.run-assistant-refused')],
    needs,
    after: ['tenancy.foreign-assistant', 'tenancy.foreign-thread-continued'],
    late: true,
    cost: ({ claims }) => ({ exchanges: claims.includes('streaming') ? 6 : 4, modelCalls: 0 }),
    play: async (context) => {
      const unnamed = unnamedRuns(context.profile)
      if (unnamed !== null) return runBoundToForeign(context, unnamed)
      const foreign = await assistantOnlyOf(context, 'secondary')
      const thread = await context.shared('runs')
      if (foreign === undefined || thread === null) return
      const unknown = { id: context.random.uuid(), streaming: true, requires: {} }
      await postMessage(context, thread.id, 'user', uniqueQuestion(context.random))
      for (const operation of claimedOf(context, bothRuns)) {
        const outcomes = new Set<string>()
        for (const [kind, assistant] of Object.entries({ unknown, foreign })) {
          const purpose = `${kind}:/body/assistant_id`
          const ask = { purpose, in: { thread_id: thread.id }, json: context.runBody(assistant) }
          const { outcome, exchange } = await sendPatiently(context, operation, ask)
          if (transientFailureOf(exchange) !== null) return
          outcomes.add(outcome)
          // Each that is answered costs a model call, and with the stream this is the second one: that is evidence enough.
          if (outcome === 'accepted' && context.ignoresNamedAssistants()) break
        }
        if (!outcomes.has('rejected'))
          return context.note('blocked', 'Runs are answered whoever they name.', { operation })
      }
    },
  },
  {
    id: 'tenancy.foreign-cursor',
    chapter: 'tenancy',
    shares: ['second-a', 'keyless'],
    from: 'gate',
    rare: true,
    exercises: [exercised(['listMessages'], 'threads.only-own-messages', 'tenancy.foreign-thread-refused')],
    needs,
    // They open the threads.
    after: ['tenancy.second-tenant-threads'],
    behind: ['auth.missing-key'],
    opening: 1,
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (context) => {
      const foreign = await context.shared('second-a', 'secondary')
      const own = await context.shared('keyless')
      if (foreign === null || own === null) return
      const cursor = cursorOf((await readPage(context, foreign.id, 1, undefined, 'secondary')).json)
      if (cursor === undefined) return
      const query = [['cursor', cursor]] as const
      const ask = { purpose: 'foreign:/query/cursor', expects: 'either', query } as const
      await context.send('listMessages', { ...ask, in: { thread_id: own.id } })
      // A page further back is read without the checks of the first one.
      const further = { purpose: 'foreign:/path/thread_id', query, in: { thread_id: foreign.id } } as const
      await sendOneInvalid(context, 'listMessages', further)
    },
  },
] as const satisfies readonly Probe[]

/** A read of an assistant that the tenant must not see. */
export const hiddenAssistant = ({ id }: AssistantSummary) => ({
  purpose: 'foreign:/path/assistant_id',
  in: { assistant_id: id },
})

/** Whether the second tenant reads an assistant of the first before its owner does, or once it has answered. */
export const isReadByForeignFirst = ({ random }: ProbeContext): boolean => random.runNumber % 2 === 0

/**
 * An assistant that only this one of the two tenants has. The one that its tenant asks and runs comes first: what is kept of that
 * for its id alone shows, and so does a refusal that is kept, to its owner.
 */
export async function assistantOnlyOf(
  context: ProbeContext,
  tenant: 'primary' | 'secondary',
): Promise<AssistantSummary | undefined> {
  const others = await context.assistants(tenant === 'primary' ? 'secondary' : 'primary')
  const known = new Set(others.map(({ id }) => id))
  const plain = await context.assistant('plain', tenant)
  const assistants = await context.assistants(tenant)
  return [...(plain === null ? [] : [plain]), ...assistants].find(({ id }) => !known.has(id))
}

/**
 * Where the thread alone says which assistant runs, one is opened for an assistant of another tenant. Whether the opening is
 * refused is open.
 */
async function runBoundToForeign(context: ProbeContext, unnamed: string): Promise<void> {
  if (!bindsThreads(context.profile)) return context.note('no-fixture', unnamed)
  const foreign = await assistantOnlyOf(context, 'secondary')
  const thread = foreign === undefined ? null : await context.thread('primary', foreign)
  if (foreign === undefined || thread === null) return
  await postMessage(context, thread, 'user', uniqueQuestion(context.random))
  const ask = { purpose: 'foreign:/thread', in: { thread_id: thread }, json: context.runBody(foreign) }
  await sendPatiently(context, 'runThread', ask)
}

/** Whether a thread is opened for an assistant. */
function bindsThreads({ threads }: TargetProfile): boolean {
  return threads?.kind === 'http' && JSON.stringify(threads.body ?? null).includes('"{{assistant_id}}"')
}

const attempts = 3

/** Sends what has to be refused, again while it fails. The thread is not given up: what a refusal left there shows in its next run. */
async function sendPatiently(
  context: ProbeContext,
  operation: (typeof bothRuns)[number],
  wrong: InvalidRequest,
): Promise<Answer> {
  const send = (change: Partial<RequestSpec>) => sendOneInvalid(context, operation, { ...wrong, ...change })
  let answer = await send({ retry: 'none' })
  for (let sent = 1; sent < attempts; sent += 1) {
    const failure = transientFailureOf(answer.exchange)
    if (failure === null) break
    answer = await send({ retry: failure === 'rate-limited' ? 'environmental' : 'none', isRepetition: true })
  }
  return answer
}
