/**
 * Every message that the service showed as a document: answers, created messages, listed items, with the place where each
 * stands. Made once for all the oracles of chapter resources.
 */
import { isObject, type JsonObject, textField } from '../classify/json.ts'
import { documentOf, type Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import { mayAskForTools } from '../ledger/calls.ts'
import type { Page } from '../ledger/thread-ledger.ts'
import type { Place } from './field-rules.ts'

export type MessageOperation = 'createChatCompletion' | 'runThread' | 'createMessage' | 'listMessages'

export interface MessageSighting extends Place {
  readonly reading: Reading
  readonly operation: MessageOperation
  /** The value where a message should stand. */
  readonly value: unknown
  /** The message when it is an object. */
  readonly message: JsonObject | null
  /** Whether it is an answer of an assistant: `maybe` for a listed assistant message that a client may have added. */
  readonly isAnswer: 'yes' | 'no' | 'maybe'
  /** Whether it asks for tools, or may, in a form that the contract does not show. */
  readonly asksForTools: boolean
}

/** All sightings, in the order of the trace; a message that a list shows again as it was is no further one. */
export const messageSightings: (docket: Docket) => readonly MessageSighting[] = oncePerDocket((docket) => {
  const listed: Listed = new Map()
  return docket.readings.flatMap((reading) => sightingsIn(reading, docket, listed))
})

/** Messages that lists have shown, which are one object as long as they do not change, and in which thread. */
type Listed = Map<unknown, string>

function sightingsIn(reading: Reading, docket: Docket, listed: Listed): readonly MessageSighting[] {
  const document = documentOf(reading)
  if (document === undefined) return []
  switch (reading.operation) {
    case 'createChatCompletion':
    case 'runThread':
      return [sighting(reading, reading.operation, '', document, 'yes', docket)]
    case 'createMessage':
      return [sighting(reading, reading.operation, '', document, 'no', docket)]
    case 'listMessages': {
      const page = docket.ledger.pageOf(reading)
      return page === null ? [] : sightingsOn(page, docket, listed)
    }
    default:
      return []
  }
}

function sightingsOn(page: Page, docket: Docket, listed: Listed): readonly MessageSighting[] {
  const thread = docket.ledger.thread(page.thread)
  const sightings: MessageSighting[] = []
  for (const [index, item] of page.items.entries()) {
    if (isObject(item) && listed.get(item) === page.thread) continue
    listed.set(item, page.thread)
    const stored = thread?.stored.get(page.ids[index] ?? '')
    const isAnswer = textField(item, 'role') !== 'assistant' ? 'no' : stored?.write?.kind === 'answer' ? 'yes' : 'maybe'
    sightings.push(sighting(page.reading, 'listMessages', `/items/${index}`, item, isAnswer, docket))
  }
  return sightings
}

function sighting(
  reading: Reading,
  operation: MessageOperation,
  at: string,
  value: unknown,
  isAnswer: MessageSighting['isAnswer'],
  { profile }: Docket,
): MessageSighting {
  const message = isObject(value) ? value : null
  const asksForTools =
    message !== null && (isAnswer !== 'no' || message.role === 'assistant') && mayAskForTools(message, profile.tools)
  return { reading, operation, exchange: reading.id, at, value, message, isAnswer, asksForTools }
}
