/**
 * Judges whether new messages are stamped in UTC, by the Date header of the same answer. A clock may be wrong by anything; what
 * is wrong by whole quarters of an hour, each time, is the time of another zone.
 */

import { instantMs, isTimestamp } from '../../read/formats.ts'
import { textField } from '../../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'

const operation = 'createMessage'
const quarterMs = 900_000
/** Date has whole seconds, and an answer may be on its way for some. */
const slackMs = 5_000
/** So many stamps have to agree. */
const fewest = 3

/** Oracle of resources.created-in-utc. */
export const createdInUtc: Oracle = (analysis, observe) => {
  const read = stampsOf(analysis)
  const zones = new Set(read.map(({ quarters }) => quarters))
  const [first, ...others] = read
  if (first === undefined || read.length < fewest) return
  if (zones.size > 1 || !isZone(first.quarters)) {
    for (const { parsed, quarters } of read) if (quarters === 0) observe.held(operation, null, parsed.id)
    return
  }
  const hours = `${Math.abs(first.quarters) / 4} h ${first.quarters > 0 ? 'ahead of' : 'behind'}`
  observe.contradicted(operation, null, {
    exchanges: [first, ...others.slice(0, fewest - 1)].map(({ parsed }) => parsed.id),
    expected: `a UTC timestamp near the Date of the answer, ${first.date}`,
    actual: first.stamp,
    pointer: '/created_at',
    because: `Each of ${read.length} new messages is stamped ${hours} the Date header of its answer: the time of another zone.`,
  })
}

interface Stamp {
  readonly parsed: ParsedExchange
  readonly date: string
  readonly stamp: string
  /** Of an hour, between stamp and Date; not a whole number where neither time nor zone agree. */
  readonly quarters: number
}

function stampsOf(analysis: TraceAnalysis): readonly Stamp[] {
  return analysis.of(operation).flatMap((parsed): readonly Stamp[] => {
    const date = parsed.exchange.response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
    const stamp = textField(documentOf(parsed), 'created_at')
    if (!isAccepted(parsed) || date === undefined || !isTimestamp(stamp)) return []
    const apartMs = instantMs(stamp) - Date.parse(date)
    return Number.isNaN(apartMs) ? [] : [{ parsed, date, stamp, quarters: quartersIn(apartMs) }]
  })
}

function quartersIn(apartMs: number): number {
  const nearest = Math.round(apartMs / quarterMs)
  return Math.abs(apartMs - nearest * quarterMs) <= slackMs ? nearest : apartMs / quarterMs
}

/** Zones are half an hour to fourteen hours away. */
const isZone = (quarters: number): boolean =>
  Number.isInteger(quarters) && Math.abs(quarters) >= 2 && Math.abs(quarters) <= 56
