/**
 * All worlds of a mock by name. A new name creates a fresh world, so that a test needs no set-up; their number is bounded,
 * and unused worlds are replaced by new ones.
 */
import { isWorldName, worldNameForm } from '../http/world-name.ts'
import { emptyState } from '../machine/state.ts'
import { OptionError } from '../option-error.ts'
import type { World } from './world.ts'

export interface WorldRegistry {
  /** The world of requests that name none. */
  readonly main: World
  /** The world of a name, created if needed, or the reason why there is none. */
  open(name: string): World | 'bad-world-name' | 'too-many-worlds'
  get(name: string): World | undefined
  /** Throws when no world can be added under the name: it is taken, unfit or one too many. */
  ensureFree(name: string): void
  /** Adds a world under its own name; throws when the name is taken, unfit or one too many. */
  add(world: World): void
  /** Adds a world of an earlier start, regardless of the current limit. */
  restore(world: World): void
  /** Forgets a world; the main one stays. */
  remove(name: string): boolean
  all(): readonly World[]
}

/**
 * A registry that creates worlds by `make` and holds at most `limit` of them beside the main one; `forgotten` is called
 * for replaced worlds.
 */
export function createWorldRegistry(
  main: World,
  make: (name: string) => World,
  limit: number,
  forgotten: (name: string) => void = () => {},
): WorldRegistry {
  const worlds = new Map<string, World>([[main.name, main]])
  const ensureFree = (name: string) => {
    if (!isWorldName(name)) {
      throw new OptionError('name', `is not a valid world name: ${JSON.stringify(name)}; use ${worldNameForm}`)
    }
    if (worlds.has(name)) throw new OptionError('name', `is taken: there is a world of the name ${name}`)
    if (!hasRoom()) throw new RangeError(`more than ${limit} worlds at once`)
  }
  /** The oldest unused world is removed. */
  const hasRoom = (): boolean => {
    if (worlds.size <= limit) return true
    for (const world of worlds.values()) {
      if (world === main || !isUnused(world)) continue
      worlds.delete(world.name)
      forgotten(world.name)
      return worlds.size <= limit
    }
    return false
  }
  return {
    main,
    get: (name) => worlds.get(name),
    all: () => [...worlds.values()],
    open(name) {
      const known = worlds.get(name)
      if (known !== undefined) return known
      if (!isWorldName(name)) return 'bad-world-name'
      if (!hasRoom()) return 'too-many-worlds'
      const world = make(name)
      worlds.set(name, world)
      return world
    },
    ensureFree,
    add(world) {
      ensureFree(world.name)
      worlds.set(world.name, world)
    },
    restore: (world) => void worlds.set(world.name, world),
    remove(name) {
      return name !== main.name && worlds.delete(name)
    },
  }
}

/** Whether a world is as its next maker would make it: only its journal would be lost. */
function isUnused({ kept, state, faultTimes, journal }: World): boolean {
  return !kept && state === emptyState && faultTimes.size === 0 && !journal.isAwaited()
}
