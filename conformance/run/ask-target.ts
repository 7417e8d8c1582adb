/**
 * Checks before a run whether the profile fits the target: first the keys, then the other settings. Every command that
 * runs the suite does this, so that no wrong setting looks like a verdict.
 */
import { askKeys, type KeyProblem, keyTextProblem } from '../preflight/key-check.ts'
import { capsFor, type Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { contradictionsIn, type SettingProblem } from './setting-problem.ts'
import { askSettings, type SettingsCheckOptions } from './settings-check.ts'

export type TargetProblem = KeyProblem | SettingProblem

/** The problems of a profile by itself; sends nothing. */
export const profileProblem = (profile: TargetProfile): TargetProblem | null =>
  keyTextProblem(profile) ?? contradictionsIn(profile)[0] ?? null

interface AskTargetOptions extends SettingsCheckOptions {
  readonly tier: Tier
}

interface AskedTarget {
  readonly problem: TargetProblem | null
  /** The cap on requests that is left for the run; a tier's own cap is for the run alone. */
  readonly maxExchanges: number | undefined
}

/** Sends requests with every key and for everything that the profile names, without model calls. */
export async function askTarget(
  profile: TargetProfile,
  { tier, maxExchanges, client }: AskTargetOptions,
): Promise<AskedTarget> {
  const given = maxExchanges ?? profile.budget.maxExchanges
  const left = (spent: number): number | undefined => (given === undefined ? undefined : Math.max(0, given - spent))
  const keys = await askKeys(profile, { maxExchanges: given, client })
  if (keys.problem !== null) return { problem: keys.problem, maxExchanges: left(keys.exchanges) }
  const settings = await askSettings(profile, { maxExchanges: left(keys.exchanges), client })
  const forRun = left(keys.exchanges + settings.exchanges)
  return { problem: settings.problem, maxExchanges: capOfRun(profile, tier, maxExchanges, forRun) }
}

/** A profile is written for whole runs: its budget does not widen a tier. */
function capOfRun(
  profile: TargetProfile,
  tier: Tier,
  wished: number | undefined,
  left: number | undefined,
): number | undefined {
  if (left === undefined || wished !== undefined) return left
  return capsFor(tier, { ...profile, budget: { ...profile.budget, maxExchanges: left } }).maxExchanges ?? undefined
}
