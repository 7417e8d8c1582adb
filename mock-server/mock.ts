/**
 * The mock as a library: `createMock` makes an engine with its worlds, in-process and without a port until `listen`.
 */
import { type ClockOptions, createClock, type WorldClock } from './clock/clock.ts'
import { createFaultBook, type FaultBook, type Faults } from './faults/fault-book.ts'
import { scenarioFaults } from './faults/scenario-faults.ts'
import { createEngine } from './http/engine.ts'
import type { Interfere } from './http/interference.ts'
import type { Journal, JournalLimits } from './journal/journal.ts'
import { fetchFrom } from './listener/fetch-door.ts'
import type { Listener, ListenOptions } from './listener/listen.ts'
import { type Cast, castScenario } from './scenario/cast.ts'
import { checkScenario } from './scenario/check-scenario.ts'
import { defaultScenario } from './scenario/default-scenario.ts'
import type { Scenario } from './scenario/scenario.ts'
import type { Bend } from './seams.ts'
import { createWorld, type World } from './worlds/world.ts'
import { createWorldBook } from './worlds/world-book.ts'
import { createWorldHandle, type WorldHandle } from './worlds/world-handle.ts'

export interface MockOptions {
  /** Default: the built-in scenario. */
  readonly scenario?: Scenario
  /** Everything random follows from it. Default 1. */
  readonly seed?: number
  /** Clock of every world that brings none of its own. Default real. */
  readonly clock?: ClockOptions
  /** Deviations, or what variants are made of, in every world that names none itself. */
  readonly bends?: readonly Bend[]
  /** What each world's journal keeps at most. Default 1,000 exchanges and 4 MiB of bodies. */
  readonly journal?: Partial<JournalLimits>
  /** Worlds beside the default one. Default 10,000. */
  readonly maxWorlds?: number
  /** A hook of your own beside the fault atlas, asked for each exchange. */
  readonly interfere?: Interfere
}

export interface WorldOptions {
  /** Default: a fresh name. */
  readonly name?: string
  readonly seed?: number
  readonly clock?: ClockOptions
  readonly bends?: readonly Bend[]
  readonly journal?: Partial<JournalLimits>
  readonly interfere?: Interfere
}

export interface Mock extends AsyncDisposable {
  /** Tenants, keys and assistants with their ids. */
  readonly scenario: Cast
  /** Answers without a socket: the same engine, the same bytes. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Serves HTTP; may be called more than once. */
  listen(options?: ListenOptions): Promise<Listener>
  /** A fresh world that shares nothing with any other. */
  world(options?: WorldOptions): WorldHandle
  /** The world of requests that name none. */
  readonly main: WorldHandle
  /** Worlds there are now, the main one first. */
  worlds(): readonly WorldHandle[]
  /** The main world's journal and clock. */
  readonly journal: Journal
  readonly clock: WorldClock
  /** The fault atlas and the rules that choose from it, in all worlds. */
  readonly faults: Faults
  close(): Promise<void>
}

/** Origin of requests to `mock.fetch` that give only a path. */
const inProcessOrigin = 'http://acs.mock'

/** A mock of the service. Throws a ScenarioError when the scenario does not hold together. */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  if (options.scenario !== undefined && options.scenario !== defaultScenario) await checkScenario(options.scenario)
  const scenario = options.scenario ?? defaultScenario
  const cast = castScenario(scenario)
  const faults = createFaultBook(scenarioFaults(scenario))
  const listeners = new Set<Listener>()
  const make = (name: string, own: WorldOptions = {}): World => makeWorld({ cast, faults, shared: options }, name, own)
  const book = createWorldBook(make('default'), make, options.maxWorlds ?? 10_000)
  const engine = createEngine(book)
  let named = 0
  const handleOf = (world: World) => createWorldHandle(world, { book, engine, faults, origin: inProcessOrigin, fork })
  const fork = (world: World): WorldHandle => {
    const { seed } = world
    const copy = makeWorld({ cast, faults, shared: options }, freshName(), { seed, bends: world.bends }, world)
    book.add(copy)
    faults.inherit(world.name, copy.name)
    return handleOf(copy)
  }
  const freshName = (): string => {
    do named += 1
    while (book.get(`world-${named}`) !== undefined)
    return `world-${named}`
  }
  const close = async () => {
    await Promise.all([...listeners].map((listener) => listener.close()))
    listeners.clear()
  }
  return {
    scenario: cast,
    main: handleOf(book.main),
    journal: book.main.journal,
    clock: book.main.clock,
    faults,
    fetch: (input, init) => fetchFrom(engine, requestOf(input, init)),
    async listen(listenOptions) {
      const { listen } = await import('./listener/listen.ts')
      const listener = await listen(engine, listenOptions)
      listeners.add(listener)
      return listener
    },
    world(worldOptions = {}) {
      const world = make(worldOptions.name ?? freshName(), worldOptions)
      book.add(world)
      return handleOf(world)
    },
    worlds: () => book.all().map(handleOf),
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Makings {
  readonly cast: Cast
  readonly faults: FaultBook
  readonly shared: MockOptions
}

function makeWorld({ cast, faults, shared }: Makings, name: string, own: WorldOptions, parent?: World): World {
  return createWorld({
    name,
    cast,
    seed: own.seed ?? shared.seed ?? 1,
    clock: parent?.clock.fork() ?? createClock(own.clock ?? shared.clock),
    bends: own.bends ?? shared.bends ?? [],
    journalLimits: { entries: 1000, bytes: 4_194_304, ...shared.journal, ...own.journal },
    interfere: parent?.interfere ?? faults.hook(own.interfere ?? shared.interfere ?? null),
    ...(parent === undefined ? null : { state: parent.state }),
  })
}

function requestOf(input: Request | string | URL, init?: RequestInit): Request {
  if (typeof input === 'string' && input.startsWith('/')) return new Request(inProcessOrigin + input, init)
  return new Request(input, init)
}
