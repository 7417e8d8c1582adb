/**
 * The mock as a library: `createMock` makes an engine with its worlds, in-process and without a port until `listen`.
 */
import { adminPrefix, isAdminPath } from './admin/admin-path.ts'
import { fetchAdmin } from './admin/fetch-admin.ts'
import { overridesOf } from './catalogue.ts'
import type { AdjustableClock } from './clock/adjustable-clock.ts'
import type { HookOverride } from './exchange/hooks.ts'
import { createFaultRegistry, type Faults } from './faults/fault-registry.ts'
import { scenarioFaults } from './faults/scenario-faults.ts'
import { fetchFrom } from './http/fetch-adapter.ts'
import { checkJournalLimits, type Journal } from './journal/journal.ts'
import type { Listener, ListenOptions } from './listener/listener.ts'
import type { PageSource } from './listener/page-adapter.ts'
import { createLiveExchanges, type LiveExchanges } from './live/live-exchanges.ts'
import { checkLimit, checkSeed, refuseUnknown } from './option-error.ts'
import { isPageRequest } from './pages/page-path.ts'
import { defaultScenario } from './scenario/default-scenario.ts'
import { checkOnce } from './scenario/known-scenarios.ts'
import { type ResolvedScenario, replaceScenario, resolveScenario } from './scenario/resolved-scenario.ts'
import type { Scenario } from './scenario/scenario.ts'
import { unreachedTurns } from './scenario/unreached-turns.ts'
import type { ExportedState } from './state-file/state-file.ts'
import type { StateStore } from './store/state-store.ts'
import { eachOnce, warnPlainly } from './warning.ts'
import { createWorldFactory } from './worlds/create-worlds.ts'
import { seedExamples } from './worlds/examples.ts'
import { type MockOptions, mockOptionNames, type WorldOptions } from './worlds/mock-options.ts'
import { exportState, importState } from './worlds/mock-state.ts'
import type { WorldHandle } from './worlds/world-handle.ts'

export interface Mock extends AsyncDisposable {
  /** Tenants, keys and assistants with their ids. */
  readonly scenario: ResolvedScenario
  /** Answers without a socket: the same engine, the same bytes. Rejects once the mock is closed. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Serves HTTP; may be called more than once. */
  listen(options?: ListenOptions): Promise<Listener>
  /** A fresh world that shares nothing with any other. */
  world(options?: WorldOptions): WorldHandle
  /** The world of requests that name none. */
  readonly main: WorldHandle
  /** The world of a name, if there is one. */
  find(name: string): WorldHandle | undefined
  /** Worlds there are now, the main one first. */
  worlds(): readonly WorldHandle[]
  /** The main world's journal and clock. */
  readonly journal: Journal
  readonly clock: AdjustableClock
  /** Running exchanges, and changes of worlds. */
  readonly live: LiveExchanges
  /** The fault catalogue and the rules that choose from it, in all worlds. */
  readonly faults: Faults
  /** All worlds as data that `import` takes back; journals and fault rules are not among them. */
  export(): ExportedState
  /** Restores exported worlds, beside those of other names. Throws an ImportError that names every problem. */
  import(exported: unknown): void
  /**
   * Plays another scenario from now on; threads continue with the assistants of the same names. Throws a ScenarioError for
   * an inconsistent one, and then nothing has changed.
   */
  reload(scenario: Scenario): Promise<void>
  /** Resolves once all changes so far are in the state directory, at once without one. */
  settled(): Promise<void>
  /** Ends listeners, waits and answers that are on their way in this process. */
  close(): Promise<void>
}

/** Origin of requests to `mock.fetch` that give only a path. */
const inProcessOrigin = 'http://acs.mock'

/**
 * A mock of the service. Throws an OptionError for an option that it cannot keep, a ScenarioError when the scenario is
 * inconsistent, a StateError for `stateDir`.
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  checkOptions(options)
  const tell = eachOnce(options.onTrouble ?? warnPlainly)
  const scenario = await playable(options.scenario ?? options.recording?.scenario ?? defaultScenario, tell)
  const resolved = resolveScenario(scenario)
  const deviations = await overridesOf(options.deviations ?? [])
  const requests = { tenants: resolved.tenants, mayAllStream: mayAllStream(options, deviations) }
  const faults = createFaultRegistry(scenarioFaults(scenario), requests)
  const inFlight = new Set<() => void>()
  const store = options.stateDir === undefined ? null : await openStateDir(options.stateDir, options)
  const live = createLiveExchanges()
  const { book, engine, fresh, handleOf } = createWorldFactory({
    cast: resolved,
    faults,
    deviations,
    inFlight,
    live,
    options,
    store,
    tell,
    origin: inProcessOrigin,
  })
  const listeners = new Set<Listener>()
  const admin = onceOnly(async () => (await import('./admin/admin.ts')).createAdmin(mock))
  const pages = async (target: string, from: string) =>
    (await import('./pages/pages.ts')).pageOf(book, target, from, options.document)
  if (options.examples === true) seedExamples(book.main)
  const ended = new AbortController()
  const close = async () => {
    ended.abort(new Error('the mock is closed: it answers no request and does not listen'))
    live.end()
    for (const { journal } of book.all()) journal.endWaits()
    for (const breakOff of [...inFlight]) breakOff()
    await Promise.all([...listeners].map((listener) => listener.close()))
    listeners.clear()
    await store?.close()
  }
  const mock: Mock = {
    scenario: resolved,
    main: handleOf(book.main),
    journal: book.main.journal,
    clock: book.main.clock,
    live,
    faults,
    async fetch(input, init) {
      ended.signal.throwIfAborted()
      const request = requestOf(input, init)
      if (isForAdmin(request)) return fetchAdmin(await admin(), request)
      return (await fetchPage(request, pages)) ?? fetchFrom(engine, request, { written: init?.headers, inFlight })
    },
    async listen(listenOptions) {
      ended.signal.throwIfAborted()
      const { listen } = await import('./listener/listen.ts')
      const listener = await listen({ engine, admin, pages }, listenOptions)
      listeners.add(listener)
      return listener
    },
    world: (worldOptions = {}) => fresh(worldOptions),
    find(name) {
      const world = book.get(name)
      if (world === undefined) return undefined
      world.kept = true
      return handleOf(world)
    },
    worlds: () => book.all().map(handleOf),
    export: () => exportState(book.all()),
    import: (exported) => importState({ book, scenario: resolved, fresh }, exported),
    async reload(next) {
      await playable(next, tell)
      replaceScenario(resolved, next)
      faults.reload(scenarioFaults(next), resolved.tenants)
      live.reloaded()
    },
    settled: async () => store?.settled(),
    close,
    [Symbol.asyncDispose]: close,
  }
  return mock
}

/** The scenario, checked; `tell` gets what does not keep it from being played. */
async function playable(scenario: Scenario, tell: (problem: string) => void): Promise<Scenario> {
  await checkOnce(scenario)
  for (const warning of unreachedTurns(scenario)) tell(warning)
  return scenario
}

function mayAllStream({ recording }: MockOptions, overrides: readonly HookOverride[]): boolean {
  return recording !== undefined || overrides.some(({ hook }) => hook === 'checkRule')
}

function checkOptions(options: MockOptions): void {
  refuseUnknown('the options of a mock', options, mockOptionNames)
  checkSeed(options.seed)
  checkJournalLimits(options.journal)
  checkLimit('maxWorlds', options.maxWorlds)
}

async function openStateDir(directory: string, options: MockOptions): Promise<StateStore> {
  const { stateSync = false, onTrouble = warnPlainly } = options
  const { openStore } = await import('./store/state-store.ts')
  return openStore(directory, { sync: stateSync, told: onTrouble })
}

function onceOnly<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make()
    return made
  }
}

/** The page that the request asks for, or null where it asks for none. */
async function fetchPage(request: Request, pages: PageSource): Promise<Response | null> {
  const { origin, pathname } = new URL(request.url)
  if (!isPageRequest(request.method, pathname, request.headers.get('accept') ?? undefined)) return null
  const { headers, body } = await pages(pathname, origin)
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

function requestOf(input: Request | string | URL, init?: RequestInit): Request {
  if (typeof input === 'string' && input.startsWith('/')) return new Request(inProcessOrigin + input, init)
  return new Request(input, init)
}

function isForAdmin({ url }: Request): boolean {
  return url.includes(adminPrefix) && isAdminPath(new URL(url).pathname)
}
