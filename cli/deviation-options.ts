/** Deviations and variants by the names that a command line gives; an unknown name is told with the closest one. */
import type { HookOverride } from '../mock-server/index.ts'
import { usageFailure } from './failure.ts'
import { nearest } from './nearest.ts'

interface NamedDeviations {
  readonly deviate?: readonly string[]
  readonly variant?: readonly string[]
}

/** The bends with these names, deviations outermost. */
export const deviationsFrom = async ({
  deviate = [],
  variant = [],
}: NamedDeviations): Promise<readonly HookOverride[]> => {
  if (deviate.length + variant.length === 0) return []
  const { loadDeviations, loadVariants } = await import('../mock-server/index.ts')
  const variants = variant.length === 0 ? [] : await loadVariants()
  const { deviations } = await loadDeviations()
  return [
    ...variant.flatMap((id) => named('--variant', id, variants).overrides),
    ...deviate.map((id) => named('--deviate', id, deviations)),
  ]
}

const named = <Row extends { readonly id: string }>(option: string, id: string, rows: readonly Row[]): Row => {
  const found = rows.find((row) => row.id === id)
  if (found !== undefined) return found
  const ids = rows.map((row) => row.id)
  const near = nearest(id, ids)
  const kind = option === '--variant' ? 'variants' : 'deviations'
  const hint = near === null ? `acs list ${kind} shows them` : `did you mean ${near}?`
  throw usageFailure(`${option} ${id}: there is none with this id; ${hint}`)
}
