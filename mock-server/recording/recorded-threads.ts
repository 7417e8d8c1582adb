/**
 * Reconstructs the threads of a recording, so that the machine can go on with them.
 * Answers show messages one by one, pages show them all; what only a request shows gets an id of its own.
 */
import { tickOf, timestampOf } from '../clock/timestamp.ts'
import { jsonOf } from '../journal/body-value.ts'
import { isObject } from '../overrides/json-edit.ts'
import { derive, rootKey } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import type { RecordedExchange, RecordedThread } from './recorded-exchange.ts'

export interface RecordedThreads {
  /** The thread that an exchange was about, as it stood after it, by the exchange's id. */
  readonly after: ReadonlyMap<string, RecordedThread>
  /** Each thread as it stood at the end. */
  readonly last: ReadonlyMap<string, RecordedThread>
}

/** The threads of these exchanges, in the order of sending. */
export function recordedThreads(exchanges: readonly RecordedExchange[]): RecordedThreads {
  const last = new Map<string, RecordedThread>()
  const after = new Map<string, RecordedThread>()
  for (const exchange of exchanges) {
    if (exchange.status >= 300 || exchange.isCut) continue
    const seen = seenIn(exchange)
    if (seen === null) continue
    const known = last.get(seen.id)
    const thread: RecordedThread = {
      id: seen.id,
      tenant: exchange.tenant,
      assistantId: known?.assistantId || seen.assistantId,
      origin: known?.origin ?? seen.origin,
      messages: merged(known?.messages ?? [], seen.messages),
    }
    last.set(seen.id, thread)
    after.set(exchange.id, thread)
  }
  return { after, last }
}

type Seen = Pick<RecordedThread, 'id' | 'assistantId' | 'origin' | 'messages'>

function seenIn(exchange: RecordedExchange): Seen | null {
  const { operation, pathId, json } = exchange
  const text = Buffer.concat(exchange.pieces.map(({ bytes }) => bytes)).toString()
  const assistantId = textOf(isObject(json) ? json.assistant_id : undefined)
  if (operation === 'createThread') {
    const record = jsonOf(text)
    if (!isObject(record) || typeof record.id !== 'string') return null
    return { id: record.id, assistantId: textOf(record.assistant_id) || assistantId, origin: 'created', messages: [] }
  }
  if (operation === 'listMessages') {
    const page = jsonOf(text)
    const items = isObject(page) && Array.isArray(page.items) ? page.items.filter(isMessage) : []
    return { id: pathId, assistantId: '', origin: 'created', messages: items.toReversed() }
  }
  const streamed = operation === 'streamThreadRun' || /^streamChat/.test(operation)
  const answer = streamed ? messageOfStream(text) : jsonOf(text)
  if (!isMessage(answer)) return null
  const id = textOf(answer.thread_id)
  if (!/ChatCompletion/.test(operation)) return { id, assistantId, origin: 'created', messages: [answer] }
  const sent = isObject(json) && Array.isArray(json.messages) ? json.messages.filter(isObject) : []
  return { id, assistantId, origin: 'completion', messages: [...sentMessages(sent, answer), answer] }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function isMessage(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.id === 'string' && typeof value.role === 'string'
}

/** The message that the chunks of a stream make. */
function messageOfStream(text: string): JsonObject | null {
  const chunks = text.split('\n').flatMap((line): readonly JsonObject[] => {
    const chunk = jsonOf(line)
    return isObject(chunk) && isObject(chunk.delta) ? [chunk] : []
  })
  const end = chunks.at(-1)
  if (end === undefined) return null
  const deltas = chunks.map(({ delta }) => delta as JsonObject)
  const sources = deltas.flatMap((delta) => (Array.isArray(delta.sources) ? delta.sources : []))
  const calls = deltas.flatMap((delta) => (Array.isArray(delta.tool_calls) ? delta.tool_calls : []))
  return {
    id: end.message_id ?? '',
    thread_id: end.thread_id ?? '',
    role: 'assistant',
    content: deltas.map(contentOf).join(''),
    created_at: end.created_at ?? '',
    meta_data: {},
    sources,
    ...(calls.length > 0 ? { tool_calls: calls } : null),
  }
}

function contentOf({ content, content_blocks: blocks }: JsonObject): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(blocks)) return ''
  return blocks.map((block: Json) => (isObject(block) && typeof block.text === 'string' ? block.text : '')).join('')
}

const madeUp = Symbol('made up')
type Made = JsonObject & { readonly [madeUp]?: true }

/** Messages of a completion's body: a page may show later how the service stored them. */
function sentMessages(sent: readonly JsonObject[], answer: JsonObject): readonly Made[] {
  const endUs = tickOf(textOf(answer.created_at)) ?? 0
  const key = derive(rootKey(0), textOf(answer.id))
  return sent.map(({ role = 'user', content = '', ...rest }, index) => ({
    id: uuidOf(derive(key, 'sent', index)),
    thread_id: answer.thread_id ?? '',
    role,
    content,
    created_at: timestampOf(endUs - (sent.length - index)),
    ...rest,
    [madeUp]: true as const,
  }))
}

/** The messages of a thread after some were seen; a message that was made up gives way to the stored one. */
function merged(known: readonly Made[], seen: readonly Made[]): readonly Made[] {
  const messages = [...known]
  for (const message of seen) {
    const same = messages.findIndex(({ id }) => id === message.id)
    const twin =
      message[madeUp] === true ? -1 : messages.findIndex((one) => one[madeUp] === true && isTwin(one, message))
    const at = same >= 0 ? same : twin
    if (at < 0) messages.push(message)
    else messages[at] = message
  }
  return messages.sort((left, right) => compared(textOf(left.created_at), textOf(right.created_at)))
}

function compared(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1
}

function isTwin(one: JsonObject, other: JsonObject): boolean {
  return one.role === other.role && one.content === other.content
}
