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
    // What an answer takes off a record is missing then.
    behind: ['completions.first-answers'],
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

/**
 * The given one and of the others the last, since those that differ most tend to stand far apart. Where none requires a
 * field, the second one comes before it: a list may have left out what it requires.
 */
function outermost(demanding: AssistantSummary, assistants: readonly AssistantSummary[]): readonly AssistantSummary[] {
  const given = Object.keys(demanding.requires).length > 0 ? demanding : (assistants[1] ?? demanding)
  const other = assistants.findLast(({ id }) => id !== given.id)
  return other === undefined ? [given] : [given, other]
}
