/**
 * Which obligations a probe gives a witness for, and which a target owes: the bridge between the rows of spec/ and the
 * patterns that probes declare. The plan is made of it, and a test holds it against what a judgement really saw.
 */
import { type Obligation, obligations, operations, requirementOf } from '../spec/index.ts'
import type { Exercise, Probe } from './probes/probe.ts'
import type { TargetProfile } from './profile/target-profile.ts'

/** Obligations that `probe` can give a witness for. */
export function coverageOf(probe: Probe): readonly Obligation[] {
  return obligations.filter((obligation) => probe.exercises.some((exercise) => covers(exercise, obligation)))
}

/** Obligations that this target owes a witness for: claimed, and not only judged when seen. */
export function owedBy(profile: TargetProfile): readonly Obligation[] {
  const claimed = new Set(profile.claims)
  return obligations.filter(({ requirement, operation }) => {
    const row = requirementOf(requirement)
    const levels = [...operations[operation].levels, ...(row?.needs ?? [])]
    return row?.owed !== 'when-seen' && levels.every((level) => claimed.has(level))
  })
}

/** One word for an obligation, to compare and to print. */
export function obligationKey({ requirement, operation, facet }: Obligation): string {
  return facet === null ? `${requirement} ${operation}` : `${requirement} ${operation} ${facet}`
}

/** Whether a requirement id matches a file glob; without a glob everything does. */
export function selects(only: string | undefined, requirement: string): boolean {
  return only === undefined || globs(only).test(requirement)
}

function covers(exercise: Exercise, { requirement, operation, facet }: Obligation): boolean {
  if (!exercise.operations.includes(operation)) return false
  return exercise.requirements.some((pattern) => {
    const [wanted = '', wantedFacet] = pattern.split('#')
    return globs(wanted).test(requirement) && (wantedFacet === undefined || wantedFacet === facet)
  })
}

const compiled = new Map<string, RegExp>()

function globs(glob: string): RegExp {
  const known = compiled.get(glob)
  if (known !== undefined) return known
  const source = glob
    .split(',')
    .map((one) =>
      one
        .trim()
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*'),
    )
    .join('|')
  const regExp = new RegExp(`^(?:${source})$`)
  compiled.set(glob, regExp)
  return regExp
}
