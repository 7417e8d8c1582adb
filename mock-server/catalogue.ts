/**
 * Loads deviations and variants on demand. There are hundreds of them, and a faithful mock starts without loading any.
 */

import { nearestName, type RequirementId } from '../spec/index.ts'
import type { Deviation, HookOverride } from './exchange/hooks.ts'
import type { Variant } from './variants/variant.ts'

interface DeviationCatalogue {
  /** In the order of the requirements. */
  readonly deviations: readonly Deviation[]
  /** Testable requirements that no deviation can break, with the reason. */
  readonly withoutDeviation: ReadonlyMap<RequirementId, string>
  /** Deviations narrowed to one obligation each; their requirements are those of `deviations`. */
  readonly narrowed: readonly Deviation[]
}

/** Every named violation of the contract that the mock can be overridden to. */
export const loadDeviations = async (): Promise<DeviationCatalogue> => {
  const { deviations, withoutDeviation } = await import('./deviations/deviations.ts')
  const { narrowedDeviations: narrowed } = await import('./deviations/narrowed/narrowed-deviations.ts')
  return { deviations, withoutDeviation, narrowed }
}

/** Every legal difference that the mock can be overridden to, by chapter. */
export const loadVariants = async (): Promise<readonly Variant[]> => (await import('./variants/variants.ts')).variants

/** Overrides as a user names them: deviations by their id, or the overrides themselves. Throws for an unknown id. */
export const overridesOf = async (chosen: readonly (string | HookOverride)[]): Promise<readonly HookOverride[]> => {
  if (chosen.every((one) => typeof one !== 'string')) return chosen
  const { deviations } = await loadDeviations()
  return chosen.map((one) => {
    if (typeof one !== 'string') return one
    const found = deviations.find(({ id }) => id === one)
    if (found !== undefined) return found
    const near = nearestName(
      one,
      deviations.map(({ id }) => id),
    )
    const hint = near === null ? '`acs list deviations` shows them' : `did you mean "${near}"?`
    throw new RangeError(`no deviation is called "${one}"; ${hint}`)
  })
}
