/** Exports all worlds of a mock, and puts exported ones in place. */
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { checkedState } from '../state-file/check-state.ts'
import { exportWorld } from '../state-file/export-world.ts'
import { importWorld } from '../state-file/import-world.ts'
import { type ExportedState, stateFormat } from '../state-file/state-file.ts'
import type { WorldOptions } from './mock-options.ts'
import type { World } from './world.ts'
import type { WorldHandle } from './world-handle.ts'
import type { WorldRegistry } from './world-registry.ts'

/** All worlds as data. */
export function exportState(worlds: readonly World[]): ExportedState {
  return { format: stateFormat, worlds: worlds.map(exportWorld) }
}

interface Destination {
  readonly book: WorldRegistry
  readonly scenario: ResolvedScenario
  readonly fresh: (options: WorldOptions) => WorldHandle
}

/** Replaces the worlds that a state names, and makes those that are not there. Throws an ImportError. */
export function importState({ book, scenario, fresh }: Destination, given: unknown): void {
  for (const exported of checkedState(given, scenario).worlds) {
    if (book.get(exported.name) === undefined) fresh({ name: exported.name, seed: exported.seed })
    const world = book.get(exported.name)
    if (world !== undefined) importWorld(world, exported)
  }
}
