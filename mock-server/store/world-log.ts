/**
 * The log of one world: effects in a line, written in groups. A fork, a restore or a reset does not copy: it starts a
 * new line that names its parent line and how much of it counts.
 */
import type { ClockOptions } from '../clock/clock.ts'
import type { State } from '../machine/state.ts'
import type { Writer } from './batch-writer.ts'
import { type Effect, wholeState } from './state-change.ts'

/** A place in a line of effects. */
export interface Mark {
  readonly line: number
  readonly length: number
}

/** The metadata of a line of effects. */
export interface LineRecord {
  /** Where it starts; `null`: with nothing. */
  readonly from: Mark | null
  /** The world whose present line it is, `null` once it has none: so the loss of a world's own record is noticed. */
  readonly world: string | null
}

/** The metadata of a world. */
export interface WorldRecord {
  readonly seed: number
  readonly clock: ClockOptions
  readonly line: number
}

export interface WorldLog {
  note(effect: Effect): void
  /** Goes on from another place: that of a snapshot, or from nothing (`null`); `state` is written out when it has no place. */
  branch(from: Mark | null, state: State): void
  mark(): Mark
  keepClock(clock: ClockOptions): void
  /** Removes the world; parts of its line that others use stay. */
  forget(): void
  /** Resolves once all effects so far are written; `null` when it is. Rejects when it cannot be written. */
  settled(): Promise<void> | null
  /** Whether the latest write failed; nothing may be promised until one works. */
  isFailing(): boolean
}

export const keyOf = {
  world: (name: string) => `world/${name}`,
  line: (line: number) => `line/${digits(line, 8)}`,
  effects: (line: number) => `effect/${digits(line, 8)}`,
  effect: (line: number, index: number) => `effect/${digits(line, 8)}/${digits(index, 10)}`,
}

function digits(value: number, length: number): string {
  return value.toString(36).padStart(length, '0')
}

interface WorldLogOptions {
  readonly name: string
  readonly record: WorldRecord
  /** Where its line starts. */
  readonly from: Mark | null
  /** Effects that the line has already. */
  readonly length: number
  readonly writer: Writer
  /** A number for a new line. */
  readonly nextLine: () => number
}

/** The log of a world whose record is written, too, if it is new. */
export function createWorldLog(options: WorldLogOptions): WorldLog {
  const { name, writer, nextLine } = options
  let { record, length, from: start } = options
  const keepLine = (line: LineRecord) => writer.put(keyOf.line(record.line), JSON.stringify(line))
  const keepRecord = (changed: WorldRecord) => {
    record = changed
    writer.put(keyOf.world(name), JSON.stringify(record))
  }
  const note = (effect: Effect) => {
    writer.put(keyOf.effect(record.line, length), JSON.stringify(effect))
    length += 1
  }
  return {
    note,
    mark: () => ({ line: record.line, length }),
    settled: writer.settled,
    isFailing: writer.isFailing,
    keepClock: (clock) => keepRecord({ ...record, clock }),
    forget() {
      keepLine({ from: start, world: null })
      writer.remove(keyOf.world(name))
    },
    branch(from, state) {
      keepLine({ from: start, world: null })
      keepRecord({ ...record, line: nextLine() })
      start = from
      length = 0
      keepLine({ from, world: name })
      if (from === null) for (const effect of wholeState(state)) note(effect)
    },
  }
}
