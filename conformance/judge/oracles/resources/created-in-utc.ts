/**
 * Judges whether new messages are stamped in UTC, by the Date header of the same answer. A clock may be wrong by any
 * amount; a constant difference of whole quarters of an hour means another time zone, and one of whole days another month.
 * A gateway may write a Date of its own: a stamp that agrees with the recording machine's clock is not wrong.
 */
import { instantMs } from '../../read/formats.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { datedStamp, wrongWriting } from '../../read/zone-offset.ts'
import type { Oracle } from '../support/oracle.ts'

const operation = 'createMessage'
/** Date has whole seconds, and an answer may take some seconds to arrive. */
const slackMs = 5_000
/** The number of stamps that must agree on a difference. */
const fewest = 3
/** Clocks of two machines may be some minutes apart; zones differ by half an hour at least. */
const clockSlackMs = 600_000

/** Oracle of resources.created-in-utc. */
export const createdInUtc: Oracle = (analysis, observe) => {
  const read = analysis.of(operation).flatMap((parsed) => {
    const stamped = isAccepted(parsed) ? datedStamp(parsed) : null
    return stamped === null ? [] : [{ parsed, ...stamped, wrong: wrongWriting(stamped.apartMs, slackMs) }]
  })
  const [first] = read
  if (first === undefined) return
  const { wrong, date, stamp } = first
  // A stamp that is right is evidence alone, so that the parts of a long trace count what the whole does.
  if (read.length < fewest || wrong === null || read.some((other) => other.wrong?.by !== wrong.by)) {
    for (const { parsed, apartMs } of read) if (Math.abs(apartMs) <= slackMs) observe.held(operation, null, parsed.id)
    return
  }
  if (read.some((one) => agreesWithRecorder(one.parsed, one.stamp, analysis.profile.startedAtMs))) return
  observe.contradicted(operation, null, {
    exchanges: read.slice(0, fewest).map(({ parsed }) => parsed.id),
    expected: `a UTC timestamp near the Date of the answer, ${date}`,
    actual: stamp,
    pointer: '/created_at',
    because: `Each of ${read.length} new messages is stamped ${wrong.by} the Date header of its answer: ${wrong.is}.`,
    headline: `new messages are stamped ${wrong.by} the Date header`,
  })
}

const agreesWithRecorder = ({ exchange }: ParsedExchange, stamp: string, startedAtMs: number): boolean =>
  Math.abs(instantMs(stamp) - startedAtMs - exchange.endedAtMs) <= clockSlackMs
