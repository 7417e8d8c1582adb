/**
 * All worlds of a mock by name. A name that nobody has used yet names a fresh world, so that a test needs no set-up;
 * how many there may be is bounded.
 */
import type { World } from './world.ts'

export interface WorldRegistry {
  /** The world of requests that name none. */
  readonly main: World
  /** The world of a name, made if need be, or the reason why it cannot be had. */
  find(name: string): World | 'worlds.bad-name' | 'worlds.too-many'
  get(name: string): World | undefined
  /** Throws when no world can be added under the name: it is taken, unfit or one too many. */
  ensureFree(name: string): void
  /** Adds a world under its own name; throws when the name is taken, unfit or one too many. */
  add(world: World): void
  /** Forgets a world; the main one stays. */
  remove(name: string): boolean
  all(): readonly World[]
}

const fitName = /^[A-Za-z0-9._-]{1,64}$/

/** A book that makes worlds by `make` and holds at most `limit` of them beside the main one. */
export function createWorldRegistry(main: World, make: (name: string) => World, limit: number): WorldRegistry {
  const worlds = new Map<string, World>([[main.name, main]])
  const ensureFree = (name: string) => {
    if (!fitName.test(name)) throw new RangeError(`not a name for a world: ${name}`)
    if (worlds.has(name)) throw new RangeError(`there is a world of the name ${name}`)
    if (worlds.size > limit) throw new RangeError(`more than ${limit} worlds at once`)
  }
  return {
    main,
    get: (name) => worlds.get(name),
    all: () => [...worlds.values()],
    find(name) {
      const known = worlds.get(name)
      if (known !== undefined) return known
      if (!fitName.test(name)) return 'worlds.bad-name'
      if (worlds.size > limit) return 'worlds.too-many'
      const world = make(name)
      worlds.set(name, world)
      return world
    },
    ensureFree,
    add(world) {
      ensureFree(world.name)
      worlds.set(world.name, world)
    },
    remove(name) {
      return name !== main.name && worlds.delete(name)
    },
  }
}
