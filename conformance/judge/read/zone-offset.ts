/**
 * Distinguishes a wrongly formatted time from a wrong clock. Zones are whole quarters of an hour apart, half an hour to
 * fourteen hours; a month that is counted from 0 is 28 to 31 whole days.
 */
import { httpDateMs } from '../../trace/http-date.ts'
import { instantMs, isTimestamp } from './formats.ts'
import { textField } from './json.ts'
import { LruCache } from './lru-cache.ts'
import { answerHeader, documentOf, type ParsedExchange } from './parsed-exchange.ts'

const quarterMs = 900_000

/** How many hours apart two zones are whose times are so far apart, give or take `slackMs`; `null` when none are. */
export function zoneHours(apartMs: number, slackMs: number): number | null {
  const quarters = Math.round(apartMs / quarterMs)
  const isFar = Math.abs(quarters) >= 2 && Math.abs(quarters) <= 56
  return isFar && Math.abs(apartMs - quarters * quarterMs) <= slackMs ? quarters / 4 : null
}

const dayMs = 86_400_000

/** The days of a month, if two times are exactly so far apart, give or take `slackMs`. */
function monthDays(apartMs: number, slackMs: number): number | null {
  const days = Math.round(apartMs / dayMs)
  const isMonth = Math.abs(days) >= 28 && Math.abs(days) <= 31
  return isMonth && Math.abs(apartMs - days * dayMs) <= slackMs ? days : null
}

/** The offset of a wrongly formatted time, and the kind of time it is; `null` for a wrong clock. */
export function wrongWriting(apartMs: number, slackMs: number): { readonly by: string; readonly is: string } | null {
  const where = apartMs > 0 ? 'ahead of' : 'behind'
  const hours = zoneHours(apartMs, slackMs)
  if (hours !== null) return { by: `${Math.abs(hours)} h ${where}`, is: 'the time of another zone' }
  const days = monthDays(apartMs, slackMs)
  return days === null ? null : { by: `${Math.abs(days)} days ${where}`, is: 'the same time of another month' }
}

interface DatedStamp {
  readonly stamp: string
  readonly date: string
  /** The time by which the stamp is ahead of the date. */
  readonly apartMs: number
}

/** The `created_at` of an answer beside its Date header; `null` when either is missing or cannot be read. */
export function datedStamp(parsed: ParsedExchange): DatedStamp | null {
  const date = answerHeader(parsed.exchange, 'date')
  const stamp = textField(documentOf(parsed), 'created_at')
  if (date === undefined || !isTimestamp(stamp)) return null
  const apartMs = instantMs(stamp) - dates.of(date)
  return Number.isNaN(apartMs) ? null : { stamp, date, apartMs }
}

/** A Date has whole seconds, and its form is slow to read: many answers carry one. */
const dates = new LruCache(httpDateMs)
