/** Tells probes without a share of the plan whether enough requests are left for them. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'

/** What the last look of a gate run sends. */
export const gateLastLook = 8

/** Whether so many requests, repetitions included, are left besides those of the last look. */
export const areLeft = ({ left }: Pick<ProbeContext, 'left'>, exchanges: number): boolean =>
  left().exchanges >= exchanges + gateLastLook
