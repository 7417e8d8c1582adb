/**
 * Oracle about progressive delivery: the spread of created_at against the spread of arrival. No wall-clock threshold
 * decides alone; a delay that the suite's own event loop or a short answer can explain decides nothing.
 */

import { streamOperations } from '../../../../spec/index.ts'
import type { DecodedLine } from '../../../trace/ndjson/ndjson.ts'
import { instantMs, isTimestamp } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { chunksOf, isWholeStream } from '../../read/stream-chunks.ts'
import type { Oracle } from '../support/oracle.ts'

/** A shorter span of making may be the jitter of any network. */
const tellingSpanMs = 100

const stampOf = ({ value }: DecodedLine): string => textField(value, 'created_at') ?? ''
const isStamped = (line: DecodedLine): boolean => isTimestamp(stampOf(line))

/** Oracle of streams.progressive. */
export const progressive: Oracle = (analysis, observe) => {
  // A HAR holds no arrival times.
  if (analysis.profile.source === 'har') return
  for (const operation of streamOperations) {
    for (const parsed of analysis.of(operation)) {
      if (!isWholeStream(parsed)) continue
      // Creation and arrival are compared for the same chunks: those with a timestamp.
      const [first, ...others] = chunksOf(parsed).filter(isStamped)
      const last = others.at(-1)
      if (first === undefined || last === undefined) continue
      const made = instantMs(stampOf(last)) - instantMs(stampOf(first))
      const arrived = last.atMs - first.atMs
      const lag = parsed.exchange.loopLagMs ?? 0
      // Stamps that span more than the whole exchange are coarse, and do not show when a chunk was made.
      const isCoarse = made > parsed.endedAtMs - parsed.sentAtMs + tellingSpanMs
      if (made >= tellingSpanMs && arrived >= made / 2) observe.held(operation, null, parsed.id)
      // A stall makes the first arrival late by as much, and the last one never early.
      else if (made < tellingSpanMs || isCoarse || arrived > made / 4 || lag > made / 2) {
        observe.ambiguous(
          operation,
          null,
          parsed.id,
          'Undecided: the chunks were created too close together, their timestamps are too coarse, or the suite was delayed.',
        )
      } else {
        observe.contradicted(operation, null, {
          exchanges: [parsed.id],
          expected: `arrival spread over about ${Math.round(made)} ms, as the chunks were made`,
          actual: `arrival within ${Math.round(arrived)} ms`,
          pointer: `line ${last.index + 1} /created_at`,
          because: `The chunks in ${parsed.id} were made over ${Math.round(made)} ms and arrived within ${Math.round(arrived)} ms.`,
          headline: `chunks that were made over ${Math.round(made)} ms arrive within ${Math.round(arrived)} ms`,
        })
      }
    }
  }
}
