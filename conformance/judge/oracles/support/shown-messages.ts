/**
 * Collects every message that the service showed as a document: answers, created messages and listed items, each with its
 * place. It is built once for all the oracles of chapter resources.
 */

import type { Page } from '../../history/thread-record.ts'
import { mayAskForTools } from '../../history/tool-calls.ts'
import { isObject, type JsonObject, textField } from '../../read/json.ts'
import { documentOf, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import type { Place } from './field-checks.ts'

type MessageOperation = 'createChatCompletion' | 'runThread' | 'createMessage' | 'listMessages'

export interface MessageSighting extends Place {
  readonly parsed: ParsedExchange
  readonly operation: MessageOperation
  /** The value at the place of a message. */
  readonly value: unknown
  /** The message when it is an object. */
  readonly message: JsonObject | null
  /** Whether it is an answer of an assistant: `maybe` for a listed assistant message that a client may have added. */
  readonly isAnswer: 'yes' | 'no' | 'maybe'
  /** Whether it asks for tools, or may, in a form that the contract does not show. */
  readonly asksForTools: boolean
}

/** All sightings, in the order of the trace; a message that a list shows again as it was is no further one. */
export const messageSightings: (analysis: TraceAnalysis) => readonly MessageSighting[] = memoPerTrace((analysis) => {
  const listed: Listed = new Map()
  return analysis.parsedExchanges.flatMap((parsed) => sightingsIn(parsed, analysis, listed))
})

/** Messages that lists have shown, which are one object as long as they do not change, and in which thread. */
type Listed = Map<unknown, string>

function sightingsIn(parsed: ParsedExchange, analysis: TraceAnalysis, listed: Listed): readonly MessageSighting[] {
  const document = documentOf(parsed)
  if (document === undefined) return []
  switch (parsed.operation) {
    case 'createChatCompletion':
    case 'runThread':
      return [sighting(parsed, parsed.operation, '', document, 'yes', analysis)]
    case 'createMessage':
      return [sighting(parsed, parsed.operation, '', document, 'no', analysis)]
    case 'listMessages': {
      const page = analysis.histories.pageOf(parsed)
      return page === null ? [] : sightingsOn(page, analysis, listed)
    }
    default:
      return []
  }
}

function sightingsOn(page: Page, analysis: TraceAnalysis, listed: Listed): readonly MessageSighting[] {
  const thread = analysis.histories.thread(page.thread)
  const sightings: MessageSighting[] = []
  for (const [index, item] of page.items.entries()) {
    if (isObject(item) && listed.get(item) === page.thread) continue
    listed.set(item, page.thread)
    const stored = thread?.stored.get(page.ids[index] ?? '')
    const isAnswer = textField(item, 'role') !== 'assistant' ? 'no' : stored?.write?.kind === 'answer' ? 'yes' : 'maybe'
    sightings.push(sighting(page.parsed, 'listMessages', `/items/${index}`, item, isAnswer, analysis))
  }
  return sightings
}

function sighting(
  parsed: ParsedExchange,
  operation: MessageOperation,
  at: string,
  value: unknown,
  isAnswer: MessageSighting['isAnswer'],
  { profile }: TraceAnalysis,
): MessageSighting {
  const message = isObject(value) ? value : null
  const asksForTools =
    message !== null && (isAnswer !== 'no' || message.role === 'assistant') && mayAskForTools(message, profile.tools)
  return { parsed, operation, exchange: parsed.id, at, value, message, isAnswer, asksForTools }
}
