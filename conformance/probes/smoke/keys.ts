/** The first look at keys: whose record they read, what another tenant's key opens, and that none opens nothing. */
import { unnamedRuns } from '../../probe-runtime/assistant-summary.ts'
import { listWithOddName } from '../auth/auth.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { firstThread } from './first-thread.ts'

const first = { from: 'smoke', until: 'smoke' } as const

export const smokeKeyProbes = [
  {
    ...first,
    id: 'tenancy.first-look',
    chapter: 'tenancy',
    exercises: [
      exercised(
        ['listMyApiKeys'],
        ...successRules,
        'tenancy.*-fields',
        'tenancy.calling-key-listed',
        'tenancy.key-ids-unique',
        'tenancy.record-is-stable',
      ),
      exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'auth.key-names-tenant'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (context) => {
      for (const as of ['primary', 'secondary', 'primary'] as const) await context.send('listMyApiKeys', { as })
    },
  },
  {
    ...first,
    id: 'tenancy.first-thread',
    chapter: 'tenancy',
    exercises: [exercised(['listMessages'], 'tenancy.foreign-thread-*', ...rejectionRules)],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    after: ['threads.first-messages'],
    behind: ['tools.first-round'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const thread = context.touched().findLast(({ createdBy, tenant }) => !createdBy && tenant === 'primary')
      if (thread === undefined) return context.note('blocked', 'No thread of the first tenant was opened.')
      const wrong = { purpose: 'foreign:/path/thread_id', in: { thread_id: thread.id }, as: 'secondary' } as const
      await sendOneInvalid(context, 'listMessages', wrong)
    },
  },
  {
    ...first,
    id: 'tenancy.first-foreign-run',
    chapter: 'tenancy',
    exercises: [exercised(['streamThreadRun'], 'threads.run-assistant-refused', ...rejectionRules)],
    needs: { claims: ['tenancy', 'threads', 'streaming'], tenants: ['secondary'], threads: true },
    after: ['tenancy.first-assistants', 'threads.first-messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const unnamed = unnamedRuns(context.profile)
      if (unnamed !== null) return context.note('no-fixture', unnamed)
      const thread = await firstThread(context)
      const own = new Set((await context.assistants()).map(({ id }) => id))
      const foreign = (await context.assistants('secondary')).find(({ id }) => !own.has(id))
      if (thread === null || thread.fresh || foreign === undefined) return
      const wrong = { purpose: 'foreign:/body/assistant_id', in: { thread_id: thread.id } }
      await sendOneInvalid(context, 'streamThreadRun', { ...wrong, json: context.runBody(foreign) })
    },
  },
  {
    ...first,
    id: 'auth.first-keys',
    chapter: 'auth',
    exercises: [exercised(['listAssistants'], 'auth.key-required', 'auth.header-name-any-case')],
    needs: {},
    cost: ({ tenants }) => ({ exchanges: tenants.secondary === undefined ? 2 : 1, modelCalls: 0 }),
    play: async (context) => {
      // With a second tenant its list was asked for in this way.
      if (context.profile.tenants.secondary === undefined) await listWithOddName(context, 'primary')
      await sendOneInvalid(context, 'listAssistants', { as: null, purpose: 'drop:/headers/api-key' })
    },
  },
] as const satisfies readonly Probe[]
