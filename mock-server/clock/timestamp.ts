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

/** The tick of a timestamp in UTC with up to six digits behind the second, `null` for any other text. */
export function tickOf(text: string): number | null {
  const [, whole, digits = ''] = stampPattern.exec(text) ?? []
  const ms = whole === undefined ? Number.NaN : Date.parse(`${whole}Z`)
  return Number.isNaN(ms) ? null : ms * 1000 + Number(digits.padEnd(6, '0'))
}
