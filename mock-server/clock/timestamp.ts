/**
 * Writes ticks as timestamps; a tick is a microsecond since the Unix epoch (contract: Resources and their fields).
 * The text of the current second is kept, since most timestamps share it.
 */

let second = Number.NaN
let prefix = ''

/** `2026-01-02T03:04:05.678901Z` for a tick in microseconds. */
export function timestampOf(tickUs: number): string {
  const wholeSecond = Math.floor(tickUs / 1_000_000)
  if (wholeSecond !== second) {
    // Only kept once it is known: a time that no date can hold throws here.
    prefix = new Date(wholeSecond * 1000).toISOString().slice(0, -4)
    second = wholeSecond
  }
  return `${prefix}${String(tickUs - wholeSecond * 1_000_000).padStart(6, '0')}Z`
}

const stampPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/

/** The tick of a timestamp in UTC with up to six fractional digits, `null` for any other text. */
export function tickOf(text: string): number | null {
  const [, whole, digits = ''] = stampPattern.exec(text) ?? []
  if (whole === undefined || !isDay(whole)) return null
  const ms = Date.parse(`${whole}Z`)
  return Number.isNaN(ms) ? null : ms * 1000 + Number(digits.padEnd(6, '0'))
}

const timePattern = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** The tick of a time in any common form of ISO 8601, also with an offset; `null` for any other text. */
export function timeOf(text: string): number | null {
  const exact = tickOf(text)
  if (exact !== null || !timePattern.test(text) || !isDay(text)) return exact
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : ms * 1000
}

/** Whether the calendar has the day: a Date object turns the 30th of February into the second of March. */
function isDay(text: string): boolean {
  const [, year, month, day] = (/^([+-]?\d+)-(\d\d)-(\d\d)/.exec(text) ?? []).map(Number)
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day ?? 0)).getUTCDate() === day
}
