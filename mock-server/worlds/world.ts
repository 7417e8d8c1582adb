/**
 * A world: a state that nobody else can see, with its seed, clock, seams and journal.
 * The state is persistent data, so fork, snapshot, restore and reset are assignments whatever the world holds.
 */
import { type AdjustableClock, adjustable } from '../clock/adjustable-clock.ts'
import type { ClockReading, WorldClock } from '../clock/clock.ts'
import { authorize } from '../http/authorize.ts'
import { parseCommand } from '../http/command-parser.ts'
import type { Interfere } from '../http/interference.ts'
import { createJournal, type Journal, type JournalLimits } from '../journal/journal.ts'
import type { Command } from '../machine/command.ts'
import { createMachine, type Machine, type Step, stepOf } from '../machine/machine.ts'
import type { Reply } from '../machine/reply.ts'
import { emptyState, type State } from '../machine/state.ts'
import type { Cast } from '../scenario/cast.ts'
import { type Bend, bendLaws, bendShell, type ShellSeams, type WorldSeams } from '../seams.ts'

/** A remembered state of a world, and the time it showed. */
export interface Snapshot {
  readonly state: State
  readonly clock: ClockReading
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
  state: State
  /** Runs a command now (or at a given tick) and keeps the new state. */
  apply(command: Command, tickUs?: number): Reply
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
}

/** A world of its own. */
export function createWorld(makings: WorldMakings): World {
  const { name, seed, cast, bends, interfere } = makings
  const clock = adjustable(makings.clock)
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
    journal: createJournal(makings.journalLimits, { cast, seed }),
    machine,
    seams,
    bends,
    interfere,
    faultTimes: new Map(),
    faultRepeats: new Map(),
    state: makings.state ?? emptyState,
    apply(command, tickUs = clock.nowUs()) {
      const { state, reply } = step(world.state, command, tickUs)
      world.state = state
      return reply
    },
    snapshot: () => ({ state: world.state, clock: clock.reading() }),
    restore(snapshot) {
      world.state = snapshot.state
      clock.restore(snapshot.clock)
    },
    reset() {
      world.state = emptyState
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
