/** Chapter assistants: the list, each record on its own, and records that do not exist. */
import { uuidForm } from '../../judge/read/formats.ts'
import { type AssistantSummary, isDemanding } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { malformedId } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendInvalid } from '../support/send-invalid.ts'
import { otherKeyOf } from '../threads/final-reread.ts'

/** Records that are read one by one at most; a tenant may have hundreds. */
const readAtMost = 6
const readOfSecond = 2

export const assistantProbes = [
  {
    id: 'assistants.read',
    chapter: 'assistants',
    from: 'gate',
    exercises: [exercised(['listAssistants', 'getAssistant'], ...successRules, 'assistants.*')],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const [first] = await context.assistants()
      if (first === undefined)
        return context.note('no-fixture', 'The tenant primary lists no assistant.', { operation: 'getAssistant' })
      await context.send('getAssistant', { in: { assistant_id: first.id } })
      const { random } = context
      await sendInvalid(context, 'getAssistant', [
        { purpose: 'unknown:assistant_id', in: { assistant_id: random.uuid() } },
      ])
    },
  },
  {
    id: 'assistants.read-all',
    chapter: 'assistants',
    from: 'gate',
    rare: true,
    exercises: [
      exercised(['listAssistants', 'getAssistant'], 'assistants.list-and-get-agree', 'assistants.listed-can-be-read'),
    ],
    needs: {},
    cost: (profile) => ({ exchanges: readInTurn(profile) + (hasSecondTenant(profile) ? 1 : 2), modelCalls: 0 }),
    play: async (context) => {
      const unlisted = await namedButUnlisted(context)
      for (const id of unlisted) {
        const ask = { purpose: 'unlisted:assistant_id', expects: 'either' } as const
        const tenants = context.profile.tenants.secondary === undefined ? (['primary'] as const) : bothTenants
        for (const as of tenants) await context.send('getAssistant', { ...ask, in: { assistant_id: id }, as })
      }
      for (const assistant of (await othersToRead(context)).slice(0, readInTurn(context.profile) - 2 * unlisted.length))
        await context.send('getAssistant', { in: { assistant_id: assistant.id } })
      await sendInvalid(context, 'getAssistant', [
        { purpose: 'format:assistant_id', in: { assistant_id: malformedId(context.random) } },
      ])
      // Where there is a second tenant, the next probe lists those of both again.
      if (!hasSecondTenant(context.profile)) await context.send('listAssistants')
    },
  },
  {
    // With its own key: a list that was kept for another tenant holds what this one cannot read. The other one reads at once.
    id: 'assistants.read-of-second-tenant',
    chapter: 'assistants',
    from: 'gate',
    rare: true,
    exercises: [exercised(['getAssistant'], 'assistants.list-and-get-agree', 'assistants.listed-can-be-read')],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 2 * readOfSecond + 2, modelCalls: 0 },
    play: async (context) => {
      const own = await readAtOnce(context)
      const others = await context.assistants('secondary')
      for (const [turn, other] of [others[0], others.slice(1).at(-1)].entries())
        await Promise.all([
          other === undefined
            ? null
            : context.send('getAssistant', { as: 'secondary', in: { assistant_id: other.id } }),
          own[turn] === undefined ? null : context.send('getAssistant', { in: { assistant_id: own[turn].id } }),
        ])
      await Promise.all(bothTenants.map((as) => context.send('listAssistants', { as })))
    },
  },
  {
    // When it has answered and refused: what is checked against a record must not use it up.
    id: 'assistants.read-again',
    chapter: 'assistants',
    from: 'gate',
    standby: true,
    exercises: [exercised(['getAssistant'], 'assistants.list-and-get-agree')],
    needs: {},
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const cards = await context.assistants()
      const assistant = cards.find(isDemanding) ?? cards.at(-1)
      const as = otherKeyOf(context.profile)
      if (assistant !== undefined) await context.send('getAssistant', { as, in: { assistant_id: assistant.id } })
    },
  },
] as const satisfies readonly Probe[]

/** So many are read one after the other; the first one is read elsewhere. */
const readInTurn = (profile: TargetProfile): number => readAtMost - 1 - (hasSecondTenant(profile) ? readOfSecond : 0)

/** The last ones, which are read while another tenant reads: the first ones may be the same for both. */
async function readAtOnce(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  return hasSecondTenant(context.profile) ? (await context.assistants()).slice(1).slice(-readOfSecond).toReversed() : []
}

/** All but these and the first, beginning with the plain one if it might not get its turn: elsewhere it is read without a key. */
async function othersToRead(context: ProbeContext): Promise<readonly AssistantSummary[]> {
  const atOnce = await readAtOnce(context)
  const others = (await context.assistants()).slice(1).filter((one) => !atOnce.includes(one))
  const plain = await context.assistant('plain')
  const isLate = others.findIndex(({ id }) => id === plain?.id) >= readInTurn(context.profile) - 2 * namedAtMost
  return plain === null || !isLate ? others : [plain, ...others.filter(({ id }) => id !== plain.id)]
}

const namedAtMost = 2
const bothTenants = ['primary', 'secondary'] as const

/** Assistants that the profile names by id and no list shows: one that can be read all the same was left out. */
async function namedButUnlisted(context: ProbeContext): Promise<readonly string[]> {
  const { assistants, tools, tenants } = context.profile
  const others = tenants.secondary === undefined ? [] : await context.assistants('secondary')
  const listed = new Set([...(await context.assistants()), ...others].map(({ id }) => id.toLowerCase()))
  const named = [...Object.keys(assistants), ...(tools?.assistant_id === undefined ? [] : [tools.assistant_id])]
  const ids = new Set(named.map((name) => name.toLowerCase()).filter((name) => uuidForm(name) === 'exact'))
  return [...ids].filter((id) => !listed.has(id)).slice(0, namedAtMost)
}
