/** Creates the worlds of a mock: fresh ones, named ones, forks, each with the options of the mock. */
import { clockSettings, createClock } from '../clock/clock.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { Engine } from '../exchange/sink.ts'
import type { FaultRegistry } from '../faults/fault-registry.ts'
import { createEngine } from '../http/handle-request.ts'
import { mainWorldName } from '../http/world-name.ts'
import { checkJournalLimits } from '../journal/journal.ts'
import type { LiveExchanges } from '../live/live-exchanges.ts'
import { emptyState } from '../machine/state.ts'
import { checkSeed, refuseUnknown } from '../option-error.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { StateStore } from '../store/state-store.ts'
import { seedExamples } from './examples.ts'
import { type MockOptions, type WorldOptions, worldOptionNames } from './mock-options.ts'
import { unreachableNotice } from './unreachable-threads.ts'
import { createWorld, type World } from './world.ts'
import { createWorldHandle, type WorldHandle } from './world-handle.ts'
import { createWorldRegistry, type WorldRegistry } from './world-registry.ts'

interface WorldFactory {
  readonly book: WorldRegistry
  readonly engine: Engine
  fresh(options: WorldOptions): WorldHandle
  handleOf(world: World): WorldHandle
}

interface CreateWorldsOptions {
  readonly cast: ResolvedScenario
  readonly faults: FaultRegistry
  readonly options: Omit<MockOptions, 'deviations'>
  /** Overrides of the worlds that name none themselves. */
  readonly deviations: readonly HookOverride[]
  /** Ends each answer that is on its way in this process. */
  readonly inFlight: Set<() => void>
  /** Keeps the worlds on disk, `null` for memory only. */
  readonly store: StateStore | null
  /** Origin of requests in the same process that give only a path. */
  readonly origin: string
  readonly live: LiveExchanges
  /** Reports failures to the user of the mock. */
  readonly tell: (problem: string) => void
}

/** The worlds of a mock, the default one made. */
export function createWorldFactory(makings: CreateWorldsOptions): WorldFactory {
  const { faults, inFlight, live, options, origin, store } = makings
  const make = (name: string, own: WorldOptions = {}) => worldOf(makings, name, own)
  const book = createWorldRegistry(make(mainWorldName), make, options.maxWorlds ?? 10_000, (name) => {
    store?.forget(name)
    live.changed(name, 'removed')
  })
  for (const name of store?.names ?? []) if (name !== book.main.name) book.restore(make(name))
  const unreachable = store === null ? null : unreachableNotice(book.all(), makings.cast)
  if (unreachable !== null) makings.tell(unreachable)
  const engine = rerouted(createEngine(book), options.reroute)
  const freshName = namesFor(book)
  const fork = (world: World, name = freshName()): WorldHandle => {
    book.ensureFree(name)
    const copy = worldOf(makings, name, { seed: world.seed, deviations: world.overrides }, world)
    copy.kept = true
    book.add(copy)
    faults.inherit(world.name, copy.name)
    return handleOf(copy)
  }
  const handleOf = (world: World) =>
    createWorldHandle(world, { book, engine, faults, inFlight, live, origin, fork, store })
  return {
    book,
    engine,
    handleOf,
    fresh(own) {
      refuseUnknown('the options of a world', own, worldOptionNames)
      checkSeed(own.seed)
      checkJournalLimits(own.journal)
      const name = own.name ?? freshName()
      book.ensureFree(name)
      const world = make(name, own)
      world.kept = true
      book.add(world)
      return handleOf(world)
    },
  }
}

function rerouted(engine: Engine, reroute: MockOptions['reroute']): Engine {
  return reroute === undefined ? engine : { handle: (request, sink) => engine.handle(reroute(request), sink) }
}

function namesFor(book: WorldRegistry): () => string {
  let named = 0
  return () => {
    do named += 1
    while (book.get(`world-${named}`) !== undefined)
    return `world-${named}`
  }
}

/** A saved world keeps its seed and its clock, regardless of the current options. */
function worldOf(
  { cast, deviations, faults, live, options, store, tell }: CreateWorldsOptions,
  name: string,
  own: WorldOptions,
  parent?: World,
): World {
  const saved = store?.take(name) ?? null
  const seed = saved?.record.seed ?? own.seed ?? options.seed ?? 1
  const clock = parent?.clock.fork() ?? createClock(saved?.record.clock ?? own.clock ?? options.clock)
  const from = parent?.log?.mark() ?? null
  live.changed(name, 'made')
  return createWorld({
    name,
    cast,
    live,
    tell,
    seed,
    clock,
    log: store?.log(name, saved, { seed, clock: clockSettings(clock) }, from) ?? null,
    overrides: own.deviations ?? deviations,
    journalLimits: { entries: 1000, bytes: 4_194_304, ...options.journal, ...own.journal },
    interfere: parent?.interfere ?? faults.hook(own.interfere ?? options.interfere ?? null),
    onExchange: options.onExchange ?? null,
    recording: options.recording ?? null,
    refill: name === mainWorldName && options.examples === true ? seedExamples : null,
    state: parent?.state ?? saved?.state ?? emptyState,
    kept: saved !== null && !(saved.record.clock.mode === 'real' && saved.record.seed === (options.seed ?? 1)),
  })
}
