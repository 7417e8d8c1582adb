/**
 * The public handle of a world: requests into it, its clock and journal, fork, snapshot, restore, reset, seeding.
 */
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import type { Engine } from '../exchange/sink.ts'
import type { Faults } from '../faults/fault-registry.ts'
import type { FaultRule, FaultRuleDraft } from '../faults/fault-rule.ts'
import { fetchFrom } from '../http/fetch-adapter.ts'
import type { Journal } from '../journal/journal.ts'
import { closeRunning } from '../live/close-running.ts'
import type { LiveExchanges } from '../live/live-exchanges.ts'
import { checkedWorld } from '../state-file/check-state.ts'
import { exportWorld } from '../state-file/export-world.ts'
import { importWorld } from '../state-file/import-world.ts'
import type { ExportedWorld } from '../state-file/state-file.ts'
import type { StateStore } from '../store/state-store.ts'
import { editFile, type FileEdit } from './edit-file.ts'
import { editMessage, editThread, type MessageEdit, type ThreadEdit } from './edit-thread.ts'
import { type FileSeed, seedFile } from './seed-file.ts'
import { type SeededThread, seedThread, type ThreadSeed } from './seed-thread.ts'
import type { Snapshot, World } from './world.ts'
import type { WorldRegistry } from './world-registry.ts'

export interface WorldHandle extends AsyncDisposable {
  readonly name: string
  readonly seed: number
  readonly clock: AdjustableClock
  readonly journal: Journal
  readonly faults: WorldFaults
  /** Path under which this world answers on a listener: put it behind the listener's URL. */
  readonly path: string
  /** The header that leads a request into this world. */
  readonly headers: Readonly<Record<string, string>>
  /** Answers in this world, without a socket. Rejects once the world is destroyed. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** A new world with everything that this one holds; nothing is copied. */
  fork(name?: string): WorldHandle
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /**
   * Empties the world: threads, files, spent quotas, journal; frozen and stepped clocks start again. What the option
   * `examples` put into the default world is there again. As by `restore`, `import` and `destroy`, requests that are on
   * their way are broken off.
   */
  reset(): void
  /** Puts a thread with messages in place, by the rules of the contract. Throws a SeedError for a broken rule. */
  seedThread(seed: ThreadSeed): SeededThread
  /** Puts an uploaded file in place, of the first tenant or of the one that is named. Throws a SeedError. */
  seedFile(seed: FileSeed & { readonly tenant?: string }): { readonly id: string }
  /** Binds a thread to another assistant and adds messages; `null` removes it. Throws a SeedError for a broken rule. */
  editThread(id: string, edit: ThreadEdit | null): void
  /** Changes a message where it stands; `null` takes it out of its thread. Throws a SeedError for a broken rule. */
  editMessage(thread: string, id: string, edit: MessageEdit | null): void
  /** Changes name, retention or status of a file; `null` removes it. Throws a SeedError for an impossible change. */
  editFile(id: string, edit: FileEdit | null): void
  /** The contents of the world, as data that `import` accepts: threads with their stamps, files, quotas, the clock. */
  export(): ExportedWorld
  /** Replaces the contents of this world by an exported one. Throws an ImportError that names every problem. */
  import(exported: unknown): void
  /** Deletes the world and breaks off the requests that are on their way in it. */
  destroy(): void
}

/** The fault rules of one world; rules of the whole mock act in it as well. */
interface WorldFaults {
  /** Activates a rule in this world; throws a FaultError for one without effect. */
  add(draft: FaultRuleDraft): FaultRule
  rules(): readonly FaultRule[]
  clear(): void
}

interface WorldHandleOptions {
  readonly store: StateStore | null
  readonly faults: Faults
  readonly book: WorldRegistry
  readonly engine: Engine
  readonly origin: string
  readonly inFlight: Set<() => void>
  readonly live: LiveExchanges
  readonly fork: (world: World, name?: string) => WorldHandle
}

/** The handle of a world. */
export function createWorldHandle(world: World, options: WorldHandleOptions): WorldHandle {
  const headers = { 'x-acs-world': world.name }
  const destroy = () => {
    if (!options.book.remove(world.name)) return
    closeRunning(world)
    world.journal.endWaits()
    options.faults.clear(world.name)
    options.store?.forget(world.name)
    options.live.changed(world.name, 'removed')
  }
  return {
    name: world.name,
    seed: world.seed,
    clock: world.clock,
    journal: world.journal,
    path: `/w/${world.name}`,
    headers,
    faults: {
      add: (draft) => options.faults.add({ ...draft, match: { ...draft.match, world: world.name } }),
      rules: () => options.faults.rules().filter(({ match }) => match?.world === world.name),
      clear: () => options.faults.clear(world.name),
    },
    async fetch(input, init) {
      if (options.book.get(world.name) !== world) throw gone(world.name)
      const whole = typeof input === 'string' && input.startsWith('/') ? options.origin + input : input
      return fetchFrom(options.engine, new Request(whole, init), {
        extra: headers,
        written: init?.headers,
        inFlight: options.inFlight,
      })
    },
    fork: (name) => options.fork(world, name),
    snapshot: world.snapshot,
    restore: world.restore,
    reset: world.reset,
    seedThread(seed) {
      const seeded = seedThread(world, seed)
      options.live.changed(world.name, 'seeded')
      return seeded
    },
    seedFile(seed) {
      const seeded = seedFile(world, seed)
      options.live.changed(world.name, 'seeded')
      return seeded
    },
    editThread: (id, edit) => editThread(world, id, edit),
    editMessage: (thread, id, edit) => editMessage(world, thread, id, edit),
    editFile: (id, edit) => editFile(world, id, edit),
    export: () => exportWorld(world),
    import: (exported) => importWorld(world, checkedWorld(exported, world.machine.scenario)),
    destroy,
    [Symbol.asyncDispose]: async () => destroy(),
  }
}

/** A request would make a fresh world under the name of the one that is gone. */
const gone = (name: string): Error => new Error(`the world "${name}" is destroyed: its handle answers no request`)
