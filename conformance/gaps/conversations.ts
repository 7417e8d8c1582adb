/** Observers of the gaps in chapters streams, threads, tools and pagination: what conversations look like. */
import { fieldOf, hasField, isObject, textField } from '../classify/json.ts'
import { documentOf, isAccepted, isRefusal, queryValues, type Reading } from '../classify/reading.ts'
import { brokeInside, chunksOf } from '../classify/stream-chunks.ts'
import type { Docket } from '../judging/docket.ts'
import type { DecodedLine } from '../ndjson.ts'
import { bothRuns, streamOperations, textStreams, withSoleFault } from '../oracles/oracle.ts'
import { acceptance, codeOf, decided, type GapObserver, withOnlyDoubt } from './observer.ts'

function* streams(
  docket: Docket,
  operations: readonly (typeof streamOperations)[number][] = streamOperations,
): Generator<Reading> {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) if (reading.answer.stream !== null && isAccepted(reading)) yield reading
  }
}

export const mediaType: GapObserver = function* (docket) {
  for (const reading of streams(docket)) {
    const header = reading.exchange.response?.headers.find(([name]) => name.toLowerCase() === 'content-type')
    yield { value: header?.[1].split(';')[0]?.trim().toLowerCase() ?? 'none', exchange: reading.id }
  }
}

/** An observer for one kind of framing. */
const framing = (kind: string, seen: string, unseen: string): GapObserver =>
  function* (docket) {
    for (const reading of streams(docket)) {
      const has = reading.answer.stream?.problems.some((problem) => problem.kind === kind) === true
      yield { value: has ? seen : unseen, exchange: reading.id }
    }
  }

export const lineEnd = framing('cr-before-lf', 'CRLF', 'LF')
export const finalNewline = framing('missing-final-newline', 'no', 'yes')
export const blankLines = framing('blank-line', 'blank lines', 'none seen')
export const byteOrderMark = framing('byte-order-mark', 'yes', 'no')

export const errorAfterStart: GapObserver = function* (docket) {
  for (const operation of streamOperations) {
    for (const reading of docket.of(operation)) {
      if (reading.answer.stream === null || chunksOf(reading).length === 0) continue
      if (brokeInside(reading)) yield { value: 'an error body as a line', exchange: reading.id }
      else if (reading.exchange.ending === 'cut') yield { value: 'the connection breaks', exchange: reading.id }
    }
  }
}

export const otherBlockTypes: GapObserver = function* (docket) {
  for (const reading of streams(docket, ['streamChatCompletionEvents'])) {
    for (const { value } of chunksOf(reading)) {
      const blocks = fieldOf(fieldOf(value, 'delta'), 'content_blocks')
      for (const block of Array.isArray(blocks) ? blocks : []) {
        const type = textField(block, 'type')
        if (type !== null && type !== 'reasoning') yield { value: type, exchange: reading.id, group: type }
      }
    }
  }
}

export const whenSourcesCome: GapObserver = function* (docket) {
  for (const reading of streams(docket, textStreams)) {
    const chunks = chunksOf(reading)
    const filled = chunks.filter(hasSources)
    if (filled.length === 0 || chunks.length < 2) continue
    const only = filled.length === 1 ? filled[0] : undefined
    const value =
      only === undefined
        ? filled.length === chunks.length
          ? 'every'
          : 'spread'
        : only === chunks[0]
          ? 'the first'
          : only === chunks.at(-1)
            ? 'the last'
            : 'spread'
    yield { value, exchange: reading.id }
  }
}

function hasSources({ value }: DecodedLine): boolean {
  const sources = fieldOf(fieldOf(value, 'delta'), 'sources')
  return Array.isArray(sources) && sources.length > 0
}

const chunkFields: ReadonlySet<string> = new Set(['created_at', 'message_id', 'thread_id', 'delta'])

export const streamMetaData: GapObserver = function* (docket) {
  for (const reading of streams(docket, textStreams)) {
    yield { value: metaDataPlace(chunksOf(reading)), exchange: reading.id }
  }
}

function metaDataPlace(chunks: readonly DecodedLine[]): string {
  for (const { value } of chunks) {
    if (hasField(value, 'meta_data')) return 'meta_data of a chunk'
    if (hasField(fieldOf(value, 'delta'), 'meta_data')) return 'meta_data of a delta'
  }
  return 'from the list of messages'
}

/** Fields of a chunk beside the contract's that only the last one has. */
export const streamEndSignal: GapObserver = function* (docket) {
  for (const reading of streams(docket)) {
    const chunks = chunksOf(reading)
    const last = chunks.at(-1)?.value
    const telling = isObject(last) ? Object.keys(last).filter((name) => !chunkFields.has(name)) : []
    const own = telling.find((name) => !chunks.slice(0, -1).some(({ value }) => hasField(value, name)))
    if (chunks.length > 1)
      yield { value: own === undefined ? 'end of the response' : `a last chunk with ${own}`, exchange: reading.id }
  }
}

export const completionWithoutSupport: GapObserver = function* (docket) {
  const about = 'a streamed completion with an assistant that may not stream'
  for (const operation of ['streamChatCompletion', 'streamChatCompletionEvents'] as const) {
    for (const reading of withOnlyDoubt(docket, [operation], about)) {
      const accepted = chunksOf(reading).length === 1 ? 'one whole chunk' : 'a stream'
      for (const sighting of decided([reading], accepted, codeOf)) yield { ...sighting, group: operation }
    }
  }
}

const preconditions = {
  'thread-without-user': '',
  'calls-unanswered': '',
  'calls-partly-answered': '',
  'thread-ends-on-assistant': '',
  'thread-ends-on-system': '',
}

export const runPreconditionCode: GapObserver = function* (docket) {
  for (const [reading] of withSoleFault(docket, bothRuns, preconditions)) {
    if (isRefusal(reading)) yield { value: codeOf(reading), exchange: reading.id }
  }
}

export const closedThreadCode: GapObserver = function* (docket) {
  for (const [reading] of withSoleFault(docket, ['createMessage'], { 'thread-made-by-completion': null })) {
    if (isRefusal(reading)) yield { value: codeOf(reading), exchange: reading.id }
  }
}

export const runWithoutBody = acceptance(bothRuns, 'a run without a body')
export const runOnCompletionThread = acceptance(bothRuns, 'a run of a thread that a completion made')
export const runAfterAnswer = acceptance(['runThread'], 'a run right after an answer')
export const lateSystemMessage = acceptance(['createMessage'], 'a system message that may not be the first')
export const blankContent = acceptance(['createMessage'], 'content of blanks alone')
export const unpairedSurrogate = acceptance(['createMessage'], 'half of a surrogate pair in content')
export const answeredTwice = acceptance(['createMessage'], 'a second tool message for one call')
export const matchDistance = acceptance(['createMessage'], 'a tool message away from its call')

export const postedAssistantMessage: GapObserver = function* (docket) {
  for (const reading of docket.of('createMessage')) {
    const created = documentOf(reading)
    if (textField(created, 'role') !== 'assistant') continue
    const has = [hasField(created, 'meta_data'), hasField(created, 'sources')].filter(Boolean).length
    yield { value: has === 2 ? 'both' : has === 0 ? 'neither' : 'one of them', exchange: reading.id }
  }
}

export const postedCalls: GapObserver = function* (docket) {
  for (const thread of docket.ledger.threads) {
    for (const write of thread.writes) {
      const isPosted = write.kind === 'created' && write.role === 'assistant' && write.calls.length > 0
      if (isPosted && write.status === 'acknowledged') yield { value: 'yes', exchange: write.reading.id }
    }
  }
}

export const endSignal: GapObserver = function* (docket) {
  for (const thread of docket.ledger.threads) {
    for (const { exhaustive, pages } of thread.views) {
      const last = pages.at(-1) ?? pages[0]
      if (!exhaustive) continue
      const cursor = fieldOf(documentOf(last.reading), 'cursor')
      const value =
        cursor === null
          ? 'null'
          : cursor === undefined
            ? 'absent'
            : cursor === ''
              ? 'an empty string'
              : 'a cursor to an empty page'
      yield { value, exchange: last.reading.id }
    }
  }
}

/** What a list with one odd parameter got: refused, or how many items. */
const oddList = (
  about: string,
  accepted: (reading: Reading, items: number) => string,
  rejected = 'rejected',
): GapObserver =>
  function* (docket) {
    for (const reading of withOnlyDoubt(docket, ['listMessages'], about)) {
      const items = fieldOf(documentOf(reading), 'items')
      if (isRefusal(reading)) yield { value: rejected, exchange: reading.id }
      else if (isAccepted(reading) && Array.isArray(items))
        yield { value: accepted(reading, items.length), exchange: reading.id }
    }
  }

export const limitBelowOne = oddList('a limit below one', (_, items) => (items === 0 ? 'an empty page' : 'clamped'))
export const integerSpelling = oddList('another spelling of an integer', () => 'accepted')
export const cursorOfOthers = (isOthers: boolean): GapObserver =>
  function* (docket) {
    const observe = oddList('a cursor that this thread did not hand out', (reading, items) => {
      if (isOthers) return 'a page of this thread'
      return items === 0 ? 'an empty page' : reading.id === '' ? '' : 'the first page'
    })
    const known = new Set(
      docket.ledger.threads.flatMap((thread) =>
        [...thread.cursors.keys()].map((key) => key.slice(key.indexOf(' ') + 1)),
      ),
    )
    const readings = new Map(docket.of('listMessages').map((reading) => [reading.id, reading]))
    for (const sighting of observe(docket)) {
      const reading = readings.get(sighting.exchange)
      if (reading !== undefined && known.has(queryValues(reading, 'cursor')[0] ?? '') === isOthers) yield sighting
    }
  }

/** Limits above the default: refused, clamped, or served. */
export const maximumLimit: GapObserver = function* (docket) {
  for (const reading of withOnlyDoubt(docket, ['listMessages'], 'a limit above the default')) {
    const limit = Number(queryValues(reading, 'limit')[0])
    const page = docket.ledger.pageOf(reading)
    const count = docket.ledger.thread(reading.params.thread_id ?? '')?.timeline.countAt(reading.sentAtMs) ?? 0
    if (isRefusal(reading)) yield { value: 'rejected', exchange: reading.id, group: `${limit}` }
    else if (page !== null && count > page.items.length && page.items.length < limit)
      yield { value: 'clamped', exchange: reading.id, group: `${limit}` }
    else if (page !== null && count > 100) yield { value: 'unlimited', exchange: reading.id, group: `${limit}` }
  }
}

export const repeatedParameter: GapObserver = function* (docket) {
  for (const reading of withOnlyDoubt(docket, ['listMessages'], 'a repeated query parameter')) {
    const [first, last] = [queryValues(reading, 'limit')[0], queryValues(reading, 'limit').at(-1)].map(Number)
    const items = docket.ledger.pageOf(reading)?.items.length
    if (isRefusal(reading)) yield { value: 'rejected', exchange: reading.id }
    else if (items !== undefined && first !== last && (items === first || items === last)) {
      yield { value: items === first ? 'the first counts' : 'the last counts', exchange: reading.id }
    }
  }
}
