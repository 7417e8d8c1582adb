/** Reduces a scenario to its parts of the right shape, so that all problems are told at once. */
import type { AssistantScript, FileScript, Scenario, TenantScript, TurnScript } from './scenario.ts'
import type { DataPath, ScenarioProblem } from './scenario-problem.ts'

type Fields = Readonly<Record<string, unknown>>

const emptyScenario: Scenario = { name: '', tenants: [], assistants: [] }

/** A turn with which nothing can be wrong. */
const soundTurn: TurnScript = { answer: () => '' }

/** The scenario with stand-ins for what has a problem of shape; places stay as they are. */
export function soundParts(data: unknown, problems: readonly ScenarioProblem[]): Scenario {
  if (problems.length === 0) return data as Scenario
  const { tenants, assistants, files } = (data ?? {}) as Fields
  if (!Array.isArray(tenants) || !Array.isArray(assistants)) return emptyScenario
  const isSpoiled = (...place: DataPath) =>
    problems.some(({ path }) => place.every((step, index) => path[index] === step))
  return {
    name: '',
    tenants: tenants.map((tenant: TenantScript, index) =>
      isSpoiled('tenants', index) ? { name: nameOf(tenant, index), keys: [], assistants: [] } : tenant,
    ),
    assistants: assistants.map((assistant: AssistantScript, index) => {
      const ofTurns = problems.filter(({ path }) => path[1] === index && path[2] === 'turns' && path.length > 3)
      const others = problems.some(
        (one) => one.path[0] === 'assistants' && one.path[1] === index && !ofTurns.includes(one),
      )
      return others ? standIn(nameOf(assistant, index)) : withSoundTurns(assistant, index, isSpoiled)
    }),
    ...(files === undefined || isSpoiled('files') ? null : { files: files as FileScript }),
  }
}

function withSoundTurns(
  assistant: AssistantScript,
  index: number,
  isSpoiled: (...place: DataPath) => boolean,
): AssistantScript {
  const turns = assistant.turns.map((turn, at) => (isSpoiled('assistants', index, 'turns', at) ? soundTurn : turn))
  return { ...assistant, turns }
}

function standIn(name: string): AssistantScript {
  return {
    name,
    streaming: true,
    meta_data_response_schema: { title: '', type: 'object', properties: {} },
    turns: [],
  }
}

/** Names are looked up by others; one that is none must not be the name of another too. */
function nameOf(part: unknown, index: number): string {
  const { name } = (part ?? {}) as Fields
  return typeof name === 'string' ? name : `part ${index}`
}
