/** How a mock comes by its worlds: fresh ones, named ones, forks, each with what the mock's options say. */
import { createClock } from '../clock/clock.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { createEngine, type Engine } from '../http/engine.ts'
import type { MockOptions, WorldOptions } from '../mock.ts'
import type { Cast } from '../scenario/cast.ts'
import { createWorld, type World } from './world.ts'
import { createWorldBook, type WorldBook } from './world-book.ts'
import { createWorldHandle, type WorldHandle } from './world-handle.ts'

export interface WorldMaker {
  readonly book: WorldBook
  readonly engine: Engine
  fresh(options: WorldOptions): WorldHandle
  handleOf(world: World): WorldHandle
}

export interface Makings {
  readonly cast: Cast
  readonly faults: FaultBook
  readonly options: MockOptions
  /** Origin of requests in the same process that give only a path. */
  readonly origin: string
}

/** The worlds of a mock, the default one made. */
export function createWorldMaker(makings: Makings): WorldMaker {
  const { faults, options, origin } = makings
  const make = (name: string, own: WorldOptions = {}) => worldOf(makings, name, own)
  const book = createWorldBook(make('default'), make, options.maxWorlds ?? 10_000)
  const engine = createEngine(book)
  const freshName = namesFor(book)
  const fork = (world: World, name = freshName()): WorldHandle => {
    const copy = worldOf(makings, name, { seed: world.seed, bends: world.bends }, world)
    book.add(copy)
    faults.inherit(world.name, copy.name)
    return handleOf(copy)
  }
  const handleOf = (world: World) => createWorldHandle(world, { book, engine, faults, origin, fork })
  return {
    book,
    engine,
    handleOf,
    fresh(own) {
      const world = make(own.name ?? freshName(), own)
      book.add(world)
      return handleOf(world)
    },
  }
}

function namesFor(book: WorldBook): () => string {
  let named = 0
  return () => {
    do named += 1
    while (book.get(`world-${named}`) !== undefined)
    return `world-${named}`
  }
}

function worldOf({ cast, faults, options }: Makings, name: string, own: WorldOptions, parent?: World): World {
  return createWorld({
    name,
    cast,
    seed: own.seed ?? options.seed ?? 1,
    clock: parent?.clock.fork() ?? createClock(own.clock ?? options.clock),
    bends: own.bends ?? options.bends ?? [],
    journalLimits: { entries: 1000, bytes: 4_194_304, ...options.journal, ...own.journal },
    interfere: parent?.interfere ?? faults.hook(own.interfere ?? options.interfere ?? null),
    ...(parent === undefined ? null : { state: parent.state }),
  })
}
