/**
 * Tells the time of another zone from a clock that is wrong. Zones are whole quarters of an hour apart, half an hour to
 * fourteen hours.
 */
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

interface DatedStamp {
  readonly stamp: string
  readonly date: string
  /** How far the stamp is ahead of the date. */
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
const dates = new LruCache((date) => Date.parse(date))
