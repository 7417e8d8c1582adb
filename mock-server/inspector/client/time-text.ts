/** Times and sizes in readable form. */

/** `12 ms` or `1.25 s` of microseconds. */
export function secondsText(us: number): string {
  const ms = us / 1000
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms >= 100 || Number.isInteger(ms) ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}

/** Microseconds since the epoch of a stamp with six digits, which `Date` cuts to three. */
export function microsecondsOf(stamp: string): number {
  const fraction = /\.(\d+)Z$/.exec(stamp)?.[1] ?? ''
  return Date.parse(`${stamp.slice(0, 19)}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** `10:22:03.123` of a stamp. */
export function clockText(stamp: string): string {
  return stamp.slice(11, 23)
}

export function bytesText(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
