/** One turn of the chat as requests of the API: thread, message, run. */
import { apiFetch } from './api-fetch.ts'
import type { AssistantView, ScenarioView, ToolCallView, WholeThread } from './wire.ts'

/** An assistant, and a key of a tenant that has it. */
export interface Party {
  readonly tenant: string
  readonly key: string
  readonly assistant: AssistantView
}

interface Turn {
  readonly world: string
  readonly party: Party
  /** The thread to continue, `null` for a new one. */
  readonly thread: WholeThread | null
  readonly text: string
  readonly streamed: boolean
  /** The fields of the run's body beside the assistant. */
  readonly run: object
}

/** Every assistant of a scenario with each tenant that has it. */
export function partiesOf({ tenants }: ScenarioView): readonly Party[] {
  return tenants.flatMap(({ name, keys, assistants }) =>
    assistants.flatMap((assistant) => (keys[0] === undefined ? [] : [{ tenant: name, key: keys[0].key, assistant }])),
  )
}

/** Adds the text to the thread, as the answer to its open tool call if it has one; the thread's id. */
export async function say(turn: Turn): Promise<string> {
  const { thread, party, text } = turn
  const id = thread?.id ?? (await answered(await post(turn, '/v1/threads', { assistant_id: party.assistant.id }))).id
  const open = openCall(thread)
  const message = open === null ? { role: 'user' } : { role: 'tool', tool_call_id: open.id }
  await answered(await post(turn, `/v1/threads/${id}/messages`, { ...message, content: text }))
  return id
}

/** Runs the assistant; `follow` shows a stream while it arrives. */
export async function run(
  turn: Turn,
  id: string,
  follow: (stream: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  const path = `/v1/threads/${id}/run${turn.streamed ? '/stream' : ''}`
  const response = await post(turn, path, { assistant_id: turn.party.assistant.id, ...turn.run })
  if (response.ok && turn.streamed && response.body !== null) await follow(response.body)
  else await answered(response)
}

/** The first tool call that has no answer yet. */
export function openCall(thread: WholeThread | null): ToolCallView | null {
  const messages = thread?.messages ?? []
  const answers = new Set(messages.map(({ tool_call_id }) => tool_call_id))
  return messages.flatMap(({ tool_calls = [] }) => tool_calls).find(({ id }) => !answers.has(id)) ?? null
}

/** The fields that an assistant requires, with sample values. */
export function requiredFields(assistant: AssistantView | undefined): object {
  const { __root__: atRoot = [], ...inside } = assistant?.required_fields ?? {}
  const filled = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 'demo']))
  const nested = Object.entries(inside).map(([name, fields]) => [name, filled(fields)] as const)
  return { ...filled(atRoot), ...Object.fromEntries(nested) }
}

function post({ world, party }: Turn, path: string, body: object): Promise<Response> {
  return apiFetch(world, party.key, 'POST', path, JSON.stringify(body))
}

async function answered(response: Response): Promise<{ readonly id: string }> {
  const value = (await response.json()) as { readonly id: string; readonly detail?: unknown }
  if (response.ok) return value
  const detail = typeof value.detail === 'string' ? value.detail : JSON.stringify(value.detail)
  throw new Error(`${response.status} ${response.headers.get('x-acs-reason') ?? ''}: ${detail}. Exchanges says why.`)
}
