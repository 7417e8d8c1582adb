/** The first look at keys: whose record they read, what another tenant's key opens, and that none opens nothing. */
import { listWithOddName } from '../auth/auth.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

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
        'tenancy.record-is-stable',
      ),
      exercised(['listMyApiKeys'], 'tenancy.keys-are-own', 'auth.key-names-tenant'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (stage) => {
      for (const as of ['primary', 'secondary', 'primary'] as const) await stage.send('listMyApiKeys', { as })
    },
  },
  {
    ...first,
    id: 'tenancy.first-thread',
    chapter: 'tenancy',
    exercises: [exercised(['listMessages'], 'tenancy.foreign-thread-*', ...rejectionRules)],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    after: ['tools.first-round', 'threads.first-messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = stage.touched().findLast(({ born, tenant }) => !born && tenant === 'primary')
      if (thread === undefined) return stage.note('blocked', 'No thread of the first tenant was opened.')
      const wrong = { purpose: 'foreign:/path/thread_id', in: { thread_id: thread.id }, as: 'secondary' } as const
      await sendOneInvalid(stage, 'listMessages', wrong)
    },
  },
  {
    ...first,
    id: 'auth.first-keys',
    chapter: 'auth',
    exercises: [exercised(['listAssistants'], 'auth.key-required', 'auth.header-name-any-case')],
    needs: {},
    cost: ({ tenants }) => ({ exchanges: tenants.secondary === undefined ? 2 : 1, modelCalls: 0 }),
    play: async (stage) => {
      // With a second tenant its list was asked for in this way.
      if (stage.profile.tenants.secondary === undefined) await listWithOddName(stage, 'primary')
      await sendOneInvalid(stage, 'listAssistants', { as: null, purpose: 'drop:/headers/api-key' })
    },
  },
] as const satisfies readonly Probe[]
