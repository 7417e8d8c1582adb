/**
 * Finds names in a profile that refer to nothing: gaps that do not exist, tenants without a key.
 * The schema cannot see them, and a run would pass over them without a word.
 */
import { gapOf, gaps } from '../../spec/index.ts'
import { type DataProblem, nearest } from './schema-problems.ts'
import type { TargetProfile } from './target-profile.ts'
import { nameOfPath } from './yaml-location.ts'

type Referring = Pick<TargetProfile, 'tenants'> & Partial<Pick<TargetProfile, 'declares' | 'threads'>>

/** Problems of a profile that fits its schema. */
export function referenceProblems({ tenants, declares = {}, threads = null }: Referring): readonly DataProblem[] {
  const unknown = Object.keys(declares).filter((id) => gapOf(id) === undefined)
  return [...unknown.map(unknownGap), ...(threads?.kind === 'static' ? keylessThreads(threads.threads, tenants) : [])]
}

function unknownGap(id: string): DataProblem {
  const path = ['declares', id]
  const meant = nearest(
    id,
    gaps.map((gap) => gap.id),
  )
  const fix = meant === undefined ? 'acs list gaps shows those that do' : `did you mean "${meant}"?`
  return {
    path,
    at: 'key',
    reason: `${nameOfPath(['declares'])} names the question "${id}", which does not exist`,
    fix,
  }
}

type StaticThreads = Extract<TargetProfile['threads'], { readonly kind: 'static' }>['threads']

function keylessThreads(threads: StaticThreads, tenants: TargetProfile['tenants']): readonly DataProblem[] {
  return threads.flatMap(({ tenant }, index) => {
    if (tenants[tenant] !== undefined) return []
    const path = ['threads', 'threads', index, 'tenant']
    const reason = `${nameOfPath(path)} is ${tenant}, and tenants has no such key`
    return [{ path, at: 'value', reason, fix: `add tenants.${tenant}, or take the thread out` }]
  })
}
