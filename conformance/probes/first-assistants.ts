/** The first look at assistants: the records that differ most, one that does not exist, and one of another tenant. */
import type { AssistantCard } from '../staging/assistant-card.ts'
import { listWithOddName } from './auth.ts'
import { on, type Probe, refused, served } from './probe.ts'
import { sendOneWrong } from './wrong.ts'

const first = { from: 'smoke', until: 'smoke' } as const

export const firstAssistants = [
  {
    ...first,
    id: 'assistants.first-look',
    chapter: 'assistants',
    exercises: [on(['listAssistants', 'getAssistant'], ...served, 'assistants.list*', 'assistants.get*')],
    needs: {},
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (stage) => {
      const cards = await stage.assistants()
      const demanding = await stage.assistant('demanding')
      if (demanding === null) return
      for (const { id } of outermost(demanding, cards)) await stage.send('getAssistant', { in: { assistant_id: id } })
    },
  },
  {
    ...first,
    id: 'tenancy.first-assistants',
    chapter: 'tenancy',
    exercises: [
      on(['createChatCompletion'], 'tenancy.foreign-assistant-refused', ...refused),
      on(['listAssistants'], 'auth.header-name-any-case'),
    ],
    needs: { claims: ['tenancy'], tenants: ['secondary'] },
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const mine = await stage.assistants()
      await listWithOddName(stage, 'secondary')
      const theirs = await stage.assistants('secondary')
      const foreign = without(theirs, mine)
      if (foreign === null) return stage.note('no-fixture', 'The tenant secondary has no assistant of its own.')
      const purpose = 'foreign:/body/assistant_id'
      await sendOneWrong(stage, 'createChatCompletion', { purpose, json: stage.shortCompletion(foreign) })
    },
  },
] as const satisfies readonly Probe[]

/** The given one, and of the others the last: those that differ most tend to stand far apart. */
function outermost(demanding: AssistantCard, cards: readonly AssistantCard[]): readonly AssistantCard[] {
  const others = cards.filter(({ id }) => id !== demanding.id)
  const other = others.at(-1)
  return other === undefined ? [demanding] : [demanding, other]
}

function without(cards: readonly AssistantCard[], others: readonly AssistantCard[]): AssistantCard | null {
  const known = new Set(others.map(({ id }) => id))
  return cards.find(({ id }) => !known.has(id)) ?? null
}
