/**
 * The table of all reasons for which the mock refuses a request.
 * The header `x-acs-reason` carries the id of a row, and `acs explain <reason>` prints the row.
 */
import { adminReasons } from './admin-reasons.ts'
import { faultReasons } from './fault-reasons.ts'
import { httpReasons } from './http-reasons.ts'
import { machineReasons } from './machine-reasons.ts'
import type { Reason, RejectionFor } from './reason.ts'

/** Every reason by its id. */
export const reasons = {
  ...httpReasons,
  ...machineReasons,
  ...faultReasons,
  ...adminReasons,
} as const satisfies Readonly<Record<string, Reason>>

export type ReasonId = keyof typeof reasons
export type Rejection = RejectionFor<ReasonId>
