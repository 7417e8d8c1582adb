/**
 * Lists what the suite is proven on: deviations that it must kill and variants that it must accept. Both override hooks
 * of the mock; a worker finds its subject again by name.
 */
import { globMatcher, type TargetProfile } from '../../conformance/index.ts'
import {
  type Deviation,
  type HookOverride,
  loadDeviations,
  loadVariants,
  type Variant,
} from '../../mock-server/index.ts'

export type SubjectKind = 'deviation' | 'variant'

export interface Subject {
  readonly kind: SubjectKind
  readonly id: string
  readonly overrides: readonly HookOverride[]
  /** The changes to the profile of the mock. */
  readonly profile: Partial<TargetProfile>
  /** The requirement that it violates: a trial plays its probes first, and all others only when these show nothing. */
  readonly only?: string
}

/** Which subjects are tried. */
export interface Selection {
  /** A glob over ids of deviations, of variants and of the requirements that deviations violate. */
  readonly only?: string | undefined
  /** One part of several, counted from 1. */
  readonly sample?: { readonly index: number; readonly of: number } | undefined
}

export interface Selected {
  readonly deviations: readonly Deviation[]
  /** Deviations that break a single obligation. */
  readonly narrowed: readonly Deviation[]
  readonly variants: readonly Variant[]
}

/** The deviations and variants that a selection leaves, in the order of their tables. */
export const select = async ({ only = '*', sample }: Selection): Promise<Selected> => {
  const wanted = globMatcher(only)
  const isSampled = (_: unknown, place: number): boolean =>
    sample === undefined || place % sample.of === sample.index - 1
  const { deviations, narrowed } = await loadDeviations()
  const isWanted = ({ id, requirement }: Deviation): boolean => wanted(id) || wanted(requirement)
  return {
    deviations: deviations.filter(isWanted).filter(isSampled),
    narrowed: narrowed.filter(isWanted).filter(isSampled),
    variants: (await loadVariants()).filter(({ id }) => wanted(id)).filter(isSampled),
  }
}

/** The subject with this kind and id. Throws when there is none, since only names from the tables are asked for. */
export const subjectOf = async (kind: SubjectKind, id: string): Promise<Subject> => {
  const found = kind === 'deviation' ? await deviationSubject(id) : await variantSubject(id)
  if (found === undefined) throw new Error(`unknown ${kind} ${id}`)
  return found
}

const deviationSubject = async (id: string): Promise<Subject | undefined> => {
  const { deviations, narrowed } = await loadDeviations()
  const override = deviations.find((deviation) => deviation.id === id)
  if (override !== undefined) return { kind: 'deviation', id, overrides: [override], profile: {} }
  const narrow = narrowed.find((deviation) => deviation.id === id)
  return narrow && { kind: 'deviation', id, overrides: [narrow], profile: {}, only: narrow.requirement }
}

const variantSubject = async (id: string): Promise<Subject | undefined> => {
  const variant = (await loadVariants()).find((one) => one.id === id)
  return variant && { kind: 'variant', id, overrides: variant.overrides, profile: variant.profile ?? {} }
}
