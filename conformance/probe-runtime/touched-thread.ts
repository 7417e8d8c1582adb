/** Counts the activity in each thread that a run created or saw: turns, messages, and unread changes. */
import { bothRuns, completionOperations, type OperationId } from '../../spec/index.ts'
import { valuesAt } from '../judge/read/json.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import { type AnswerPieces, answerPieces, type PieceSize } from './answer-pieces.ts'
import { type Answer, stringAt } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

export interface TouchedThread {
  readonly id: string
  readonly tenant: TenantName
  /** The completion that created it, and the number of later completions in it. */
  readonly createdBy: OperationId | null
  readonly turns: number
  /** The body of the completion that made it. */
  readonly asked?: unknown
  /** Whether the answer of that completion came with sources. */
  readonly quotes?: boolean
  /** The text of that answer. */
  readonly text?: string
  /** The piece length of its answer, if it was streamed in pieces of one length. */
  readonly cut?: PieceSize | null
  /** The completion that made it named another thread, which it may still have continued. */
  readonly named?: true
  /** Messages that were added to it. */
  readonly added: number
  /** The most messages that one list of it showed. */
  readonly listed?: number
  /** The cursor of the first page of it that had one, and the limit of that page, `null` for the default. */
  readonly firstCursor?: { readonly cursor: string; readonly limit: number | null }
  /** The newest message of a user among them, and the one that a run answered without sources. */
  readonly said?: string
  readonly saidForBare?: string
  /** The fields with which the newest of them that carries a file does so. */
  readonly carried?: Readonly<Record<string, unknown>>
  /** Requests that could have changed it since it was last listed to its end; an accepted one counts twice, an answer four times. */
  readonly unseen: number
  /** The duration of its newest whole run. */
  readonly ranMs?: number
  /** The duration of its slowest answer, streams included. */
  readonly slowestMs?: number
  /** The probe that opened or saw it first. */
  readonly by: string
  /** The number of the exchange of the completion that made it, in the order of sending; 0 for one that was opened. */
  readonly sentAs: number
}

/** The thread with what a request has changed in its figures. */
export function counted(
  thread: TouchedThread,
  answer: Answer,
  operation: OperationId | null,
  ask: RequestSpec,
  { files, tools }: TargetProfile,
): TouchedThread {
  const isAddition = operation === 'createMessage' && answer.outcome === 'accepted'
  const isRun = operation === 'runThread' && answer.outcome === 'accepted'
  const said = isAddition && stringAt(ask.json, '/role') === 'user' ? stringAt(ask.json, '/content') : undefined
  const isBare = isAnswer(answer, operation) && !quotesSources(answer) && isPlain(thread.said, tools)
  const carried = isAddition ? fieldsOf(ask.json, Object.keys(files?.attachment ?? {})) : null
  return {
    ...thread,
    turns: thread.turns + (completionThread(answer, operation) === undefined ? 0 : 1),
    added: thread.added + (isAddition ? 1 : 0),
    unseen: showsAll(answer, operation, ask) ? 0 : thread.unseen + changeOf(answer, operation),
    ...(operation === 'listMessages' ? { listed: Math.max(thread.listed ?? 0, itemsOf(answer)) } : {}),
    ...(operation === 'listMessages' && thread.firstCursor === undefined ? cursorIn(answer, ask) : {}),
    ...(said === undefined ? {} : { said }),
    ...(isBare ? { saidForBare: thread.said } : {}),
    ...(carried === null ? {} : { carried }),
    ...(isRun ? { ranMs: tookMs(answer) } : {}),
    ...(isAnswer(answer, operation) ? { slowestMs: Math.max(thread.slowestMs ?? 0, tookMs(answer)) } : {}),
  }
}

/** Whether a question was asked that does not make an assistant ask for a tool: such an answer has no sources anyway. */
const isPlain = (said: string | undefined, tools: TargetProfile['tools']): boolean =>
  said !== undefined && (tools?.prompt === undefined || !said.includes(tools.prompt))

const itemsOf = ({ outcome, json }: Answer): number => (outcome === 'accepted' ? valuesAt(json, '/items/*').length : 0)

function cursorIn({ outcome, json }: Answer, { query = [] }: RequestSpec): Pick<TouchedThread, 'firstCursor'> {
  const cursor = outcome === 'accepted' ? (stringAt(json, '/cursor') ?? '') : ''
  const limit = query.find(([name]) => name === 'limit')?.[1] ?? null
  // A limit that is no number may have been taken for the default.
  if (cursor === '' || (limit !== null && !/^\d+$/.test(limit))) return {}
  return { firstCursor: { cursor, limit: limit === null ? null : Number(limit) } }
}

const tookMs = ({ exchange }: Answer): number => exchange.endedAtMs - exchange.sentAtMs

const isAnswer = ({ outcome, exchange }: Answer, operation: OperationId | null): boolean =>
  outcome === 'accepted' && operation !== null && answering.has(operation) && exchange.ending === 'complete'

/**
 * The weight of a request in a later list: little for a refusal, more for an accepted write, most for an answer of an
 * assistant.
 */
function changeOf(answer: Answer, operation: OperationId | null): number {
  if (operation === 'listMessages') return 0
  if (isAnswer(answer, operation)) return 4
  return answer.outcome === 'accepted' ? 2 : 1
}

/** Those fields of a body, or `null` unless it has all of them, and at least one. */
function fieldsOf(json: unknown, names: readonly string[]): Readonly<Record<string, unknown>> | null {
  const body = Object(json)
  if (names.length === 0 || !names.every((name) => Object.hasOwn(body, name))) return null
  return Object.fromEntries(names.map((name) => [name, body[name]]))
}

/** Whether a list shows the thread to its end: a whole page, or the last one of a walk. */
function showsAll({ outcome, json }: Answer, operation: OperationId | null, { query = [] }: RequestSpec): boolean {
  if (operation !== 'listMessages' || outcome !== 'accepted') return false
  return query.length === 0 || (stringAt(json, '/cursor') ?? '') === ''
}

/** Whether an answer comes with sources: a whole one in its message, a streamed one in any chunk. */
export const quotesSources = ({ json, lines }: Answer): boolean =>
  [json, ...lines].some((value) => ['/sources/*', '/delta/sources/*'].some((path) => valuesAt(value, path).length > 0))

const answerTexts = ['/content', '/delta/content', '/delta/content_blocks/*/text'] as const

/** The text of an answer, of all its pieces. */
export const textOfAnswer = ({ json, lines }: Answer): string =>
  (json === undefined ? lines : [json])
    .flatMap((value) => answerTexts.flatMap((path) => valuesAt(value, path)))
    .join('')

/**
 * The piece length of answers, and the length of this assistant's answer beyond its question; `null` if either is
 * unknown.
 */
export function piecesOf(touched: readonly TouchedThread[], assistant: string): AnswerPieces | null {
  const cut = touched.findLast((thread) => thread.cut != null)?.cut ?? null
  const isOfText = ({ createdBy, asked }: TouchedThread): boolean =>
    createdBy !== 'streamChatCompletionEvents' && stringAt(asked, '/assistant_id') === assistant
  return answerPieces(
    cut,
    touched.filter(isOfText).map(({ text = '', asked }) => ({ text, asked })),
  )
}

/** Characters that are easily damaged where an answer is cut into pieces and written as lines of JSON. */
const fragile = [/[\n\r\u2028\u2029]/, /[^\0-\x7f]/, /["\\]/] as const
/** A kind that no stream has shown counts more than any number of characters. */
const ofNewKind = 1_000_000

/**
 * The primary tenant's threads whose answers have line breaks, quotes or characters of several bytes, and were not streamed as
 * text; those first with a kind of them that no such stream has shown, then those with most of them. None where answers quote
 * their questions: these are streamed with such characters anyway.
 */
export function fragileUnstreamed(threads: readonly TouchedThread[]): readonly TouchedThread[] {
  const streamed = threads.filter(({ createdBy }) => createdBy === 'streamChatCompletion')
  if (streamed.some(({ asked }) => piecesOf(threads, stringAt(asked, '/assistant_id') ?? '') !== null)) return []
  const known = new Set(streamed.map(({ text }) => text))
  const missing = fragile.filter((kind) => !streamed.some(({ text = '' }) => kind.test(text)))
  const worth = ({ text = '' }: TouchedThread): number =>
    missing.filter((kind) => kind.test(text)).length * ofNewKind +
    [...text].filter((letter) => fragile.some((kind) => kind.test(letter))).length
  return threads
    .filter((thread) => thread.tenant === 'primary' && worth(thread) > 0 && !known.has(thread.text))
    .toSorted((left, right) => worth(right) - worth(left))
}

/**
 * What was answered without sources, but by no whole completion, among the primary tenant's threads: the body of a streamed
 * completion, or else what a run was asked. Such a completion shows how a message without sources is written.
 */
export function askedForBareMessage(threads: readonly TouchedThread[]): { asked: unknown } | { said: string } | null {
  const bare = threads.filter(({ createdBy, quotes }) => createdBy !== null && quotes === false)
  if (bare.some(({ createdBy }) => createdBy === 'createChatCompletion')) return null
  const own = threads.filter(({ tenant }) => tenant === 'primary')
  const streamed = own.find((thread) => bare.includes(thread) && thread.asked !== undefined)
  if (streamed !== undefined) return { asked: streamed.asked }
  const said = own.find(({ saidForBare }) => saidForBare !== undefined)?.saidForBare
  return said === undefined ? null : { said }
}

/** The first thread of a tenant that a completion made. */
export const firstCompletionThread = (
  threads: readonly TouchedThread[],
  tenant: TenantName,
): TouchedThread | undefined => threads.find((thread) => thread.createdBy !== null && thread.tenant === tenant)

/** The thread that a completion made or went on with. */
export function completionThread(answer: Answer, operation: OperationId | null): string | undefined {
  if (answer.outcome !== 'accepted' || operation === null || !completions.has(operation)) return undefined
  return stringAt(answer.json, '/thread_id') ?? stringAt(answer.lines[0], '/thread_id')
}

const completions: ReadonlySet<OperationId> = new Set(completionOperations)
const answering: ReadonlySet<OperationId> = new Set([...completionOperations, ...bothRuns])
