/** How a mock comes by its worlds: fresh ones, named ones, forks, each with what the mock's options say. */
import { clockSettings, createClock } from '../clock/clock.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { createEngine, type Engine } from '../http/engine.ts'
import { emptyState } from '../machine/state.ts'
import type { MockOptions, WorldOptions } from '../mock.ts'
import type { Cast } from '../scenario/cast.ts'
import type { StateStore } from '../store/state-store.ts'
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
  /** Keeps the worlds on disk, `null` for memory only. */
  readonly store: StateStore | null
  /** Origin of requests in the same process that give only a path. */
  readonly origin: string
}

/** The worlds of a mock, the default one made. */
export function createWorldMaker(makings: Makings): WorldMaker {
  const { faults, options, origin, store } = makings
  const make = (name: string, own: WorldOptions = {}) => worldOf(makings, name, own)
  const book = createWorldBook(make('default'), make, options.maxWorlds ?? 10_000)
  for (const name of store?.names ?? []) if (name !== book.main.name) book.add(make(name))
  const engine = createEngine(book)
  const freshName = namesFor(book)
  const fork = (world: World, name = freshName()): WorldHandle => {
    book.ensureFree(name)
    const copy = worldOf(makings, name, { seed: world.seed, bends: world.bends }, world)
    book.add(copy)
    faults.inherit(world.name, copy.name)
    return handleOf(copy)
  }
  const handleOf = (world: World) => createWorldHandle(world, { book, engine, faults, origin, fork, store })
  return {
    book,
    engine,
    handleOf,
    fresh(own) {
      const name = own.name ?? freshName()
      book.ensureFree(name)
      const world = make(name, own)
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

/** A world that was saved keeps its seed and its clock, whatever the options say now. */
function worldOf({ cast, faults, options, store }: Makings, name: string, own: WorldOptions, parent?: World): World {
  const saved = store?.take(name) ?? null
  const seed = saved?.record.seed ?? own.seed ?? options.seed ?? 1
  const clock = parent?.clock.fork() ?? createClock(saved?.record.clock ?? own.clock ?? options.clock)
  const from = parent?.ledger?.mark() ?? null
  return createWorld({
    name,
    cast,
    seed,
    clock,
    ledger: store?.ledger(name, saved, { seed, clock: clockSettings(clock) }, from) ?? null,
    bends: own.bends ?? options.bends ?? [],
    journalLimits: { entries: 1000, bytes: 4_194_304, ...options.journal, ...own.journal },
    interfere: parent?.interfere ?? faults.hook(own.interfere ?? options.interfere ?? null),
    onExchange: options.onExchange ?? null,
    state: parent?.state ?? saved?.state ?? emptyState,
  })
}
