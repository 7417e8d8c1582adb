/**
 * Asks the questions of `acs init`: facts about a target that cost no model call.
 */
import { randomUUID } from 'node:crypto'
import type { Client } from '../../client/client.ts'
import type { SendRequest } from '../../client/send-request.ts'
import { isPathSegment, pathSegment } from '../../client/target-url.ts'
import { errorCodeOf } from '../../client/transient-failure.ts'
import { answerJson } from '../../trace/bytes.ts'
import type { Exchange } from '../../trace/exchange.ts'

export interface AssistantEvidence {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  /** As in the assistant's record: path → names of the fields that a request must have there. */
  readonly required: Readonly<Record<string, readonly string[]>>
}

export interface TargetEvidence {
  /** Why no answer came at all, or `null`. */
  readonly unreachable: string | null
  readonly assistants: readonly AssistantEvidence[] | null
  readonly assistantsFault: string
  readonly grantsUploads: boolean
  readonly hasSecondary: boolean
  /** Whether the second key belongs to another tenant; `null` when that could not be seen. */
  readonly secondaryIsOther: boolean | null
  /** The result of `POST /v1/threads`, when it was tried. */
  readonly thread: 'created' | 'refused' | 'not-tried'
  /** JSON pointer to the id of the thread in its answer. */
  readonly threadPointer: string
  /** Whether a run of that thread was refused for the unknown assistant in its body. */
  readonly runsNameAssistant: boolean
}

interface AskOptions {
  readonly tenants: readonly string[]
  readonly createThread: boolean
}

const request = (path: string, changes: Partial<SendRequest> = {}): SendRequest => ({
  method: 'GET',
  path,
  credential: 'primary',
  operation: null,
  intent: null,
  ...changes,
})

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const succeeded = (exchange: Exchange): boolean =>
  exchange.ending === 'complete' && (exchange.response?.status ?? 500) < 300 && errorCodeOf(exchange) === null

const describe = (exchange: Exchange): string => {
  const { response, failure, ending } = exchange
  if (response === null) return failure ?? ending
  const code = errorCodeOf(exchange)
  return `status ${response.status}${code === null ? '' : `, ${code}`}`
}

const requiredOf = (record: unknown): AssistantEvidence['required'] => {
  const required = field(record, 'request_required_fields')
  if (typeof required !== 'object' || required === null) return {}
  return Object.fromEntries(
    Object.entries(required).map(([path, names]) => [path, Array.isArray(names) ? names.map(String) : []]),
  )
}

const assistantsIn = (exchange: Exchange): readonly AssistantEvidence[] | null => {
  const list = answerJson(exchange)
  if (!succeeded(exchange) || !Array.isArray(list)) return null
  return list
    .filter((record) => typeof field(record, 'id') === 'string')
    .map((record) => ({
      id: String(field(record, 'id')),
      name: String(field(record, 'name') ?? ''),
      streaming: field(record, 'streaming') === true,
      required: requiredOf(record),
    }))
}

const isOtherTenant = async (client: Client): Promise<boolean | null> => {
  const path = '/v1/tenants/my-api-keys'
  const own = field(answerJson(await client.send(request(path))), 'id')
  const other = field(answerJson(await client.send(request(path, { credential: 'secondary' }))), 'id')
  return typeof own === 'string' && typeof other === 'string' ? own !== other : null
}

const notCreated = (thread: 'refused' | 'not-tried') =>
  ({ thread, threadPointer: '/id', runsNameAssistant: false }) as const

const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The field with the id of a new thread: one that is called so, or else the first UUID that is not the assistant's. */
const idFieldOf = (answer: unknown): string | undefined => {
  if (typeof answer !== 'object' || answer === null) return undefined
  const texts = Object.entries(answer).filter(([, value]) => typeof value === 'string' && value !== '')
  const named = ['id', 'thread_id'].find((name) => texts.some(([given]) => given === name))
  return (
    named ?? texts.find(([name, value]) => uuidText.test(String(value)) && !/assistant|user|tenant/i.test(name))?.[0]
  )
}

const tryThread = async (
  client: Client,
  assistantId: string | undefined,
): Promise<Pick<TargetEvidence, 'thread' | 'threadPointer' | 'runsNameAssistant'>> => {
  const body = JSON.stringify(assistantId === undefined ? {} : { assistant_id: assistantId })
  const exchange = await client.send(request('/v1/threads', { method: 'POST', body, operation: 'createThread' }))
  const made = answerJson(exchange)
  const name = succeeded(exchange) ? idFieldOf(made) : undefined
  if (name === undefined) return notCreated('refused')
  const id = String(field(made, name))
  const runsNameAssistant = isPathSegment(id) && (await doRunsNameAssistant(client, id))
  return { thread: 'created', threadPointer: `/${name}`, runsNameAssistant }
}

/** A run of a thread without a message has to be refused, so that it calls no model; the reason of the refusal tells whether its body is read. */
const doRunsNameAssistant = async (client: Client, thread: string): Promise<boolean> => {
  const path = `/v1/threads/${pathSegment('thread_id', thread)}/run`
  const refusalOf = async (json: object): Promise<string | null> => {
    const body = JSON.stringify(json)
    const exchange = await client.send(request(path, { method: 'POST', body, operation: 'runThread', retry: 'none' }))
    const status = exchange.response?.status ?? 0
    return status < 400 || status >= 500 ? null : `${status} ${errorCodeOf(exchange)}`
  }
  const unknown = await refusalOf({ assistant_id: randomUUID() })
  if (unknown === null || unknown.endsWith('validation_error')) return false
  const none = unknown.endsWith('assistant_not_available') ? null : await refusalOf({})
  return unknown.endsWith('assistant_not_available') || (none !== null && none !== unknown)
}

/** Asks the target; never throws because of its behaviour. */
export const askTarget = async (client: Client, { tenants, createThread }: AskOptions): Promise<TargetEvidence> => {
  const listed = await client.send(request('/v1/assistants', { operation: 'listAssistants' }))
  const assistants = assistantsIn(listed)
  const hasSecondary = tenants.includes('secondary')
  const unreachable = listed.response === null ? describe(listed) : null
  const headers = [['user-id', randomUUID()]] as const
  const goOn = assistants !== null
  return {
    unreachable,
    assistants,
    assistantsFault: describe(listed),
    grantsUploads:
      goOn && succeeded(await client.send(request('/v1/files/signed-url?filename=notes.txt', { headers }))),
    hasSecondary,
    secondaryIsOther: goOn && hasSecondary ? await isOtherTenant(client) : null,
    ...(goOn && createThread ? await tryThread(client, assistants[0]?.id) : notCreated('not-tried')),
  }
}
