/** The first look at assistants: the records that differ most. */
import type { AssistantSummary } from '../../probe-runtime/assistant-summary.ts'
import { exercised, type Probe, successRules } from '../probe.ts'

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
] as const satisfies readonly Probe[]

/** The given one, and of the others the last: those that differ most tend to stand far apart. */
function outermost(demanding: AssistantSummary, assistants: readonly AssistantSummary[]): readonly AssistantSummary[] {
  const others = assistants.filter(({ id }) => id !== demanding.id)
  const other = others.at(-1)
  return other === undefined ? [demanding] : [demanding, other]
}
