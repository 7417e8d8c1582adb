/**
 * Finds the reference numbers that answers quote, and the requests that mention them. The suite mentions a number in one
 * conversation only, so an answer that quotes the number of another conversation was made from it. A number in the name of a
 * file belongs to its tenant: an answer may find the file wherever that tenant asks.
 */
import { bothRuns, completionOperations, type OperationId } from '../../../spec/index.ts'
import { memoPer } from '../memo.ts'
import { threadKey } from '../read/formats.ts'
import { fieldOf, isObject, textField } from '../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import { chunksOf } from '../read/stream-chunks.ts'
import { memoPerTrace, type TraceAnalysis } from '../trace-analysis.ts'
import { answeredThread, areTwoTenants } from './thread-origins.ts'

/** An accepted answer, with the numbers that it quotes. */
export interface QuotingAnswer {
  readonly parsed: ParsedExchange
  readonly operation: OperationId
  /** A number of its own conversation that it quotes. */
  readonly own: string | null
  /** Numbers that it quotes and its own conversation does not mention, with the requests that had mentioned them. */
  readonly others: readonly { readonly number: string; readonly saidBy: readonly ParsedExchange[] }[]
  /** Numbers that it quotes and that no earlier request in this trace mentioned. */
  readonly unexplained: readonly string[]
}

interface QuotedNumbers {
  /** Number → the requests that mention it, in the order of sending. */
  readonly mentions: ReadonlyMap<string, readonly ParsedExchange[]>
  readonly answers: readonly QuotingAnswer[]
}

/** At least ten digits, with at most one separator between two of them: shorter numbers may be met by chance. */
const referenceNumber = /\d(?:[./-]?\d){9,}/g

const numbersIn = (text: string): readonly string[] => text.match(referenceNumber) ?? []

/**
 * The requests that mention and the answers that quote each number; empty for traffic that the suite did not write, in
 * which numbers may come from anywhere.
 */
export const quotedNumbers = memoPerTrace((analysis): QuotedNumbers => {
  if (analysis.profile.source !== 'suite') return { mentions: new Map(), answers: [] }
  const mentions = mentionsIn(analysis)
  const answers = [...completionOperations, ...bothRuns].flatMap((operation) =>
    analysis.of(operation).flatMap((parsed) => {
      if (!isAccepted(parsed)) return []
      const isOwn = ownedBy(parsed)
      const found = [...new Set(textsOf(parsed).flatMap(numbersIn))].map((number) => ({
        number,
        saidBy: (mentions.get(number) ?? []).filter((said) => isOwn(said) || said.sentAtMs < parsed.endedAtMs),
      }))
      const answer: QuotingAnswer = {
        parsed,
        operation,
        own: found.find(({ saidBy }) => saidBy.some(isOwn))?.number ?? null,
        others: found.filter(
          ({ saidBy }) => saidBy.length > 0 && !saidBy.some((said) => isOwn(said) || isFileOf(parsed, said)),
        ),
        unexplained: found.filter(({ saidBy }) => saidBy.length === 0).map(({ number }) => number),
      }
      return [answer]
    }),
  )
  return { mentions, answers }
})

function mentionsIn(analysis: TraceAnalysis): ReadonlyMap<string, readonly ParsedExchange[]> {
  const mentions = new Map<string, ParsedExchange[]>()
  for (const parsed of analysis.parsedExchanges) {
    for (const number of textsSentIn(analysis, parsed).flatMap(numbersIn)) {
      const known = mentions.get(number)
      if (known === undefined) mentions.set(number, [parsed])
      else if (known.at(-1) !== parsed) known.push(parsed)
    }
  }
  return mentions
}

/** The messages that a request writes, or the name of the file that it asks for. */
function textsSentIn(analysis: TraceAnalysis, parsed: ParsedExchange): readonly string[] {
  if (namesFile(parsed)) return queryValues(parsed, 'filename')
  const writes = analysis.histories.writesOf(parsed)
  return writes.flatMap(({ kind, content }) => (kind === 'answer' || content === null ? [] : [content]))
}

export const namesFile = ({ operation }: ParsedExchange): boolean => operation === 'createUploadGrant'

const isFileOf = (answered: ParsedExchange, said: ParsedExchange): boolean =>
  namesFile(said) && !areTwoTenants(answered.tenant, said.tenant)

/**
 * Whether the newest message before the answer, other than earlier answers, is surely a user's and mentions a number: what else an
 * answer may quote is open.
 */
export function asksNumber(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const sent = analysis.histories.writesOf(parsed).filter(({ kind }) => kind === 'sent')
  // What is sent when the answer has begun is not what it answers.
  const begunMs = parsed.exchange.response?.headAtMs ?? parsed.endedAtMs
  const before = (analysis.histories.thread(parsed.params.thread_id ?? '')?.writes ?? []).filter(
    (write) => write.parsed !== parsed && write.status !== 'refused' && write.sentAtMs < begunMs,
  )
  const newest = sent.at(-1) ?? before.findLast(({ role }) => role !== 'assistant')
  const isSure = sent.length > 0 || before.every(({ certainFromMs }) => certainFromMs <= parsed.sentAtMs)
  return isSure && newest?.role === 'user' && numbersIn(newest.content ?? '').length > 0
}

/** The threads that a request names and that its answer names: one, as a rule. */
const threadsOf = memoPer((parsed: ParsedExchange): readonly string[] => {
  const named = [parsed.params.thread_id, answeredThread(parsed), ...queryValues(parsed, 'thread_id')]
  return [...new Set(named.flatMap((id) => (id == null ? [] : [threadKey(id)])))]
})

/** Whether a request belongs to the conversation of an answer. */
export function ownedBy(answered: ParsedExchange): (parsed: ParsedExchange) => boolean {
  const threads = new Set(threadsOf(answered))
  return (parsed) => parsed === answered || threadsOf(parsed).some((id) => threads.has(id))
}

/** What an answer says: its text, its metadata and its sources. */
function textsOf(parsed: ParsedExchange): readonly string[] {
  const chunks = chunksOf(parsed)
  if (chunks.length === 0) {
    const document = documentOf(parsed)
    return isObject(document) ? saidIn(document) : []
  }
  const deltas = chunks.map(({ value }) => fieldOf(value, 'delta'))
  const joined = (name: string): string =>
    deltas.map((delta) => blockTexts(delta, name) + (textField(delta, name) ?? '')).join('')
  return [joined('content'), joined('reasoning'), joined('text'), ...deltas.map((delta) => json(delta, 'sources'))]
}

const saidIn = (message: unknown): readonly string[] => [
  textField(message, 'content') ?? '',
  json(message, 'meta_data'),
  json(message, 'sources'),
]

function blockTexts(delta: unknown, name: string): string {
  const blocks = fieldOf(delta, 'content_blocks')
  return Array.isArray(blocks) ? blocks.map((block) => textField(block, name) ?? '').join('') : ''
}

const json = (holder: unknown, name: string): string => JSON.stringify(fieldOf(holder, name)) ?? ''
