/** Formats times of a report as ISO text. A report may hold an invalid date, and no rendering may fail on it. */

/** ISO text of milliseconds since 1970; 1970 itself when there is no such time. */
export function isoTime(ms: number): string {
  const date = new Date(ms)
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString()
}

/** As `isoTime`, to the microsecond: events within a millisecond keep their order. */
export function isoMicroseconds(ms: number): string {
  const micros = Math.floor((ms - Math.floor(ms)) * 1000)
  return isoTime(Math.floor(ms)).replace('Z', `${String(micros).padStart(3, '0')}Z`)
}
