/**
 * A world: a state that nobody else can see, with its seed, clock, seams and journal.
 * The state is persistent data, so fork, snapshot, restore and reset are assignments whatever the world holds.
 */
import { type AdjustableClock, adjustable } from '../clock/adjustable-clock.ts'
import { type ClockReading, clockSettings, type WorldClock } from '../clock/clock.ts'
import { type HookOverride, type HttpHooks, overrideDomainHooks, overrideHttpHooks, type WorldHooks } from '../hooks.ts'
import { authorize } from '../http/authorize.ts'
import type { FaultHook } from '../http/fault-hook.ts'
import { parseCommand } from '../http/validate-request.ts'
import { createJournal, type Journal, type JournalLimits } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Command } from '../machine/command.ts'
import { createMachine, type Machine, type Step, stepOf } from '../machine/machine.ts'
import { spendQuota } from '../machine/quota.ts'
import type { Reply } from '../machine/reply.ts'
import { emptyState, type State } from '../machine/state.ts'
import type { ApiKey, ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { effectOf } from '../store/state-change.ts'
import type { Mark, WorldLog } from '../store/world-log.ts'

/** A remembered state of a world, and the time it showed. */
export interface Snapshot {
  readonly state: State
  readonly clock: ClockReading
  /** Where it stands in the state that is kept on disk. */
  readonly mark?: Mark
}

export interface World {
  readonly name: string
  readonly seed: number
  readonly clock: AdjustableClock
  readonly journal: Journal
  readonly machine: Machine
  readonly hooks: WorldHooks
  readonly overrides: readonly HookOverride[]
  readonly interfere: FaultHook | null
  /** How often each fault rule has acted here. */
  readonly faultTimes: Map<string, number>
  /** How often a request came that a fault rule drew for. */
  readonly faultRepeats: Map<string, number>
  /** Keeps the state on disk, `null` for a world in memory only. */
  readonly log: WorldLog | null
  state: State
  /** Somebody set it up by hand or looked it up, so it never gives way to another world. */
  kept: boolean
  /** Runs a command now (or at a given tick) and keeps the new state. */
  apply(command: Command, tickUs?: number): Reply
  /** Counts one request of a key; seconds to wait when its quota is spent. */
  spend(apiKey: ApiKey): number | null
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  reset(): void
}

export interface CreateWorldOptions {
  readonly name: string
  readonly seed: number
  readonly cast: ResolvedScenario
  readonly clock: WorldClock
  readonly overrides: readonly HookOverride[]
  readonly journalLimits: JournalLimits
  readonly interfere: FaultHook | null
  readonly state?: State
  /** Default: no. */
  readonly kept?: boolean
  /** Hears of every exchange that has ended. */
  readonly onExchange?: ((entry: JournalEntry) => void) | null
  /** Default: none. */
  readonly log?: WorldLog | null
}

/** A world of its own. */
export function createWorld(options: CreateWorldOptions): World {
  const { name, seed, cast, overrides, interfere } = options
  const log = options.log ?? null
  const clock = adjustable(options.clock, () => {
    world.kept = true
    log?.keepClock(clockSettings(clock))
  })
  const domainHooks = overrideDomainHooks(overrides, { seed })
  const machine = createMachine(cast, seed, domainHooks)
  const faithful = faithfulShell(stepOf(machine))
  const hooks: WorldHooks = { domainHooks, http: overrideHttpHooks(overrides, faithful, { seed }) }
  const step = hooks.http.step ?? faithful.step
  const opening = clock.reading()
  const world: World = {
    name,
    seed,
    clock,
    journal: createJournal(options.journalLimits, { cast, seed }, options.onExchange),
    machine,
    hooks,
    overrides,
    interfere,
    faultTimes: new Map(),
    faultRepeats: new Map(),
    log,
    state: options.state ?? emptyState,
    kept: options.kept ?? false,
    apply(command, tickUs = clock.nowUs()) {
      const before = world.state
      const { state, reply } = step(before, command, tickUs)
      world.state = state
      if (log !== null) {
        const effect = effectOf(machine, before, state, command, reply)
        if (effect !== null) log.note(effect)
      }
      return reply
    },
    spend(apiKey) {
      const { state, retryAfterSeconds } = spendQuota(world.state, apiKey, clock.nowUs())
      const window = log === null || state === world.state ? undefined : state.windows.get(apiKey.id)
      world.state = state
      if (window !== undefined) log?.note({ window: [apiKey.id, window] })
      return retryAfterSeconds
    },
    snapshot: () => ({
      state: world.state,
      clock: clock.reading(),
      ...(log === null ? null : { mark: log.mark() }),
    }),
    restore(snapshot) {
      // The clock first: it refuses a time that it cannot show, and then nothing has changed.
      clock.restore(snapshot.clock)
      world.state = snapshot.state
      log?.branch(snapshot.mark ?? null, snapshot.state)
    },
    reset() {
      world.state = emptyState
      log?.branch(null, emptyState)
      clock.restore(opening)
      world.journal.clear()
      world.faultTimes.clear()
      world.faultRepeats.clear()
    },
  }
  return world
}

function faithfulShell(step: Step): HttpHooks {
  return {
    authorize,
    validate: parseCommand,
    step,
    body: (json) => json,
    payload: (bytes) => bytes,
    chunks: (drafts) => drafts,
    chunk: (chunk) => chunk,
    line: (bytes) => bytes,
    head: (head) => head,
  }
}
