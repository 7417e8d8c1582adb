/**
 * A request as the engine serves it: an in-flight request whose world can also be acted on.
 * Hooks and faults get the narrower view of in-flight-request.ts, so that their types do not depend on the engine.
 */
import type { Command } from '../machine/command.ts'
import type { Reply } from '../machine/reply.ts'
import type { ApiKey } from '../scenario/resolved-scenario.ts'
import type { FaultHook } from './fault-hook.ts'
import type { WorldHooks } from './hooks.ts'
import type { InFlightRequest, RequestWorld } from './in-flight-request.ts'
import type { RequestInput } from './request-input.ts'
import type { Sink } from './sink.ts'
import type { Waits } from './waits.ts'

/**
 * Starts a request once its effects can be stored, with a sink that holds answers back until they are. Calls `refuse`
 * instead when they cannot be stored.
 */
export type Admission = (client: Sink, begin: (sink: Sink) => void, refuse: () => void) => void

/** The interface of a world that the engine needs. */
export interface ServedWorld extends RequestWorld {
  readonly hooks: WorldHooks
  readonly interfere: FaultHook | null
  readonly journal: { record(exchange: InFlightRequest): void }
  /** How exchanges wait for the clock. */
  readonly waits: Waits
  /** The playback of a recording, `null` without one. */
  readonly playback: Playback | null
  /** `null` for a world in memory only, in which every request begins at once. */
  readonly admit: Admission | null
  /** Runs a command now (or at a given tick) and keeps the new state. */
  apply(command: Command, tickUs?: number): Reply
  /** Reports a failure to the user of the mock, in a sentence; each sentence once. */
  tell(problem: string): void
  /** Counts one request of a key; seconds to wait when its quota is spent. */
  spend(apiKey: ApiKey): number | null
}

export interface ServedRequest extends InFlightRequest {
  readonly world: ServedWorld
}

/** A recording in one world: it answers a request, or passes it to the machine. */
export interface Playback {
  /**
   * Answers a request as it was recorded and gives `null`; or prepares the state for the machine and returns the sink to
   * use, which names the nearest recorded exchange in a header.
   */
  play(exchange: ServedRequest, sink: Sink, input: RequestInput): Sink | null
  /** Plays from the beginning again. */
  restart(): void
}
