/** The entry point `acs-kit/storybook`: a loader that gives each story a world, without a server or a worker. */
import type { FaultRuleDraft } from '../faults/fault-rule.ts'
import type { Mock } from '../mock.ts'
import type { WorldOptions } from '../worlds/mock-options.ts'
import type { ThreadSeed } from '../worlds/seed-thread.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { answerFetch } from './answer-fetch.ts'

/** The settings of a story's world, as `parameters.acs`. */
export interface AcsParameters {
  /** Threads that are there already; `loaded.threads` has them with their ids. */
  readonly threads?: readonly ThreadSeed[]
  readonly faults?: readonly FaultRuleDraft[]
  readonly world?: Omit<WorldOptions, 'name'>
}

interface Loaded {
  readonly acs: WorldHandle
  readonly threads: readonly ReturnType<WorldHandle['seedThread']>[]
}

/**
 * A loader for `preview.ts`: requests of a story to `origin` by the global fetch are answered by a fresh world.
 * The story finds it as `loaded.acs`, with its clock, faults and journal.
 */
export function acsLoader(mock: Mock | Promise<Mock>, origin: string) {
  let leave = () => {}
  return async ({ parameters }: { readonly parameters: { readonly acs?: AcsParameters } }): Promise<Loaded> => {
    leave()
    const { threads = [], faults = [], world: chosen } = parameters.acs ?? {}
    const world = (await mock).world(chosen)
    const giveBack = answerFetch(origin, world)
    leave = () => {
      giveBack()
      world.destroy()
    }
    for (const fault of faults) world.faults.add(fault)
    return { acs: world, threads: threads.map((thread) => world.seedThread(thread)) }
  }
}
