/** The first look at keys: whose record they read, what another tenant's key opens, and that none opens nothing. */
import { listWithOddName } from './auth.ts'
import { on, type Probe, refused, served } from './probe.ts'
import { sendOneWrong } from './wrong.ts'

const first = { from: 'smoke', until: 'smoke' } as const

export const firstKeys = [
  {
    ...first,
    id: 'tenancy.first-look',
    chapter: 'tenancy',
    exercises: [
      on(['listMyApiKeys'], ...served, 'tenancy.*-fields', 'tenancy.calling-key-listed', 'tenancy.record-is-stable'),
      on(['listMyApiKeys'], 'tenancy.keys-are-own', 'auth.key-names-tenant'),
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
    exercises: [on(['listMessages'], 'tenancy.foreign-thread-*', ...refused)],
    needs: { claims: ['tenancy', 'threads'], tenants: ['secondary'], threads: true },
    after: ['tools.first-round', 'threads.first-messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (stage) => {
      const thread = stage.touched().findLast(({ born, tenant }) => !born && tenant === 'primary')
      if (thread === undefined) return stage.note('blocked', 'No thread of the first tenant was opened.')
      const wrong = { purpose: 'foreign:/path/thread_id', in: { thread_id: thread.id }, as: 'secondary' } as const
      await sendOneWrong(stage, 'listMessages', wrong)
    },
  },
  {
    ...first,
    id: 'auth.first-keys',
    chapter: 'auth',
    exercises: [on(['listAssistants'], 'auth.key-required', 'auth.header-name-any-case')],
    needs: {},
    cost: ({ tenants }) => ({ exchanges: tenants.secondary === undefined ? 2 : 1, modelCalls: 0 }),
    play: async (stage) => {
      // With a second tenant its list was asked for in this way.
      if (stage.profile.tenants.secondary === undefined) await listWithOddName(stage, 'primary')
      await sendOneWrong(stage, 'listAssistants', { as: null, purpose: 'drop:/headers/api-key' })
    },
  },
] as const satisfies readonly Probe[]
