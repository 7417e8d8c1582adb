/** Finds deviations and variants by the names on a command line. The error for an unknown name suggests a near one. */
import type { HookOverride } from '../mock-server/index.ts'
import { usageFailure } from './failure.ts'

interface NamedDeviations {
  readonly deviate?: readonly string[]
  readonly variant?: readonly string[]
}

/** The overrides with these names, deviations outermost. */
export const deviationsFrom = async ({
  deviate = [],
  variant = [],
}: NamedDeviations): Promise<readonly HookOverride[]> => {
  if (deviate.length + variant.length === 0) return []
  const { loadDeviations, loadVariants } = await import('../mock-server/index.ts')
  const variants = variant.length === 0 ? [] : await loadVariants()
  const { deviations } = await loadDeviations()
  const legal = await Promise.all(variant.map((id) => named('--variant', id, variants)))
  const wrong = await Promise.all(deviate.map((id) => named('--deviate', id, deviations)))
  return [...legal.flatMap(({ overrides }) => overrides), ...wrong]
}

const named = async <Row extends { readonly id: string }>(
  option: string,
  id: string,
  rows: readonly Row[],
): Promise<Row> => {
  const found = rows.find((row) => row.id === id)
  if (found !== undefined) return found
  const { nearestName } = await import('../spec/index.ts')
  const near = nearestName(
    id,
    rows.map((row) => row.id),
  )
  const kind = option === '--variant' ? 'variants' : 'deviations'
  const hint = near === null ? `see acs list ${kind}` : `did you mean ${near}?`
  throw usageFailure(`${option} ${id}: unknown id; ${hint}`)
}
