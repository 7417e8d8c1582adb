/**
 * The one clock of a world: it stamps, expires, counts windows and paces chunks, in one of four modes. `real` and `scaled`
 * follow the machine; `frozen` stands still and delays nothing; `stepped` moves only on command, and scheduled work waits
 * for that.
 */

import { OptionError, type OptionNames, refuseUnknown } from '../option-error.ts'
import { checkedFactor, checkedTick, isShownTick, lastTickUs, shownTimes } from './clock-range.ts'
import { processTimer, type RealTimeTimer } from './real-time-timer.ts'
import { type Alarm, createTimerQueue, type TimerQueue } from './timer-queue.ts'
import { timeOf } from './timestamp.ts'

const clockModes = ['real', 'scaled', 'frozen', 'stepped'] as const
export type ClockMode = (typeof clockModes)[number]

export interface ClockOptions {
  /** Default `real`. */
  readonly mode?: ClockMode
  /** First moment of a frozen or stepped clock, ISO 8601; default 2026-01-01T00:00:00Z. Real and scaled start now. */
  readonly startAt?: string
  /** The same in microseconds since the Unix epoch, for every mode; a real clock is never behind the machine's. */
  readonly startUs?: number
  /** Seconds of the world that pass in one real second (`scaled` only); default 10. */
  readonly factor?: number
}

/** A reading that a clock of the same mode can be set back to. */
export interface ClockReading {
  readonly nowUs: number
}

export interface WorldClock {
  readonly mode: ClockMode
  /** Seconds of the world in one real second; 0 for a clock that is moved by hand. */
  readonly factor: number
  /** Microseconds since the Unix epoch. */
  nowUs(): number
  /** The tick at which work due at `dueUs` may happen now, or `null` when it must wait. */
  ready(dueUs: number): number | null
  /** Calls `act` each time the clock reaches the time of the alarm; never inside `set`. */
  alarm(act: () => void): Alarm
  /** Moves a frozen or stepped clock forward and runs due alarms in order. */
  advance(durationMs: number): void
  /** Moves a stepped clock to the next alarm; `false` when there is none. */
  advanceToNext(): boolean
  reading(): ClockReading
  /** Sets a frozen or stepped clock; a real one cannot be set back and stays. */
  restore(reading: ClockReading): void
  /** A clock of the same mode that shows the same time. */
  fork(): WorldClock
}

/** Options of a clock that continues from the time of this one. */
export function clockSettings({ mode, factor, nowUs }: Pick<WorldClock, 'mode' | 'factor' | 'nowUs'>): ClockOptions {
  return { mode, startUs: nowUs(), ...(factor > 0 ? { factor } : null) }
}

const defaultStart = '2026-01-01T00:00:00Z'

const optionNames: OptionNames<ClockOptions> = { mode: true, startAt: true, startUs: true, factor: true }

/** Throws an OptionError for settings that this mode cannot keep. */
export function checkClockOptions(options: ClockOptions, mode: ClockMode): void {
  if (typeof options === 'string')
    throw new OptionError(
      'clock',
      `must be an object, with ${Object.keys(optionNames).join(', ')}; use ${objectFor(options)}`,
    )
  refuseUnknown('clock', options, optionNames)
  const { startAt, factor } = options
  if (!clockModes.includes(mode)) {
    const scale = scaleOf(mode)
    const hint = scale === null ? '' : `; use mode "scaled" with factor ${scale}`
    throw new OptionError('mode', `must be one of ${clockModes.join(', ')}, not "${mode}"${hint}`)
  }
  if (startAt !== undefined) {
    if (mode === 'real' || mode === 'scaled') {
      throw new OptionError('startAt', `has no effect on a ${mode} clock, which begins now; choose frozen or stepped`)
    }
    const tickUs = timeOf(String(startAt))
    if (tickUs === null) throw new OptionError('startAt', `is not an ISO 8601 time: ${startAt}`)
    if (!isShownTick(tickUs)) throw new OptionError('startAt', `must be a time ${shownTimes}`)
  }
  // A real clock reports its own factor, which settings may repeat.
  if (factor !== undefined && mode !== 'scaled' && !(mode === 'real' && factor === 1)) {
    throw new OptionError('factor', `has no effect on a ${mode} clock; choose scaled`)
  }
}

/** The factor in a word of the command line, such as `x10`. */
function scaleOf(word: string): string | null {
  return /^x(\d+(?:\.\d+)?)$/.exec(word)?.[1] ?? null
}

/** What to write instead of a word of the command line. */
function objectFor(word: string): string {
  const scale = scaleOf(word)
  if (scale !== null) return `{ mode: 'scaled', factor: ${scale} }`
  const mode = clockModes.find((known) => known === word) ?? 'frozen'
  return `{ mode: '${mode}' }`
}

/** A clock for one world. Throws an OptionError for settings that it cannot keep. */
export function createClock(options: ClockOptions = {}): WorldClock {
  const { mode = 'real' } = options
  checkClockOptions(options, mode)
  if (mode === 'real' || mode === 'scaled') {
    const factor = mode === 'real' ? 1 : checkedFactor(options.factor ?? 10)
    const nowUs = processTimer.nowUs()
    const originUs = mode === 'real' ? Math.max(options.startUs ?? 0, nowUs) : (options.startUs ?? nowUs)
    return runningClock(mode, factor, processTimer, checkedTick(originUs))
  }
  return heldClock(mode, checkedTick(options.startUs ?? timeOf(options.startAt ?? defaultStart) ?? Number.NaN))
}

function runningClock(
  mode: 'real' | 'scaled',
  factor: number,
  timer: RealTimeTimer,
  worldOriginUs: number,
): WorldClock {
  const realOriginUs = timer.nowUs()
  const tickUs = () => Math.floor(worldOriginUs + (timer.nowUs() - realOriginUs) * factor)
  // At its last tick the clock stands still, but scheduled work still runs.
  const nowUs = () => Math.min(tickUs(), lastTickUs)
  return {
    mode,
    factor,
    nowUs,
    ready(dueUs) {
      const now = tickUs()
      return now >= dueUs ? Math.min(now, Math.max(dueUs, lastTickUs)) : null
    },
    alarm(act) {
      const { set, clear } = timer.alarm(act)
      return { set: (dueUs) => set(realOriginUs + (dueUs - worldOriginUs) / factor), clear }
    },
    advance() {
      throw new RangeError(`a ${mode} clock cannot be advanced; choose frozen or stepped`)
    },
    advanceToNext() {
      throw new RangeError(`a ${mode} clock cannot be advanced; choose frozen or stepped`)
    },
    reading: () => ({ nowUs: nowUs() }),
    restore() {},
    fork: () => runningClock(mode, factor, timer, nowUs()),
  }
}

function heldClock(mode: 'frozen' | 'stepped', startUs: number): WorldClock {
  const timers = createTimerQueue()
  let now = startUs
  const moveTo = (targetUs: number) => {
    for (let due = timers.nextDueUs(); due !== null && due <= targetUs; due = timers.nextDueUs()) {
      now = Math.max(now, due)
      runDue(timers, now)
    }
    now = Math.max(now, targetUs)
  }
  return {
    mode,
    factor: 0,
    nowUs: () => now,
    ready: (dueUs) => (mode === 'frozen' ? Math.max(now, dueUs) : now >= dueUs ? now : null),
    alarm: mode === 'stepped' ? timers.alarm : soon,
    advance(durationMs) {
      if (!(durationMs >= 0)) throw new RangeError(`a clock only moves forward, got ${durationMs} ms`)
      moveTo(checkedTick(now + Math.round(durationMs * 1000)))
    },
    advanceToNext() {
      const due = timers.nextDueUs()
      if (due === null) return false
      now = checkedTick(Math.max(now, due))
      timers.take(now)?.()
      return true
    },
    reading: () => ({ nowUs: now }),
    restore(reading) {
      now = checkedTick(reading.nowUs)
    },
    fork: () => heldClock(mode, now),
  }
}

function runDue(timers: TimerQueue, tickUs: number): void {
  for (let act = timers.take(tickUs); act !== null; act = timers.take(tickUs)) act()
}

/** A frozen clock delays nothing. */
function soon(act: () => void): Alarm {
  let handle: NodeJS.Immediate | undefined
  const clear = () => clearImmediate(handle)
  return {
    set() {
      clear()
      handle = setImmediate(act)
    },
    clear,
  }
}
