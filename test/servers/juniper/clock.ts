/** Tells the time in microseconds, never backwards, and writes it as the contract's timestamps. */

/** Microseconds since 1970. */
export type Micros = number

/** A clock that never goes backwards. */
export function startClock(): () => Micros {
  let last = 0
  return () => {
    last = Math.max(last, Math.floor((performance.timeOrigin + performance.now()) * 1000))
    return last
  }
}

/** An ISO 8601 UTC timestamp with six digits of a second. */
export function timestamp(time: Micros, fault = ''): string {
  const seconds = new Date(Math.floor(time / 1000)).toISOString().slice(0, 19)
  const fraction = String(time % 1_000_000).padStart(6, '0')
  if (fault === 'time_milliseconds') return `${seconds}.${fraction.slice(0, 3)}Z`
  if (fault === 'time_offset') return `${seconds}.${fraction}+00:00`
  if (fault === 'time_without_zone') return `${seconds}.${fraction}`
  if (fault === 'time_trailing_zeros_cut') return `${seconds}.${fraction.replace(/0+$/, '')}Z`
  return `${seconds}.${fraction}Z`
}

/** Lets other requests go on for a while. */
export const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs))
