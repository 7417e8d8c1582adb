/** What a user may choose for a mock and for a single world of it. */
import type { ClockOptions } from '../clock/clock.ts'
import type { FaultHook } from '../exchange/fault-hook.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { EngineRequest } from '../exchange/request.ts'
import type { JournalLimits } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { OptionNames } from '../option-error.ts'
import type { Recording } from '../recording/recording.ts'
import type { JsonObject, Scenario } from '../scenario/scenario.ts'

export interface MockOptions {
  /** Default: the built-in scenario. */
  readonly scenario?: Scenario
  /** Everything random follows from it. Default 1. */
  readonly seed?: number
  /** Clock of every world that brings none of its own. Default real. */
  readonly clock?: ClockOptions
  /** Ids of deviations, or overrides of hooks (a variant has several), for every world that names none itself. */
  readonly deviations?: readonly (string | HookOverride)[]
  /** What each world's journal keeps at most. Default 1,000 exchanges and 4 MiB. */
  readonly journal?: Partial<JournalLimits>
  /** Worlds beside the default one; those in which nothing happened give way to new ones. Default 10,000. */
  readonly maxWorlds?: number
  /** Hears of every exchange that has ended, in all worlds. */
  readonly onExchange?: (entry: JournalEntry) => void
  /** Directory in which the state outlives a restart, made if need be; default: memory only. */
  readonly stateDir?: string
  /**
   * Whether an answer waits until its effects are on the disk itself, so that a power cut loses nothing that was
   * acknowledged. Default false: the end of the process loses nothing, a power cut may lose the last seconds.
   */
  readonly stateSync?: boolean
  /**
   * Hears, in a sentence, of what stops working and what works again, and of mistakes in the scenario that show while it
   * is played. Default: a warning of the process.
   */
  readonly onTrouble?: (problem: string) => void
  /** A hook of your own beside the fault catalogue, asked for each exchange. */
  readonly interfere?: FaultHook
  /** A recorded session that every world plays, and goes on from; without a scenario, that of the recording counts. */
  readonly recording?: Recording
  /** Rewrites each request before anything reads it, for example to lead another path to an operation. */
  readonly reroute?: (request: EngineRequest) => EngineRequest
  /** Changes the API document that is served, for a mock that answers otherwise than the reference. */
  readonly document?: (document: JsonObject) => JsonObject
  /** Whether the default world holds what the examples of the API document name. Default false. */
  readonly examples?: boolean
}

/** Every option of a mock. */
export const mockOptionNames = {
  scenario: true,
  seed: true,
  clock: true,
  deviations: true,
  journal: true,
  maxWorlds: true,
  onExchange: true,
  stateDir: true,
  stateSync: true,
  onTrouble: true,
  interfere: true,
  recording: true,
  reroute: true,
  document: true,
  examples: true,
} as const satisfies OptionNames<MockOptions>

export interface WorldOptions {
  /** Default: a fresh name. */
  readonly name?: string
  readonly seed?: number
  readonly clock?: ClockOptions
  /** Default: those of the mock. */
  readonly deviations?: readonly HookOverride[]
  readonly journal?: Partial<JournalLimits>
  readonly interfere?: FaultHook
}

/** Every option of a world. */
export const worldOptionNames = {
  name: true,
  seed: true,
  clock: true,
  deviations: true,
  journal: true,
  interfere: true,
} as const satisfies OptionNames<WorldOptions>
