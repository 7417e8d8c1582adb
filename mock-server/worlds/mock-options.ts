/** The options of a mock and of a single world. */
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
  /** The limits of each world's journal. Default 1,000 exchanges and 4 MiB. */
  readonly journal?: Partial<JournalLimits>
  /** The limit of worlds beside the default one; unused ones are replaced by new ones. Default 10,000. */
  readonly maxWorlds?: number
  /** Called for every exchange that has ended, in all worlds. */
  readonly onExchange?: (entry: JournalEntry) => void
  /** Directory in which the state survives a restart, created if needed; default: memory only. */
  readonly stateDir?: string
  /**
   * Whether an answer waits until its effects are on the disk itself, so that a power cut loses nothing that was
   * acknowledged. Default false: the end of the process loses nothing, a power cut may lose the last seconds.
   */
  readonly stateSync?: boolean
  /**
   * Called with a sentence about each failure and recovery, and about mistakes in the scenario that do not
   * keep it from being played. Default: a warning of the process.
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
  /** Whether the default world holds what the examples of the API document name, also after a reset. Default false. */
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
