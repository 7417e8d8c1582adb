/** Observers of the gaps in chapters streams, threads, tools and pagination: what conversations look like. */

import { bothRuns, type GapId, streamOperations, textStreams } from '../../../spec/index.ts'
import { highest } from '../../trace/highest.ts'
import type { DecodedLine } from '../../trace/ndjson/ndjson.ts'
import type { AmbiguityText } from '../classify/ambiguity.ts'
import { askedWithoutFields } from '../classify/fieldless-runs.ts'
import { callsOf } from '../history/writes.ts'
import { withSoleFault } from '../oracles/support/refusals.ts'
import { uuidForm } from '../read/formats.ts'
import { fieldOf, hasField, isObject, textField } from '../read/json.ts'
import {
  answerHeader,
  documentOf,
  isAccepted,
  isRefusal,
  type ParsedExchange,
  queryValues,
} from '../read/parsed-exchange.ts'
import { brokeInside, chunksOf } from '../read/stream-chunks.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'
import { acceptance, acceptanceOf, codeOf, type GapObserver, withOnlyAmbiguity } from './gap-observer.ts'

function* streams(
  analysis: TraceAnalysis,
  operations: readonly (typeof streamOperations)[number][] = streamOperations,
): Generator<ParsedExchange> {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) if (parsed.answer.stream !== null && isAccepted(parsed)) yield parsed
  }
}

/** An observer for one kind of framing. */
const framing = (kind: string, seen: string, unseen: string): GapObserver =>
  function* (analysis) {
    for (const parsed of streams(analysis)) {
      const has = parsed.answer.stream?.problems.some((problem) => problem.kind === kind) === true
      yield { value: has ? seen : unseen, exchange: parsed.id }
    }
  }

function hasSources({ value }: DecodedLine): boolean {
  const sources = fieldOf(fieldOf(value, 'delta'), 'sources')
  return Array.isArray(sources) && sources.length > 0
}

const chunkFields: ReadonlySet<string> = new Set(['created_at', 'message_id', 'thread_id', 'delta'])

function metaDataPlace(chunks: readonly DecodedLine[]): string {
  for (const { value } of chunks) {
    if (hasField(value, 'meta_data')) return 'meta_data of a chunk'
    if (hasField(fieldOf(value, 'delta'), 'meta_data')) return 'meta_data of a delta'
  }
  return 'from the list of messages'
}

const preconditions = {
  'thread-without-user': '',
  'calls-unanswered': '',
  'calls-partly-answered': '',
  'thread-ends-on-assistant': '',
  'thread-ends-on-system': '',
}

/** What a list with one odd parameter got: refused, or how many items. */
const oddList = (
  about: AmbiguityText,
  accepted: (parsed: ParsedExchange, items: number) => string,
  rejected = 'rejected',
): GapObserver =>
  function* (analysis) {
    for (const parsed of withOnlyAmbiguity(analysis, ['listMessages'], about)) {
      const items = fieldOf(documentOf(parsed), 'items')
      if (isRefusal(parsed)) yield { value: rejected, exchange: parsed.id }
      else if (isAccepted(parsed) && Array.isArray(items))
        yield { value: accepted(parsed, items.length), exchange: parsed.id }
    }
  }

const cursorOfOthers = (isOthers: boolean): GapObserver =>
  function* (analysis) {
    const observe = oddList('a cursor that this thread did not hand out', (parsed, items) => {
      if (isOthers) return 'a page of this thread'
      return items === 0 ? 'an empty page' : parsed.id === '' ? '' : 'the first page'
    })
    const known = new Set(
      analysis.histories.threads.flatMap((thread) =>
        [...thread.cursors.keys()].map((key) => key.slice(key.indexOf(' ') + 1)),
      ),
    )
    const parsedExchanges = new Map(analysis.of('listMessages').map((parsed) => [parsed.id, parsed]))
    for (const sighting of observe(analysis)) {
      const parsed = parsedExchanges.get(sighting.exchange)
      if (parsed !== undefined && known.has(queryValues(parsed, 'cursor')[0] ?? '') === isOthers) yield sighting
    }
  }

/** First pages that were asked for with a limit above the default. */
function* largeLimits(
  analysis: TraceAnalysis,
): Iterable<{ readonly value: string; readonly exchange: string; readonly limit: number }> {
  for (const parsed of withOnlyAmbiguity(analysis, ['listMessages'], 'a limit above the default')) {
    // Behind a cursor stands the rest, which may be short of any limit.
    const isFirst = queryValues(parsed, 'cursor').length === 0
    const limit = Number(queryValues(parsed, 'limit')[0])
    const page = analysis.histories.pageOf(parsed)
    const count = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.countAt(parsed.sentAtMs) ?? 0
    const isShort = page !== null && count > page.items.length && page.items.length < limit
    if (isFirst && isRefusal(parsed)) yield { value: 'rejected', exchange: parsed.id, limit }
    else if (isFirst && isShort) yield { value: 'clamped', exchange: parsed.id, limit }
    else if (isFirst && page !== null && count > 100) yield { value: 'unlimited', exchange: parsed.id, limit }
  }
}

export const conversationObservers = {
  'streams.media-type': function* (analysis) {
    for (const parsed of streams(analysis)) {
      const header = answerHeader(parsed.exchange, 'content-type')
      yield { value: header?.split(';')[0]?.trim().toLowerCase() ?? 'none', exchange: parsed.id }
    }
  },

  'streams.line-end': framing('cr-before-lf', 'CRLF', 'LF'),
  'streams.final-newline': framing('missing-final-newline', 'no', 'yes'),
  'streams.blank-lines': framing('blank-line', 'blank lines', 'none seen'),

  'streams.error-after-start': function* (analysis) {
    for (const operation of streamOperations) {
      for (const parsed of analysis.of(operation)) {
        if (parsed.answer.stream === null || chunksOf(parsed).length === 0) continue
        if (brokeInside(parsed)) yield { value: 'an error body as a line', exchange: parsed.id }
        else if (parsed.exchange.ending === 'cut') yield { value: 'the connection breaks', exchange: parsed.id }
      }
    }
  },

  'streams.other-block-types': function* (analysis) {
    for (const parsed of streams(analysis, ['streamChatCompletionEvents'])) {
      for (const { value } of chunksOf(parsed)) {
        const blocks = fieldOf(fieldOf(value, 'delta'), 'content_blocks')
        for (const block of Array.isArray(blocks) ? blocks : []) {
          const type = textField(block, 'type')
          if (type !== null && type !== 'reasoning') yield { value: type, exchange: parsed.id, group: type }
        }
      }
    }
  },

  'streams.when-sources-come': function* (analysis) {
    for (const parsed of streams(analysis, textStreams)) {
      const chunks = chunksOf(parsed)
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
      yield { value, exchange: parsed.id }
    }
  },

  'streams.meta-data': function* (analysis) {
    for (const parsed of streams(analysis, textStreams)) {
      yield { value: metaDataPlace(chunksOf(parsed)), exchange: parsed.id }
    }
  },

  /** Fields of a chunk beside the contract's that only the last one has. */
  'streams.end-signal': function* (analysis) {
    for (const parsed of streams(analysis)) {
      const chunks = chunksOf(parsed)
      const last = chunks.at(-1)?.value
      const telling = isObject(last) ? Object.keys(last).filter((name) => !chunkFields.has(name)) : []
      const own = telling.find((name) => !chunks.slice(0, -1).some(({ value }) => hasField(value, name)))
      if (chunks.length > 1)
        yield { value: own === undefined ? 'end of the response' : `a last chunk with ${own}`, exchange: parsed.id }
    }
  },

  'streams.completion-without-support': function* (analysis) {
    const about = 'a streamed completion with an assistant that may not stream'
    for (const operation of ['streamChatCompletion', 'streamChatCompletionEvents'] as const) {
      for (const parsed of withOnlyAmbiguity(analysis, [operation], about)) {
        const accepted = chunksOf(parsed).length === 1 ? 'one whole chunk' : 'a stream'
        for (const sighting of acceptanceOf([parsed], accepted, codeOf)) yield { ...sighting, group: operation }
      }
    }
  },

  'threads.run-precondition-code': function* (analysis) {
    for (const [parsed] of withSoleFault(analysis, bothRuns, preconditions)) {
      if (isRefusal(parsed)) yield { value: codeOf(parsed), exchange: parsed.id }
    }
  },

  'threads.completion-thread-code': function* (analysis) {
    for (const [parsed] of withSoleFault(analysis, ['createMessage'], { 'thread-made-by-completion': null })) {
      if (isRefusal(parsed)) yield { value: codeOf(parsed), exchange: parsed.id }
    }
  },

  'threads.run-required-fields': function* (analysis) {
    for (const parsed of bothRuns.flatMap((form) => analysis.of(form))) {
      const isRefused = isRefusal(parsed) && parsed.answer.code === 'validation_error'
      if ((!isRefused && !isAccepted(parsed)) || askedWithoutFields(parsed, analysis) === null) continue
      yield { value: isRefused ? 'needed' : 'not needed', exchange: parsed.id }
    }
  },

  'threads.run-without-body': acceptance(bothRuns, 'a run without a body'),
  'threads.run-on-completion-thread': acceptance(bothRuns, 'a run of a thread that a completion made'),
  'threads.late-system-message': acceptance(['createMessage'], 'a system message that may not be the first'),
  'threads.blank-content': acceptance(['createMessage'], 'content of blanks alone'),
  'threads.unpaired-surrogate': acceptance(['createMessage'], 'half of a surrogate pair in content'),
  'tools.answered-twice': acceptance(['createMessage'], 'a second tool message for one call'),
  'tools.match-distance': acceptance(['createMessage'], 'a tool message away from its call'),

  'tools.posted-calls': function* (analysis) {
    for (const thread of analysis.histories.threads) {
      for (const write of thread.writes) {
        const isPosted = write.kind === 'created' && write.role === 'assistant' && write.calls.length > 0
        const isRead = write.calls.some((id) => (thread.calls.get(id)?.certainFromMs ?? Infinity) < Infinity)
        if (isPosted && isRead && write.status === 'acknowledged') yield { value: 'yes', exchange: write.parsed.id }
      }
    }
  },

  'tools.call-id-again': function* (analysis) {
    const { tools } = analysis.profile
    for (const parsed of tools === null ? [] : analysis.of('createMessage')) {
      const calls = analysis.histories.thread(parsed.params.thread_id ?? '')?.calls
      const ids = parsed.body.kind === 'json' && tools !== null ? callsOf(parsed.body.value, tools) : []
      const isAgain = ids.some((id) => (calls?.get(id)?.certainFromMs ?? Number.POSITIVE_INFINITY) < parsed.sentAtMs)
      if (isAgain && textField(parsed.body.kind === 'json' ? parsed.body.value : null, 'role') === 'assistant')
        yield* acceptanceOf([parsed], 'accepted', () => 'rejected')
    }
  },

  /** Of calls that the service made: those that a client added have the ids of the client. */
  'tools.call-id-form': function* (analysis) {
    for (const thread of analysis.histories.threads) {
      for (const { kind, calls, parsed } of thread.writes) {
        if (kind !== 'answer') continue
        for (const id of calls)
          yield { value: uuidForm(id) === 'exact' ? 'a UUID' : 'another string', exchange: parsed.id }
      }
    }
  },

  'pagination.end-signal': function* (analysis) {
    for (const thread of analysis.histories.threads) {
      for (const { exhaustive, pages } of thread.views) {
        const last = pages.at(-1) ?? pages[0]
        if (!exhaustive) continue
        const cursor = fieldOf(documentOf(last.parsed), 'cursor')
        const value =
          cursor === null
            ? 'null'
            : cursor === undefined
              ? 'absent'
              : cursor === ''
                ? 'an empty string'
                : 'a cursor to an empty page'
        yield { value, exchange: last.parsed.id }
      }
    }
  },

  'pagination.limit-below-one': oddList('a limit below one', (_, items) => (items === 0 ? 'an empty page' : 'clamped')),
  'pagination.integer-spelling': oddList('another spelling of an integer', () => 'accepted'),

  /** Limits above the default: refused, clamped, or served; one that is served tells nothing when a larger one is not. */
  'pagination.maximum-limit': function* (analysis) {
    const seen = [...largeLimits(analysis)]
    const largestHeld = highest(seen.flatMap(({ value, limit }) => (value === 'unlimited' ? [] : [limit])))
    for (const { value, exchange, limit } of seen)
      if (value !== 'unlimited' || limit > largestHeld) yield { value, exchange, group: `${limit}` }
  },

  'pagination.repeated-parameter': function* (analysis) {
    for (const parsed of withOnlyAmbiguity(analysis, ['listMessages'], 'a repeated query parameter')) {
      const [first, last] = [queryValues(parsed, 'limit')[0], queryValues(parsed, 'limit').at(-1)].map(Number)
      const items = analysis.histories.pageOf(parsed)?.items.length
      if (isRefusal(parsed)) yield { value: 'rejected', exchange: parsed.id }
      else if (items !== undefined && first !== last && (items === first || items === last)) {
        yield { value: items === first ? 'the first counts' : 'the last counts', exchange: parsed.id }
      }
    }
  },

  'pagination.invalid-cursor': cursorOfOthers(false),
  'pagination.cursor-of-other-thread': cursorOfOthers(true),
} satisfies Partial<Record<GapId, GapObserver>>
