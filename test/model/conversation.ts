/**
 * Turns the commands of the model into requests, and keeps the ids that a real conversation needs for them.
 * Apart from the tests because one holds the mock, the other the judge, against the model.
 */

import { defaultScenario, type Mock, type Scenario } from '../../mock-server/index.ts'
import type { OperationId } from '../../spec/index.ts'
import type { Command, State } from './commands.ts'

/** One request, before it is known how it is sent. */
export interface RequestSpec {
  readonly operation: OperationId
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly credential: 'primary' | 'secondary' | null
  readonly body: unknown
}

/** The ids of a conversation: what the model leaves out of its states. */
export interface Ids {
  readonly thread: string
  readonly open: readonly string[]
  readonly answered: readonly string[]
  readonly serial: number
}

interface Assistants {
  readonly own: string
  readonly mute: string
  readonly demanding: string
}

type ResolvedScenario = Readonly<Record<'primary' | 'secondary', Assistants>>

const unknownThread = '3f8a2a36-9f0a-4d5c-8a54-0b1f6f0c7d11'
const unknownAssistant = '7c1de6f2-52f7-4b1a-9a5e-1f4f0f7d9b22'
const user = 'd0f5b9a8-6c37-4f6e-9a57-3c6f8d1e2b33'

export const noIds: Ids = { thread: unknownThread, open: [], answered: [], serial: 0 }

const sisters = ['Whole answers only', 'Legal assistant'] as const

/** The built-in scenario, where the second tenant too has an assistant of each sort. */
export const twoFullTenants: Scenario = {
  ...defaultScenario,
  tenants: defaultScenario.tenants.map((tenant) =>
    tenant.name === 'secondary'
      ? { ...tenant, assistants: [...tenant.assistants, ...sisters.map((name) => `${name} next door`)] }
      : tenant,
  ),
  assistants: [
    ...defaultScenario.assistants,
    ...defaultScenario.assistants
      .filter(({ name }) => (sisters as readonly string[]).includes(name))
      .map((assistant) => ({ ...assistant, name: `${assistant.name} next door` })),
  ],
}

export function scenarioOf(mock: Mock): ResolvedScenario {
  const idOf = (tenant: string, name: string): string => {
    const assistants = mock.scenario.tenants.find((one) => one.name === tenant)?.assistants ?? []
    return assistants.find((one) => one.name === name)?.id ?? 'no such assistant'
  }
  const [mute, demanding] = sisters
  return {
    primary: { own: idOf('primary', 'Echo'), mute: idOf('primary', mute), demanding: idOf('primary', demanding) },
    secondary: {
      own: idOf('secondary', 'Echo next door'),
      mute: idOf('secondary', `${mute} next door`),
      demanding: idOf('secondary', `${demanding} next door`),
    },
  }
}

/** The request that a command stands for. */
export function askFor(command: Command, ids: Ids, scenario: ResolvedScenario): RequestSpec {
  if (command.kind === 'begin')
    return ask('createThread', '/v1/threads', 'primary', { assistant_id: scenario.primary.own })
  const credential = {
    own: 'primary',
    none: 'primary',
    malformed: 'primary',
    foreign: 'secondary',
    keyless: null,
  } as const
  const by = credential[command.target]
  const [own, other] =
    by === 'secondary' ? [scenario.secondary, scenario.primary] : [scenario.primary, scenario.secondary]
  const thread = `/v1/threads/${command.target === 'malformed' ? 'no-uuid' : ids.thread}`
  if (command.kind === 'create') return ask('createMessage', `${thread}/messages`, by, messageFor(command, ids))
  if (command.kind === 'list')
    return { ...ask('listMessages', `${thread}/messages${queries[command.query]}`, by), method: 'GET' }
  if (command.kind === 'run') {
    const assistant = { own: own.own, foreign: other.own, mute: own.mute }[command.assistant]
    const tools = command.tools ? { tools: [{ type: 'function', function: { name: 'lookup', parameters: {} } }] } : {}
    const streamed = command.form === 'stream'
    const operation = streamed ? 'streamThreadRun' : 'runThread'
    return ask(operation, `${thread}/run${streamed ? '/stream' : ''}`, by, { assistant_id: assistant, ...tools })
  }
  const query = command.target === 'none' ? '' : `?thread_id=${ids.thread}`
  const [operation, path] = completions[command.form]
  return ask(operation, `${path}${query}`, by, bodyFor(command.body, own, other, ids))
}

const ask = (
  operation: OperationId,
  path: string,
  credential: RequestSpec['credential'],
  body?: unknown,
): RequestSpec => ({
  operation,
  method: 'POST',
  path,
  credential,
  body,
})

const completions = {
  whole: ['createChatCompletion', '/v1/chat/completions'],
  stream: ['streamChatCompletion', '/v1/chat/completions/stream'],
  events: ['streamChatCompletionEvents', '/v1/chat/completions/events/stream'],
} as const

const queries = {
  default: '',
  'limit-one': '?limit=1',
  'limit-zero': '?limit=0',
  'limit-huge': '?limit=1000000',
  'limit-text': '?limit=many',
  'cursor-unknown': '?cursor=made-up',
} as const

/** Contents of no two messages of a conversation are equal, so that a list tells them apart. */
function messageFor({ message, content }: Command & { kind: 'create' }, { open, answered, serial }: Ids): unknown {
  const text = { text: `message ${serial}`, empty: '', blank: '  ' }[content]
  const call = (id: string) => ({ id, type: 'function', function: { name: 'lookup', arguments: '{}' } })
  const unknown = `call_unknown_${serial}`
  switch (message) {
    case 'asking-one':
    case 'asking-two':
      return { role: 'assistant', content: text, tool_calls: newCalls(message, serial).map(call) }
    case 'tool-open':
      return { role: 'tool', content: text, tool_call_id: open[0] ?? unknown }
    case 'tool-answered':
      return { role: 'tool', content: text, tool_call_id: answered.at(-1) ?? unknown }
    case 'tool-unknown':
      return { role: 'tool', content: text, tool_call_id: unknown }
    case 'tool-no-id':
      return { role: 'tool', content: text }
    case 'role-outside-set':
      return { role: 'moderator', content: text }
    default:
      return { role: message, content: text }
  }
}

const newCalls = (message: 'asking-one' | 'asking-two', serial: number): readonly string[] =>
  (message === 'asking-one' ? ['first'] : ['first', 'second']).map((name) => `call_${name}_${serial}`)

function bodyFor(
  body: (Command & { kind: 'complete' })['body'],
  own: Assistants,
  other: Assistants,
  ids: Ids,
): unknown {
  const good = { assistant_id: own.own, user_id: user, messages: [{ role: 'user', content: `question ${ids.serial}` }] }
  switch (body) {
    case 'assistant-missing':
      return { user_id: user, messages: good.messages }
    case 'assistant-foreign':
      return { ...good, assistant_id: other.own }
    case 'assistant-unknown':
      return { ...good, assistant_id: unknownAssistant }
    case 'assistant-mute':
      return { ...good, assistant_id: own.mute }
    case 'required-field-missing':
      return { ...good, assistant_id: own.demanding }
    case 'no-user-message':
      return { ...good, messages: [{ role: 'system', content: 'Be brief.' }] }
    case 'empty-content':
      return { ...good, messages: [{ role: 'user', content: '' }] }
    default:
      return good
  }
}

/** The ids after a command that was accepted; `answer` is the document of the answer, or the first line of its stream. */
export function idsAfter(command: Command, state: State, ids: Ids, answer: unknown): Ids {
  const next = { ...ids, serial: ids.serial + 1 }
  const { id, thread_id } = (answer ?? {}) as { readonly id?: string; readonly thread_id?: string }
  if (state.origin === 'unknown') {
    if (command.kind === 'begin') return { ...next, thread: id ?? '' }
    return command.kind === 'complete' ? { ...next, thread: thread_id ?? '' } : next
  }
  if (command.kind !== 'create') return next
  const { message } = command
  if (message === 'asking-one' || message === 'asking-two')
    return { ...next, open: [...ids.open, ...newCalls(message, ids.serial)] }
  const [oldest] = ids.open
  if (message !== 'tool-open' || oldest === undefined) return next
  return { ...next, open: ids.open.slice(1), answered: [...ids.answered, oldest] }
}
