/**
 * Counts the threads that a restored mock holds for tenants of another scenario.
 * Clients cannot reach them, and without a word they would seem to be lost.
 */
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { World } from './world.ts'

/** A sentence about the threads that no tenant of the scenario can reach; `null` when there is none. */
export function unreachableNotice(
  worlds: readonly Pick<World, 'state'>[],
  { name, tenants }: Pick<ResolvedScenario, 'name' | 'tenants'>,
): string | null {
  const known = new Set(tenants.map(({ id }) => id))
  let lost = 0
  for (const { state } of worlds) {
    for (const { tenantId } of state.threads.values()) if (!known.has(tenantId)) lost += 1
  }
  if (lost === 0) return null
  const threads = lost === 1 ? '1 stored thread belongs' : `${lost} stored threads belong`
  const back = lost === 1 ? 'it comes' : 'they come'
  return `state: ${threads} to tenants that the scenario "${name}" does not have; ${back} back with the earlier scenario`
}
