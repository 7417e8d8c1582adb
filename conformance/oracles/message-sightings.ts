/**
 * Every message that the service showed as a document: answers, created messages, listed items, with the place where each
 * stands. Made once for all the oracles of chapter resources.
 */
import { isObject, type JsonObject, textField } from '../classify/json.ts'
import { documentOf, type Reading } from '../classify/reading.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import { mayAskForTools } from '../ledger/calls.ts'
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

/** All sightings, in the order of the trace. */
export const messageSightings: (docket: Docket) => readonly MessageSighting[] = oncePerDocket((docket) =>
  docket.readings.flatMap((reading) => sightingsIn(reading, docket)),
)

function sightingsIn(reading: Reading, docket: Docket): readonly MessageSighting[] {
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
      const thread = page === null ? null : docket.ledger.thread(page.thread)
      return (page?.items ?? []).map((item, index) => {
        const stored = thread?.stored.get(page?.ids[index] ?? '')
        const isAnswer =
          textField(item, 'role') !== 'assistant' ? 'no' : stored?.write?.kind === 'answer' ? 'yes' : 'maybe'
        return sighting(reading, 'listMessages', `/items/${index}`, item, isAnswer, docket)
      })
    }
    default:
      return []
  }
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
