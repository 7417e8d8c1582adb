/** Reduces a scenario to its parts of the right shape, so that all problems are reported at once. */
import type { AssistantScript, Scenario, TenantScript, TurnScript } from './scenario.ts'
import { type DataPath, type ScenarioProblem, unknownField } from './scenario-problem.ts'

type Fields = Readonly<Record<string, unknown>>
type IsSpoiled = (...place: DataPath) => boolean

/** A turn that is always valid. */
const soundTurn: TurnScript = { answer: () => '' }

const anySchema = { title: '', type: 'object', properties: {} } as const

/** The scenario with stand-ins for what has a problem of shape; places stay as they are. */
export function soundParts(data: unknown, problems: readonly ScenarioProblem[]): Scenario {
  if (problems.length === 0) return data as Scenario
  // An unknown field does not make the known fields wrong.
  const spoiling = problems.filter(({ problem }) => problem !== unknownField)
  const isSpoiled: IsSpoiled = (...place) =>
    spoiling.some(({ path }) => place.every((step, index) => path[index] === step))
  const { tenants, assistants, files } = fieldsOf(data)
  const named = listOf(assistants).every((assistant) => typeof fieldsOf(assistant).name === 'string')
  const areKnown = Array.isArray(assistants) && named
  return {
    name: '',
    tenants: listOf(tenants).map((tenant, index) => soundTenant(fieldsOf(tenant), index, isSpoiled, areKnown)),
    assistants: listOf(assistants).map((assistant, index) => soundAssistant(fieldsOf(assistant), index, isSpoiled)),
    ...soundFields(fieldsOf({ files }), [], isSpoiled),
  }
}

/** Names can be resolved only if the assistants `areKnown`. */
function soundTenant(tenant: Fields, index: number, isSpoiled: IsSpoiled, areKnown: boolean): TenantScript {
  const { assistants = [], ...sound } = soundFields(tenant, ['tenants', index], isSpoiled) as Partial<TenantScript>
  return { keys: [], ...sound, name: nameOf(tenant, index), assistants: areKnown ? assistants : [] }
}

function soundAssistant(assistant: Fields, index: number, isSpoiled: IsSpoiled): AssistantScript {
  const place = ['assistants', index]
  const { turns: all, ...others } = assistant
  const sound = soundFields(others, place, isSpoiled) as Partial<AssistantScript>
  const { meta_data_response_schema: schema } = sound
  const turns = listOf(all).map((turn, at): TurnScript => {
    if (isSpoiled(...place, 'turns', at)) return soundTurn
    const { meta_data: _, ...rest } = turn as TurnScript
    return schema === undefined ? rest : (turn as TurnScript)
  })
  return {
    streaming: true,
    meta_data_response_schema: anySchema,
    ...sound,
    name: nameOf(assistant, index),
    turns,
  }
}

/** The fields that have no problem of shape. */
const soundFields = (fields: Fields, place: DataPath, isSpoiled: IsSpoiled): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && !isSpoiled(...place, name)),
  )

const fieldsOf = (part: unknown): Fields => (typeof part === 'object' && part !== null ? (part as Fields) : {})

const listOf = (part: unknown): readonly unknown[] => (Array.isArray(part) ? part : [])

/** Names are looked up by others; one that is none must not be the name of another too. */
const nameOf = ({ name }: Fields, index: number): string => (typeof name === 'string' ? name : `part ${index}`)
