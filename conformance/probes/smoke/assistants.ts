/** The first look at assistants: the records that differ most, one that does not exist, and one of another tenant. */
import type { AssistantSummary } from '../../probe-runtime/assistant-summary.ts'
import { listWithOddName } from '../auth/auth.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

const first = { from: 'smoke', until: 'smoke' } as const

export const smokeAssistantProbes = [
  {
    ...first,
    id: 'assistants.first-look',
    chapter: 'assistants',
    exercises: [exercised(['listAssistants', 'getAssistant'], ...successRules, 'assistants.list*', 'assistants.get*')],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const assistants = await context.assistants()
      const demanding = await context.assistant('demanding')
      if (demanding === null) return
      for (const { id } of outermost(demanding, assistants))
        await context.send('getAssistant', { in: { assistant_id: id } })
    },
  },
  {
    ...first,
    id: 'tenancy.first-assistants',
    chapter: 'tenancy',
    exercises: [
      exercised(['createChatCompletion'], 'tenancy.foreign-assistant-refused', ...rejectionRules),
      exercised(['listAssistants'], 'auth.header-name-any-case'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const mine = await context.assistants()
      await listWithOddName(context, 'secondary')
      const theirs = await context.assistants('secondary')
      const foreign = without(theirs, mine)
      if (foreign === null) return context.note('no-fixture', 'The tenant secondary has no assistant of its own.')
      const purpose = 'foreign:/body/assistant_id'
      await sendOneInvalid(context, 'createChatCompletion', { purpose, json: context.shortCompletion(foreign) })
    },
  },
] as const satisfies readonly Probe[]

/** The given one, and of the others the last: those that differ most tend to stand far apart. */
function outermost(demanding: AssistantSummary, assistants: readonly AssistantSummary[]): readonly AssistantSummary[] {
  const others = assistants.filter(({ id }) => id !== demanding.id)
  const other = others.at(-1)
  return other === undefined ? [demanding] : [demanding, other]
}

function without(
  assistants: readonly AssistantSummary[],
  others: readonly AssistantSummary[],
): AssistantSummary | null {
  const known = new Set(others.map(({ id }) => id))
  return assistants.find(({ id }) => !known.has(id)) ?? null
}
