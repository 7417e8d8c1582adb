/**
 * Finds where each thread comes from: the profile, a request that made it, or a completion. A thread id without any
 * origin exists nowhere, as far as a run of the suite knows.
 */
import { operations } from '../../../spec/index.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import { type ThreadKey, threadKey } from '../read/formats.ts'
import { fieldOf, textField, valuesAt } from '../read/json.ts'
import { textAtPlaceholder } from '../read/locate-placeholder.ts'
import { documentOf, idForm, isAccepted, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import type { ThreadOrigin } from './thread-record.ts'

/** All threads with an origin, by canonical id; the first origin counts. */
export function threadOrigins(
  parsedExchanges: readonly ParsedExchange[],
  profile: JudgeProfile,
): Map<ThreadKey, ThreadOrigin> {
  const origins = new Map<ThreadKey, ThreadOrigin>()
  const add = (id: string | null, origin: ThreadOrigin): void => {
    const key = id === null ? null : threadKey(id)
    if (key !== null && !origins.has(key)) origins.set(key, origin)
  }
  const fixed = profile.threads?.kind === 'static' ? profile.threads.threads : []
  const empty = fixed.length === 0 ? none : emptyAtFirst(parsedExchanges)
  const shown = fixed.length === 0 ? none : shownThreads(parsedExchanges)
  for (const thread of fixed) {
    if (!shown.has(`${thread.tenant} ${threadKey(thread.id)}`)) {
      add(thread.id, neverShown)
      continue
    }
    const isEmpty = thread.holds === 'empty' && empty.has(threadKey(thread.id))
    add(thread.id, {
      kind: isEmpty ? 'made' : 'given',
      tenant: thread.tenant,
      startsEmpty: isEmpty,
      fromMs: Number.NEGATIVE_INFINITY,
      assistant: thread.assistant_id?.toLowerCase() ?? null,
      by: null,
      again: [],
    })
  }
  for (const parsed of parsedExchanges) {
    if (!isAccepted(parsed)) continue
    const made = madeThread(parsed, profile)
    const key = made === null ? null : threadKey(made)
    const known = key === null ? undefined : origins.get(key)
    if (key !== null && known !== undefined) origins.set(key, { ...known, again: [...known.again, parsed] })
    add(made, madeBy(parsed, 'made', profile))
    if (queryValues(parsed, 'thread_id').length === 0)
      add(answeredThread(parsed), madeBy(parsed, 'completion', profile))
  }
  if (profile.threads?.kind === 'command')
    for (const [id, by] of handedOver(parsedExchanges))
      add(id, { ...madeBy(by, 'made', profile), fromMs: Number.NEGATIVE_INFINITY })
  if (profile.source === 'suite') for (const parsed of parsedExchanges) add(leftBefore(parsed), leftoverOf(parsed))
  for (const parsed of firstMessages(parsedExchanges, origins, profile))
    add(parsed.params.thread_id ?? null, madeBy(parsed, 'made', profile))
  return origins
}

/**
 * The thread of a made-up id whose list holds its own messages: a run before this one, with the same seed, has sent a message
 * there, and the service creates threads with their first message.
 */
function leftBefore(parsed: ParsedExchange): string | null {
  const id = parsed.params.thread_id
  if (id === undefined || parsed.operation !== 'listMessages' || !isMadeUp(parsed) || !isAccepted(parsed)) return null
  const homes = valuesAt(documentOf(parsed), '/items/*').map((item) => textField(item, 'thread_id'))
  return homes.length > 0 && homes.every((home) => home !== null && threadKey(home) === threadKey(id)) ? id : null
}

const leftoverOf = ({ tenant }: ParsedExchange): ThreadOrigin => ({
  ...unseen,
  kind: 'given',
  tenant,
  fromMs: Number.NEGATIVE_INFINITY,
})

/**
 * Accepted messages to ids that the suite made up, where no accepted request named the thread before: such a message may
 * create it (contract: Thread creation).
 */
function firstMessages(
  parsedExchanges: readonly ParsedExchange[],
  origins: ReadonlyMap<ThreadKey, ThreadOrigin>,
  { source }: JudgeProfile,
): readonly ParsedExchange[] {
  if (source !== 'suite') return []
  const seen = new Set(origins.keys())
  return parsedExchanges.filter((parsed) => {
    const id = parsed.params.thread_id
    if (id === undefined || !isAccepted(parsed) || seen.has(threadKey(id))) return false
    seen.add(threadKey(id))
    if (parsed.operation !== 'createMessage' || idForm(parsed, parsed.spelled.thread_id ?? '') !== 'exact') return false
    const earlier = parsedExchanges.filter((other) => isAccepted(other) && other.sentAtMs < parsed.sentAtMs)
    return !earlier.some((other) => textsOf(other).some((text) => text.includes(id.toLowerCase())))
  })
}

/** Whether a message created the thread; those of a command are there before anything is sent. */
export const createdByMessage = ({ origin: { by, fromMs } }: { readonly origin: ThreadOrigin }): boolean =>
  by?.operation === 'createMessage' && Number.isFinite(fromMs)

/** Only `secondary` and a key of the first tenant are surely of two tenants; a throttled key may be of either. */
export const areTwoTenants = (one: string | null, other: string | null): boolean =>
  (isOfFirst(one) && other === 'secondary') || (one === 'secondary' && isOfFirst(other))

/** By the profile, `spare` is another key of the first tenant. */
const isOfFirst = (name: string | null): boolean => name === 'primary' || name === 'spare'

const none: ReadonlySet<never> = new Set()

/** A thread of which nothing tells where it comes from. */
export const unseen: ThreadOrigin = {
  kind: 'unseen',
  tenant: null,
  startsEmpty: false,
  fromMs: Number.POSITIVE_INFINITY,
  assistant: null,
  by: null,
  again: [],
}

/** A thread of the profile that the target never showed: perhaps a wrong id, or that of another tenant. */
const neverShown: ThreadOrigin = { ...unseen, kind: 'given' }

/** `tenant thread` of every accepted request about a thread. */
function shownThreads(parsedExchanges: readonly ParsedExchange[]): ReadonlySet<string> {
  return new Set(
    parsedExchanges.flatMap((parsed) => {
      const id = parsed.params.thread_id
      return id === undefined || !isAccepted(parsed) ? [] : [`${parsed.tenant} ${threadKey(id)}`]
    }),
  )
}

/**
 * Threads that a list showed to be empty before anything was sent to them. The profile's claim is not enough: messages
 * that an earlier run left in a thread violate nothing.
 */
function emptyAtFirst(parsedExchanges: readonly ParsedExchange[]): ReadonlySet<ThreadKey> {
  const empty = new Set<ThreadKey>()
  const known = new Set<ThreadKey>()
  for (const parsed of parsedExchanges) {
    const id = parsed.params.thread_id ?? queryValues(parsed, 'thread_id')[0]
    if (id === undefined || known.has(threadKey(id))) continue
    const isList = parsed.operation === 'listMessages'
    const items = isList ? fieldOf(documentOf(parsed), 'items') : undefined
    if (isList && !Array.isArray(items)) continue
    known.add(threadKey(id))
    if (Array.isArray(items) && items.length === 0) empty.add(threadKey(id))
  }
  return empty
}

/**
 * A command leaves no exchange: its threads are those for which a request expected to be accepted, but for ids that the
 * suite made up and that a message may have made a thread of.
 */
function handedOver(parsedExchanges: readonly ParsedExchange[]): ReadonlyMap<ThreadKey, ParsedExchange> {
  const found = new Map<ThreadKey, ParsedExchange>()
  const used = new Map<ThreadKey, ParsedExchange>()
  for (const parsed of parsedExchanges) {
    if (parsed.params.thread_id === undefined) continue
    const id = threadKey(parsed.params.thread_id)
    if (!used.has(id)) used.set(id, parsed)
    const { expects = 'accepted' } = parsed.exchange.intent ?? {}
    const first = used.get(id) ?? parsed
    if (expects === 'accepted' && !isMadeUp(first)) found.set(id, first)
  }
  return found
}

const isMadeUp = ({ exchange: { intent } }: ParsedExchange): boolean => intent?.purpose === 'unknown:/path/thread_id'

/** The thread of a completion's answer, whole or streamed. */
export function answeredThread(parsed: ParsedExchange): string | null {
  if (parsed.operation === null || operations[parsed.operation].chapter !== 'completions') return null
  const { stream } = parsed.answer
  return textField(stream === null ? documentOf(parsed) : stream.lines[0]?.value, 'thread_id')
}

/** The texts of accepted completions that name no thread where the contract has it; they may name one elsewhere. */
export function unreadCompletions(parsedExchanges: readonly ParsedExchange[]): readonly string[] {
  return parsedExchanges.flatMap((parsed) => {
    const isCompletion = parsed.operation !== null && operations[parsed.operation].chapter === 'completions'
    if (!isCompletion || !isAccepted(parsed) || answeredThread(parsed) !== null) return []
    return textsOf(parsed)
  })
}

/** The text of an answer, or those of its lines, in lower case. */
function textsOf({ answer: { body, stream } }: ParsedExchange): readonly string[] {
  if (stream !== null) return stream.lines.map(({ text }) => text.toLowerCase())
  return body.kind === 'none' ? [] : [body.text.toLowerCase()]
}

/** Where an answer tells the thread that the request made, if this is the request of the profile that makes threads. */
export function threadPointer(method: string, url: string, { threads, baseUrl }: JudgeProfile): string | null {
  if (threads?.kind !== 'http' || method !== threads.method.toUpperCase()) return null
  const target = /^https?:/.test(threads.path) ? threads.path : baseUrl.replace(/\/+$/, '') + threads.path
  return url === target ? threads.pointer : null
}

/** The thread that a request of the profile made, or `null`. */
export function madeThread(parsed: ParsedExchange, profile: JudgeProfile): string | null {
  const { method, url } = parsed.exchange.request
  const pointer = threadPointer(method, url, profile)
  const [found] = pointer === null ? [] : valuesAt(documentOf(parsed), pointer)
  if (typeof found === 'string') return found
  return parsed.operation === 'createThread' ? textField(documentOf(parsed), 'id') : null
}

function madeBy(parsed: ParsedExchange, kind: 'made' | 'completion', profile: JudgeProfile): ThreadOrigin {
  const body = parsed.body.kind === 'json' ? parsed.body.value : null
  const assistant =
    kind === 'completion' ? textField(body, 'assistant_id') : textAtPlaceholder(body, profile.threadAssistantAt)
  return {
    kind,
    tenant: parsed.tenant,
    startsEmpty: true,
    fromMs: parsed.endedAtMs,
    assistant: assistant?.toLowerCase() ?? null,
    by: parsed,
    again: [],
  }
}
