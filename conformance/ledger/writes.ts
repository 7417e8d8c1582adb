/**
 * Which messages a request adds: the created message, the answer of a run, the messages and the answer of a completion.
 * What came back decides whether the write is certain, possible or refused.
 */
import { operations } from '../../spec/index.ts'
import { idField, threadKey } from '../classify/forms.ts'
import { isObject, type JsonObject, textField, valuesAt } from '../classify/json.ts'
import { documentOf, queryValues, type Reading } from '../classify/reading.ts'
import { chunksOf, joinedText } from '../classify/stream-chunks.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import { answeredThread } from './origins.ts'
import type { Write, WriteStatus } from './thread-ledger.ts'

/** The writes of one request to the thread that it is about; completions name theirs in the answer. */
export function writesOf(reading: Reading, tools: ToolMapping | null): readonly Write[] {
  switch (reading.operation) {
    case 'createMessage':
      return [createdWrite(reading, tools)]
    case 'runThread':
    case 'streamThreadRun':
      return [answerWrite(reading, tools)]
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      return completionWrites(reading, tools)
    default:
      return []
  }
}

/** A refused completion has no answer; what it says must not stay in the thread that it names. */
function completionWrites(reading: Reading, tools: ToolMapping | null): readonly Write[] {
  const status = statusOf(reading)
  if (status === 'acknowledged') return [...sentWrites(reading), answerWrite(reading, tools)]
  return status === 'refused' ? sentWrites(reading) : []
}

/** The thread that a request writes to or reads, in the canonical form; `null` for other requests. */
export function threadOf(reading: Reading): string | null {
  const id = reading.params.thread_id ?? answeredThread(reading) ?? refusedThread(reading)
  return id === null ? null : threadKey(id)
}

function refusedThread(reading: Reading): string | null {
  const isCompletion = reading.operation !== null && operations[reading.operation].chapter === 'completions'
  return isCompletion && statusOf(reading) === 'refused' ? (queryValues(reading, 'thread_id')[0] ?? null) : null
}

/** The calls that an assistant message asks for, by the profile's pointer. */
export function callsOf(message: unknown, tools: ToolMapping | null): readonly string[] {
  if (tools === null) return []
  return valuesAt(message, tools.callIds).filter((id): id is string => typeof id === 'string')
}

function statusOf({ answer }: Reading): WriteStatus {
  if (answer.kind === 'accepted') return 'acknowledged'
  if (answer.kind === 'rejected') return 'refused'
  if (answer.code === 'rate_limit_gateway' || answer.status === 429) return 'refused'
  return answer.kind === 'bare' && (answer.status ?? 500) < 500 ? 'refused' : 'possible'
}

function createdWrite(reading: Reading, tools: ToolMapping | null): Write {
  const body = reading.body.kind === 'json' && isObject(reading.body.value) ? reading.body.value : {}
  const document = documentOf(reading)
  const returned = isObject(document) ? document : null
  const role = textField(body, 'role')
  const declared = tools?.assistantMessage === undefined ? [] : callsOf(body, tools)
  const shown = callsOf(returned, tools)
  return writeFrom(reading, 'created', {
    role,
    content: textField(body, 'content'),
    returned,
    calls: shown.length > 0 ? shown : declared,
    answersCall: tools === null || role !== 'tool' ? null : textField(body, tools.resultField),
  })
}

function answerWrite(reading: Reading, tools: ToolMapping | null): Write {
  const document = documentOf(reading)
  const returned = isObject(document) ? document : null
  const { stream } = reading.answer
  if (stream === null) {
    const content = textField(returned, 'content')
    return writeFrom(reading, 'answer', {
      role: 'assistant',
      content,
      returned,
      calls: callsOf(returned, tools),
      answersCall: null,
    })
  }
  const write = writeFrom(reading, 'answer', {
    role: 'assistant',
    content: joinedText(reading),
    returned: null,
    calls: [],
    answersCall: null,
  })
  return { ...write, id: streamedId(reading) }
}

/** The one message_id of a stream; a stream that names several names none. */
function streamedId(reading: Reading): string | null {
  const chunks = chunksOf(reading)
  const first = idField(chunks[0]?.value, 'message_id')
  return chunks.every(({ value }) => idField(value, 'message_id') === first) ? first : null
}

function sentWrites(reading: Reading): readonly Write[] {
  const messages = reading.body.kind === 'json' && isObject(reading.body.value) ? reading.body.value.messages : null
  if (!Array.isArray(messages)) return []
  return messages.map((message: unknown) =>
    writeFrom(reading, 'sent', {
      role: textField(message, 'role'),
      content: textField(message, 'content'),
      returned: null,
      calls: [],
      answersCall: null,
    }),
  )
}

interface Said {
  readonly role: string | null
  readonly content: string | null
  readonly returned: JsonObject | null
  readonly calls: readonly string[]
  readonly answersCall: string | null
}

function writeFrom(reading: Reading, kind: Write['kind'], said: Said): Write {
  const status = statusOf(reading)
  return {
    reading,
    kind,
    status,
    ...said,
    id: idField(said.returned, 'id'),
    createdAt: textField(said.returned, 'created_at'),
    sentAtMs: reading.sentAtMs,
    certainFromMs: status === 'acknowledged' ? reading.endedAtMs : Number.POSITIVE_INFINITY,
    stored: null,
    missingFrom: [],
  }
}
