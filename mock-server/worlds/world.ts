/**
 * A world: a state that nobody else can see, with its seed, clock, seams and journal.
 * The state is persistent data, so fork, snapshot, restore and reset are assignments whatever the world holds.
 */
import { type AdjustableClock, adjustable } from '../clock/adjustable-clock.ts'
import { type ClockReading, clockSettings, type WorldClock } from '../clock/clock.ts'
import { authorize } from '../http/authorize.ts'
import { parseCommand } from '../http/command-parser.ts'
import type { Interfere } from '../http/interference.ts'
import { createJournal, type Journal, type JournalLimits } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Command } from '../machine/command.ts'
import { createMachine, type Machine, type Step, stepOf } from '../machine/machine.ts'
import { spendQuota } from '../machine/quota.ts'
import type { Reply } from '../machine/reply.ts'
import { emptyState, type State } from '../machine/state.ts'
import type { ApiKey, Cast } from '../scenario/cast.ts'
import { type Bend, bendLaws, bendShell, type ShellSeams, type WorldSeams } from '../seams.ts'
import { effectOf } from '../store/effect.ts'
import type { Ledger, Mark } from '../store/ledger.ts'

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
  readonly seams: WorldSeams
  readonly bends: readonly Bend[]
  readonly interfere: Interfere | null
  /** How often each fault rule has acted here. */
  readonly faultTimes: Map<string, number>
  /** How often a request came that a fault rule drew for. */
  readonly faultRepeats: Map<string, number>
  /** Keeps the state on disk, `null` for a world in memory only. */
  readonly ledger: Ledger | null
  state: State
  /** Runs a command now (or at a given tick) and keeps the new state. */
  apply(command: Command, tickUs?: number): Reply
  /** Counts one request of a key; seconds to wait when its quota is spent. */
  spend(apiKey: ApiKey): number | null
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  reset(): void
}

export interface WorldMakings {
  readonly name: string
  readonly seed: number
  readonly cast: Cast
  readonly clock: WorldClock
  readonly bends: readonly Bend[]
  readonly journalLimits: JournalLimits
  readonly interfere: Interfere | null
  readonly state?: State
  /** Hears of every exchange that has ended. */
  readonly onExchange?: ((entry: JournalEntry) => void) | null
  /** Default: none. */
  readonly ledger?: Ledger | null
}

/** A world of its own. */
export function createWorld(makings: WorldMakings): World {
  const { name, seed, cast, bends, interfere } = makings
  const ledger = makings.ledger ?? null
  const clock = adjustable(makings.clock, () => ledger?.keepClock(clockSettings(clock)))
  const laws = bendLaws(bends, { seed })
  const machine = createMachine(cast, seed, laws)
  const faithful = faithfulShell(stepOf(machine))
  const seams: WorldSeams = { laws, shell: bendShell(bends, faithful, { seed }) }
  const step = seams.shell.step ?? faithful.step
  const opening = clock.reading()
  const world: World = {
    name,
    seed,
    clock,
    journal: createJournal(makings.journalLimits, { cast, seed }, makings.onExchange),
    machine,
    seams,
    bends,
    interfere,
    faultTimes: new Map(),
    faultRepeats: new Map(),
    ledger,
    state: makings.state ?? emptyState,
    apply(command, tickUs = clock.nowUs()) {
      const before = world.state
      const { state, reply } = step(before, command, tickUs)
      world.state = state
      if (ledger !== null) {
        const effect = effectOf(machine, before, state, command, reply)
        if (effect !== null) ledger.note(effect)
      }
      return reply
    },
    spend(apiKey) {
      const { state, retryAfterSeconds } = spendQuota(world.state, apiKey, clock.nowUs())
      const window = ledger === null || state === world.state ? undefined : state.windows.get(apiKey.id)
      world.state = state
      if (window !== undefined) ledger?.note({ window: [apiKey.id, window] })
      return retryAfterSeconds
    },
    snapshot: () => ({
      state: world.state,
      clock: clock.reading(),
      ...(ledger === null ? null : { mark: ledger.mark() }),
    }),
    restore(snapshot) {
      world.state = snapshot.state
      ledger?.branch(snapshot.mark ?? null, snapshot.state)
      clock.restore(snapshot.clock)
    },
    reset() {
      world.state = emptyState
      ledger?.branch(null, emptyState)
      clock.restore(opening)
      world.journal.clear()
      world.faultTimes.clear()
      world.faultRepeats.clear()
    },
  }
  return world
}

function faithfulShell(step: Step): ShellSeams {
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
