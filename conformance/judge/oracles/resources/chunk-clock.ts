/**
 * Judges whether the chunks of a stream are stamped in UTC, by the message that they make. Both stamps belong to one
 * answer, so a difference of hours, in whole quarters of an hour, means another time zone.
 */
import { streamOperations } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isTimestamp } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { chunksOf } from '../../read/stream-chunks.ts'
import { zoneHours } from '../../read/zone-offset.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'

/** A stream that took longer says too little about when its stamps were taken. */
const longestMs = 300_000
/** The tolerance for clocks and for storing an answer, beside the stream itself. */
const slackMs = 30_000

/** Part of the oracle of resources.timestamp-format. */
export function chunksInUtc(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  for (const operation of streamOperations) {
    for (const parsed of analysis.of(operation)) {
      const stored = analysis.histories.writesOf(parsed).find(({ kind }) => kind === 'answer')?.stored?.first
      const listed = textField(stored?.item, 'created_at')
      const [chunk] = chunksOf(parsed)
      const stamp = textField(chunk?.value, 'created_at')
      if (stored === undefined || chunk === undefined || !isTimestamp(listed) || !isTimestamp(stamp)) continue
      const tookMs = parsed.endedAtMs - parsed.sentAtMs
      if (tookMs >= longestMs || zoneHours(Date.parse(stamp) - Date.parse(listed), tookMs + slackMs) === null) continue
      const list = stored.page.parsed.id
      observe.contradicted(operation, 'created_at', {
        exchanges: [parsed.id, list],
        expected: `a UTC timestamp near ${listed}`,
        actual: stamp,
        pointer: `line ${chunk.index + 1} /created_at`,
        because: `The chunks of ${parsed.id} are stamped ${stamp}, and ${list} lists their message with ${listed}: one of them is not UTC.`,
        headline: 'chunks are stamped in another time zone than their stored message',
      })
    }
  }
}
