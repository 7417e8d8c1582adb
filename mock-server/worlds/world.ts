/**
 * A world: an isolated state with its seed, clock, hooks and journal. The state is persistent data, so fork, snapshot,
 * restore and reset are assignments regardless of its size.
 */
import { adjustable } from '../clock/adjustable-clock.ts'
import { type ClockReading, clockSettings, type WorldClock } from '../clock/clock.ts'
import { checkedTick } from '../clock/clock-range.ts'
import type { FaultHook } from '../exchange/fault-hook.ts'
import { composeDomainHooks, composeHttpHooks, type HookOverride, type HttpHooks } from '../exchange/hooks.ts'
import type { ServedWorld } from '../exchange/served-request.ts'
import { authorize } from '../http/authorize.ts'
import { parseCommand } from '../http/validate-request.ts'
import { createJournal, type Journal, type JournalLimits } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { closeRunning } from '../live/close-running.ts'
import { createLiveExchanges, type LiveExchanges } from '../live/live-exchanges.ts'
import { createMachine } from '../machine/machine.ts'
import { spendQuota } from '../machine/quota.ts'
import { emptyState, type State } from '../machine/state.ts'
import { type Step, stepOf } from '../machine/step.ts'
import { OptionError } from '../option-error.ts'
import { createPlayback } from '../recording/playback.ts'
import type { Recording } from '../recording/recording.ts'
import type { ApiKey, ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { durableAdmission } from '../store/durable-sink.ts'
import { type Effect, effectOf, replay } from '../store/state-change.ts'
import type { Mark, WorldLog } from '../store/world-log.ts'

/** A saved state of a world, and its time. */
export interface Snapshot {
  readonly state: State
  readonly clock: ClockReading
  /** Its position in the state on disk. */
  readonly mark?: Mark
}

export interface World extends ServedWorld {
  readonly seed: number
  readonly journal: Journal
  readonly overrides: readonly HookOverride[]
  /** Keeps the state on disk, `null` for a world in memory only. */
  readonly log: WorldLog | null
  /** It was set up or looked up explicitly, so it is never replaced by another world. */
  kept: boolean
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /** Holds another state from now on; clock and journal stay. */
  replace(state: State): void
  reset(): void
}

interface CreateWorldOptions {
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
  /** Called for every exchange that has ended. */
  readonly onExchange?: ((entry: JournalEntry) => void) | null
  /** Called with failures; default: ignored. */
  readonly tell?: (problem: string) => void
  /** Default: none. */
  readonly log?: WorldLog | null
  /** Tracks the waiting exchanges; default: without watchers. */
  readonly live?: LiveExchanges
  /** What it plays; default: nothing. */
  readonly recording?: Recording | null
  /** Puts in place what the world contains after a reset; default: nothing. */
  readonly refill?: ((world: World) => void) | null
}

/** A world of its own. */
export function createWorld(options: CreateWorldOptions): World {
  const { name, seed, cast, overrides, interfere, live = createLiveExchanges() } = options
  const { log = null, recording = null, refill = null } = options
  const clock = adjustable(options.clock, () => {
    world.kept = true
    log?.keepClock(clockSettings(clock))
    live.changed(name, 'clock')
  })
  const machine = createMachine(cast, seed, composeDomainHooks(overrides, { seed }))
  const hooks = composeHttpHooks(overrides, faithfulHooks(stepOf(machine)), { seed })
  const { step } = hooks
  const opening = clock.reading()
  const adopt = (effect: Effect) => {
    world.state = replay(world.state, effect)
    log?.note(effect)
  }
  const world: World = {
    name,
    seed,
    clock,
    journal: followed(createJournal(options.journalLimits, { cast, seed }, options.onExchange), live),
    waits: live,
    machine,
    hooks,
    overrides,
    interfere,
    faultTimes: new Map(),
    faultRepeats: new Map(),
    held: new Map(),
    log,
    playback: recording === null ? null : createPlayback(recording, adopt),
    admit: log === null ? null : durableAdmission(log),
    state: options.state ?? emptyState,
    kept: options.kept ?? false,
    tell: options.tell ?? (() => {}),
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
    spend: (apiKey) => spend(world, apiKey),
    snapshot: () => ({
      state: world.state,
      clock: clock.reading(),
      ...(log === null ? null : { mark: log.mark() }),
    }),
    restore(snapshot) {
      if (snapshot?.state === undefined) throw new OptionError('snapshot', 'must be one that snapshot() gave')
      // A time outside the range of a clock is refused before anything has changed.
      checkedTick(snapshot.clock.nowUs)
      closeRunning(world)
      clock.restore(snapshot.clock)
      world.state = snapshot.state
      log?.branch(snapshot.mark ?? null, snapshot.state)
      live.changed(name, 'restored')
    },
    replace(state) {
      world.state = state
      log?.branch(null, state)
      live.changed(name, 'edited')
    },
    reset() {
      closeRunning(world)
      world.state = emptyState
      log?.branch(null, emptyState)
      clock.restore(opening)
      world.journal.clear()
      world.playback?.restart()
      world.faultTimes.clear()
      world.faultRepeats.clear()
      refill?.(world)
      live.changed(name, 'reset')
    },
  }
  return world
}

/** Counts a request of a key; seconds to wait when its quota is spent. */
function spend(world: World, apiKey: ApiKey): number | null {
  const { clock } = world
  // A clock that is moved by hand has the factor 0; there the seconds are those of the world.
  const { state, retryAfterSeconds } = spendQuota(world.state, apiKey, clock.nowUs(), clock.factor || 1)
  const window = world.log === null || state === world.state ? undefined : state.windows.get(apiKey.id)
  world.state = state
  if (window !== undefined) world.log?.note({ window: [apiKey.id, window] })
  return retryAfterSeconds
}

/** A journal that reports its entries to `live`. */
function followed(journal: Journal, live: LiveExchanges): Journal {
  return {
    ...journal,
    record(exchange) {
      journal.record(exchange)
      live.ended(exchange, journal.total())
    },
  }
}

function faithfulHooks(step: Step): HttpHooks {
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
