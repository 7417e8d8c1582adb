/**
 * Lists what the smoke tier sends first, in this order and while it fits. The requests are those that kill most deviations
 * for their cost, as `acs prove --tier smoke` measures it. Obligations alone are no measure: a request that shows one rule
 * that servers often break is worth more than one that shows five that they rarely break.
 */
import type { Probe } from '../probes/probe.ts'

const byWorth: readonly string[] = [
  'assistants.first-look',
  'completions.first-answers',
  'completions.first-reading',
  'threads.first-messages',
  'threads.first-answer',
  'tenancy.first-look',
  'files.first-grants',
  'streams.last-blocks',
  'tools.first-round',
  'threads.first-unknown',
  'tenancy.first-thread',
  'pagination.first-limit',
  'threads.first-closed',
  'threads.first-empty',
  'completions.first-ids',
  'completions.first-missing',
  'completions.first-several-faults',
  'tenancy.first-assistants',
  'tenancy.first-foreign-run',
  'completions.first-entries',
  'tenancy.last-continuation',
  'files.first-refusals',
  'auth.first-keys',
  'completions.first-required',
  'streams.first-run',
  'tools.unmatched',
  'threads.run-without-user',
]

/** The first looks among these probes, the most worth first. */
export function smokeOrderOf(probes: readonly Probe[]): readonly Probe[] {
  return byWorth.flatMap((id) => probes.filter((probe) => probe.id === id))
}
