/**
 * Deviations and variants, loaded when somebody asks for them: there are hundreds, and a mock that is not bent starts
 * without reading one.
 */
import type { RequirementId } from '../spec/index.ts'
import type { Deviation } from './hooks.ts'
import type { Variant } from './variants/support/variant.ts'

export interface DeviationCatalogue {
  /** In the order of the requirements. */
  readonly deviations: readonly Deviation[]
  /** Testable requirements that no deviation can break, with the reason. */
  readonly withoutDeviation: ReadonlyMap<RequirementId, string>
}

/** Every named violation of the contract that the mock can be bent to. */
export const loadDeviations = async (): Promise<DeviationCatalogue> => {
  const { deviations, withoutDeviation } = await import('./deviations/deviations.ts')
  return { deviations, withoutDeviation }
}

/** Every legal difference that the mock can be bent to, by chapter. */
export const loadVariants = async (): Promise<readonly Variant[]> => (await import('./variants/variants.ts')).variants
