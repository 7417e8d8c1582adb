/** Admin paths of the scenario: read it, try a changed one, play it. */
import { answerOf } from '../machine/choose-answer.ts'
import { appendMessage } from '../machine/messages.ts'
import { emptyThread, type Thread } from '../machine/state.ts'
import { derive, rootKey } from '../randomness/key.ts'
import { loadScenario, scenarioYaml } from '../scenario/load-scenario.ts'
import { namedIn, type ResolvedScenario, resolveScenario } from '../scenario/resolved-scenario.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { ScenarioFailure } from '../scenario/scenario-failure.ts'
import { ScenarioError } from '../scenario/scenario-problem.ts'
import { unreachedTurns } from '../scenario/unreached-turns.ts'
import { refuseField } from './admin-request.ts'
import { adminRoute } from './admin-route.ts'

export const scenarioRoutes = [
  adminRoute({
    method: 'GET',
    path: '/scenario',
    about: 'shows the scenario as YAML, with ids and the keys of its tenants',
    fields: {},
    async act({ context }) {
      const { scenario } = context.mock
      return { ...scenarioView(scenario), yaml: await scenarioYaml(scenario.source) }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/scenario',
    about:
      'checks a scenario in yaml (default: the active one); shows what assistant would answer to a user or tool message in text; apply activates it in all worlds',
    fields: { yaml: 'text', assistant: 'text', text: 'text', role: 'text', apply: 'flag' },
    async act(call) {
      const { mock } = call.context
      const { yaml, assistant, text = '', role = 'user', apply = false } = call.fields
      if (role !== 'user' && role !== 'tool') throw refuseField(['body', 'role'], 'must be user or tool')
      const read = yaml === undefined ? { scenario: mock.scenario.source, problems: [] } : await readYaml(yaml)
      if (read.scenario === null) return { applied: false, problems: read.problems }
      const resolved = resolveScenario(read.scenario)
      const warnings = unreachedTurns(read.scenario)
      const tried = assistant === undefined ? null : tryAnswer(resolved, assistant, threadEndingOn(role, text))
      if (typeof tried === 'string')
        return { applied: false, problems: [tried], warnings, ...scenarioView(resolved), answer: null }
      if (apply) await mock.reload(read.scenario)
      return { applied: apply, problems: [], warnings, ...scenarioView(resolved), answer: tried }
    },
  }),
]

type Read =
  | { readonly scenario: Scenario; readonly problems: readonly [] }
  | { readonly scenario: null; readonly problems: readonly string[] }

async function readYaml(yaml: string): Promise<Read> {
  try {
    return { scenario: await loadScenario(yaml, { file: 'scenario' }), problems: [] }
  } catch (cause) {
    if (cause instanceof ScenarioError) return { scenario: null, problems: cause.problems }
    throw cause
  }
}

function scenarioView({ name, tenants }: ResolvedScenario) {
  return {
    name,
    tenants: tenants.map((tenant) => ({
      id: tenant.id,
      name: tenant.name,
      keys: tenant.apiKeys.map(({ value, quota }) => ({ key: value, quota })),
      assistants: tenant.assistants.map(({ id, name: called, streaming, requiredFields, turns }) => ({
        id,
        name: called,
        streaming,
        required_fields: requiredFields,
        turns: turns.length,
      })),
    })),
  }
}

/** The answer of an assistant to a thread, or why there is none. */
function tryAnswer(scenario: ResolvedScenario, wanted: string, thread: Thread) {
  try {
    return answerIn(scenario, wanted, thread)
  } catch (cause) {
    if (cause instanceof ScenarioFailure) return cause.message
    throw cause
  }
}

function answerIn({ tenants }: ResolvedScenario, wanted: string, thread: Thread) {
  const everyone = tenants.flatMap(({ assistants }) => assistants)
  const assistant = namedIn(everyone, wanted)
  if (assistant === undefined) throw refuseField(['body', 'assistant'], `no assistant has the name "${wanted}"`)
  const { turn, content, toolCalls, sources, metaData } = answerOf(
    assistant,
    thread,
    derive(rootKey(0), 'dry run'),
    false,
  )
  const when = turn === null ? null : (assistant.turns[turn - 1]?.script.when ?? null)
  return { assistant: assistant.name, turn, when, content, tool_calls: toolCalls, sources, meta_data: metaData }
}

/** A thread of one message. */
function threadEndingOn(role: 'user' | 'tool', content: string): Thread {
  const empty = emptyThread({ id: 'dry-run', tenantId: '', assistantId: '', origin: 'created' }, 0)
  return appendMessage(empty, role, Buffer.from(JSON.stringify({ content })), {})
}
