/**
 * Says which obligations a probe gives a witness for, and which ones a target owes. The plan is based on it, and a test
 * compares it with an actual judgement.
 */
import { type Obligation, obligations, operations, type Requirement, requirementOf } from '../../spec/index.ts'
import type { Exercise, Probe } from '../probes/probe.ts'
import { globMatcher } from '../profile/glob.ts'
import type { TargetProfile } from '../profile/target-profile.ts'

const coverages = new WeakMap<Probe, readonly Obligation[]>()

/** Obligations that `probe` can give a witness for. */
export function coverageOf(probe: Probe): readonly Obligation[] {
  const known =
    coverages.get(probe) ??
    obligations.filter((obligation) => probe.exercises.some((exercise) => covers(exercise, obligation)))
  coverages.set(probe, known)
  return known
}

/**
 * Obligations that this target owes a witness for: claimed, mapped if the contract shows no form, and not merely judged
 * when seen.
 */
export function owedBy(profile: TargetProfile): readonly Obligation[] {
  const claimed = new Set(profile.claims)
  return obligations.filter(({ requirement, operation }) => {
    const row = requirementOf(requirement)
    const levels = [...operations[operation].levels, ...(row?.needs ?? [])]
    if (row === undefined || row.owed === 'when-seen' || !isMapped(row, profile)) return false
    return levels.every((level) => claimed.has(level))
  })
}

function isMapped({ needsMapping, needsKey }: Requirement, { files = {}, tenants }: TargetProfile): boolean {
  if (needsKey !== undefined && tenants[needsKey] === undefined) return false
  const mapped = { 'files.status': files.status, 'files.attachment': files.attachment }
  return needsMapping === undefined || mapped[needsMapping] !== undefined
}

/** Whether a requirement id matches a glob; without a glob everything does. */
export function matchesSelection(only: string | undefined, requirement: string): boolean {
  return only === undefined || matcher(only)(requirement)
}

function covers(exercise: Exercise, { requirement, operation, facet }: Obligation): boolean {
  if (!exercise.operations.includes(operation)) return false
  return exercise.requirements.some((pattern) => {
    const [wanted = '', wantedFacet] = pattern.split('#')
    return matcher(wanted)(requirement) && (wantedFacet === undefined || wantedFacet === facet)
  })
}

const matchers = new Map<string, (id: string) => boolean>()

function matcher(glob: string): (id: string) => boolean {
  const known = matchers.get(glob) ?? globMatcher(glob)
  matchers.set(glob, known)
  return known
}
