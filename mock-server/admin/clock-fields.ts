/** The settings of a clock as fields of an admin request. */
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import type { ClockMode, ClockOptions } from '../clock/clock.ts'
import { timestampOf } from '../clock/timestamp.ts'

export const clockFields = { mode: 'text', start_at: 'text', factor: 'number' } as const

/** Clock options of the fields, `null` when none of them is given. */
export function clockOptionsOf(fields: {
  readonly mode?: string
  readonly start_at?: string
  readonly factor?: number
}): ClockOptions | null {
  const { mode, start_at: startAt, factor } = fields
  if (mode === undefined && startAt === undefined && factor === undefined) return null
  return {
    ...(mode === undefined ? null : { mode: mode as ClockMode }),
    ...(startAt === undefined ? null : { startAt }),
    ...(factor === undefined ? null : { factor }),
  }
}

/** A clock as the admin API shows it. */
export function clockView(clock: AdjustableClock) {
  const { mode, factor } = clock
  return { mode, ...(mode === 'scaled' ? { factor } : null), now: timestampOf(clock.nowUs()) }
}
