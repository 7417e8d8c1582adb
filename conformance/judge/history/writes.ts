/**
 * Lists the messages that a request adds. These are the created message, the answer of a run, and the messages and the
 * answer of a completion. What came back decides whether the write is certain, possible or refused.
 */
import { operations } from '../../../spec/index.ts'
import type { ToolMapping } from '../../profile/target-profile.ts'
import { idField, type ThreadKey, threadKey } from '../read/formats.ts'
import { fieldOf, isObject, type JsonObject, textField, valuesAt } from '../read/json.ts'
import { documentOf, isSentElsewhere, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { brokeInside, chunksOf, joinedText } from '../read/stream-chunks.ts'
import { answeredThread } from './thread-origins.ts'
import type { Write, WriteStatus } from './thread-record.ts'

/** The writes of one request to the thread that it is about; completions name theirs in the answer. */
export function writesOf(parsed: ParsedExchange, tools: ToolMapping | null): readonly Write[] {
  switch (parsed.operation) {
    case 'createMessage':
      return [createdWrite(parsed, tools)]
    case 'runThread':
    case 'streamThreadRun':
      return [answerWrite(parsed, tools)]
    case 'createChatCompletion':
    case 'streamChatCompletion':
    case 'streamChatCompletionEvents':
      return completionWrites(parsed, tools)
    default:
      return []
  }
}

/**
 * A refused completion has no answer; what it says must not stay in the thread that it names. One whose answer cannot be
 * read, or did not come, may have added what it says and an answer of which nothing is known.
 */
function completionWrites(parsed: ParsedExchange, tools: ToolMapping | null): readonly Write[] {
  const status = statusOf(parsed)
  if (status === 'refused') return sentWrites(parsed)
  if (status === 'acknowledged' && answeredThread(parsed) !== null)
    return [...sentWrites(parsed), answerWrite(parsed, tools)]
  return [...sentWrites(parsed), answerWrite(parsed, tools)].map(onlyPossible)
}

const onlyPossible = (write: Write): Write => ({
  ...write,
  status: 'possible',
  certainFromMs: Number.POSITIVE_INFINITY,
})

/** The thread that a request writes to or reads, in the canonical form; `null` for other requests. */
export function threadOf(parsed: ParsedExchange): ThreadKey | null {
  const id = parsed.params.thread_id ?? answeredThread(parsed) ?? namedThread(parsed)
  return id === null ? null : threadKey(id)
}

/** The thread that a completion asked to go on in. */
function namedThread(parsed: ParsedExchange): string | null {
  const isCompletion = parsed.operation !== null && operations[parsed.operation].chapter === 'completions'
  return isCompletion ? (queryValues(parsed, 'thread_id')[0] ?? null) : null
}

/** Whether an assistant message has room for one call only, as the pointer of the profile names no list. */
export const holdsOneCall = ({ callIds }: ToolMapping): boolean => !callIds.split('/').includes('*')

/** The calls that an assistant message asks for, by the profile's pointer. */
export function callsOf(message: unknown, tools: ToolMapping | null): readonly string[] {
  if (tools === null) return []
  return valuesAt(message, tools.callIds).filter((id): id is string => typeof id === 'string')
}

/** The first letters of an id tell too little: many ids begin with the kind of thing that they name. */
const leastOfCutId = 8

/** Whether what is shown of a call's id is its beginning. A service that gives calls ids of its own begins them otherwise. */
export const isCutShort = (shown: string, id: string): boolean =>
  shown !== id && shown.length >= leastOfCutId && id.startsWith(shown)

/**
 * The first call of an answer that it asks for under another id when it is seen again. Answers that show more or fewer calls are
 * left out: a list may leave out calls that have a result.
 */
export function renamedCall(
  earlier: unknown,
  later: unknown,
  tools: ToolMapping | null,
): readonly [string, string] | null {
  const [before, after] = [callsOf(earlier, tools), callsOf(later, tools)]
  if (before.length !== after.length) return null
  const isShownAs = (id: string, shown: string) => isCutShort(shown, id) || shown.toLowerCase() === id.toLowerCase()
  const lost = before.find((id) => !after.some((shown) => isShownAs(id, shown)))
  const added = after.find((shown) => !before.some((id) => isShownAs(id, shown)))
  return lost === undefined || added === undefined ? null : [lost, added]
}

function statusOf(parsed: ParsedExchange): WriteStatus {
  const { answer } = parsed
  // Whether a service keeps an answer whose stream reports an error is open.
  if (answer.kind === 'accepted') return brokeInside(parsed) ? 'possible' : 'acknowledged'
  if (answer.kind === 'rejected' || isSentToSignIn(parsed)) return 'refused'
  if (answer.code === 'rate_limit_gateway' || answer.status === 429) return 'refused'
  return answer.kind === 'bare' && (answer.status ?? 500) < 500 ? 'refused' : 'possible'
}

/** Without a key, or with a made-up one, a caller is redirected to sign in. A key in another place may be good. */
const isSentToSignIn = (parsed: ParsedExchange): boolean =>
  (parsed.key === 'missing' || parsed.key === 'unknown') && isSentElsewhere(parsed)

function createdWrite(parsed: ParsedExchange, tools: ToolMapping | null): Write {
  const body = parsed.body.kind === 'json' && isObject(parsed.body.value) ? parsed.body.value : {}
  const document = documentOf(parsed)
  const returned = isObject(document) ? document : null
  const role = textField(body, 'role')
  const declared = tools?.assistantMessage === undefined ? [] : callsOf(body, tools)
  const shown = callsOf(returned, tools)
  return writeFrom(parsed, 'created', {
    role,
    content: textField(body, 'content'),
    returned,
    calls: takesAll(shown, declared) ? declared : shown,
    answersCall: tools === null || role !== 'tool' ? null : textField(body, tools.resultField),
  })
}

/**
 * Whether a service surely took all calls that a client wrote, whatever it shows of them: none, some of several, or their
 * ids cut short. One that shows a single one may have room for no more, and one that shows others gives ids of its own.
 */
function takesAll(shown: readonly string[], declared: readonly string[]): boolean {
  const isPartOfSeveral = shown.length > 1 && shown.every((id) => declared.includes(id))
  return isPartOfSeveral || shown.every((id) => declared.some((sent) => isCutShort(id, sent)))
}

function answerWrite(parsed: ParsedExchange, tools: ToolMapping | null): Write {
  const document = documentOf(parsed)
  const returned = isObject(document) ? document : null
  const { stream } = parsed.answer
  if (stream === null) {
    const content = textField(returned, 'content')
    return writeFrom(parsed, 'answer', {
      role: 'assistant',
      content,
      returned,
      calls: callsOf(returned, tools),
      answersCall: null,
    })
  }
  const write = writeFrom(parsed, 'answer', {
    role: 'assistant',
    content: joinedText(parsed),
    returned: null,
    calls: [...new Set(chunksOf(parsed).flatMap(({ value }) => callsOf(fieldOf(value, 'delta'), tools)))],
    answersCall: null,
  })
  return { ...write, id: streamedId(parsed) }
}

/** The one message_id of a stream; a stream that names several names none. */
function streamedId(parsed: ParsedExchange): string | null {
  const chunks = chunksOf(parsed)
  const first = idField(chunks[0]?.value, 'message_id')
  return chunks.every(({ value }) => idField(value, 'message_id') === first) ? first : null
}

function sentWrites(parsed: ParsedExchange): readonly Write[] {
  const messages = parsed.body.kind === 'json' && isObject(parsed.body.value) ? parsed.body.value.messages : null
  if (!Array.isArray(messages)) return []
  return messages.map((message: unknown) =>
    writeFrom(parsed, 'sent', {
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

function writeFrom(parsed: ParsedExchange, kind: Write['kind'], said: Said): Write {
  const status = statusOf(parsed)
  return {
    parsed,
    kind,
    status,
    ...said,
    id: idField(said.returned, 'id'),
    createdAt: textField(said.returned, 'created_at'),
    sentAtMs: parsed.sentAtMs,
    certainFromMs: status === 'acknowledged' ? parsed.endedAtMs : Number.POSITIVE_INFINITY,
    stored: null,
    missingFrom: [],
  }
}
