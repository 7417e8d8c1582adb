/** Whole answers in the form of streams. */

import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { headerOf } from '../exchange/request.ts'

/** A whole answer as two chunks of NDJSON. */
export function answerInChunks(json: string): string {
  const { id, thread_id, created_at, content } = JSON.parse(json) as Readonly<Record<string, string>>
  return [content?.slice(0, 5), content?.slice(5)]
    .map((part) => ({
      created_at,
      message_id: id,
      thread_id,
      delta: { content: part, role: 'assistant', sources: [] },
    }))
    .map((chunk) => `${JSON.stringify(chunk)}\n`)
    .join('')
}

/** Whether the caller says that it reads NDJSON. */
export const acceptsLines = ({ request }: InFlightRequest): boolean =>
  headerOf(request.headers, 'accept')?.includes('ndjson') === true
