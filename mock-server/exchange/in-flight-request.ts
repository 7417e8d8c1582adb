/**
 * One request in the engine, with the data known about it so far. Hooks and faults read it, and the journal keeps its
 * final state.
 */
import type { OperationId } from '../../spec/index.ts'
import type { AdjustableClock } from '../clock/adjustable-clock.ts'
import type { InjectedFault } from '../fault-catalogue/injection-record.ts'
import type { RequestCommand } from '../machine/command.ts'
import type { Machine } from '../machine/machine.ts'
import type { State } from '../machine/state.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import type { EngineRequest } from './request.ts'
import type { ResponseHead } from './sink.ts'

/** The state of the client at the end of the response. */
export type ClientOutcome = 'pending' | 'read-all' | 'left' | 'broken-off'

/** The view that hooks, faults and the journal have of a request's world. */
export interface RequestWorld {
  readonly name: string
  readonly clock: AdjustableClock
  readonly machine: Machine
  /** How often each fault rule has acted here. */
  readonly faultTimes: Map<string, number>
  /** The number of times each request came for which a fault rule drew a number. */
  readonly faultRepeats: Map<string, number>
  /** Exchanges that wait for something other than the clock, with the function that aborts each. */
  readonly held: Map<object, () => void>
  state: State
}

/** Lines that are kept in a packed form and are cut apart on demand. */
interface PackedLines {
  readonly byteLength: number
  /** The lines from a position on; default: all. */
  lines(from?: number): readonly Uint8Array[]
}

export interface InFlightRequest {
  readonly world: RequestWorld
  readonly request: EngineRequest
  readonly startedAtUs: number
  operation: OperationId | null
  caller: Caller | null
  command: RequestCommand | null
  reason: ReasonId | null
  status: number
  /** Ticks of the world's clock at which the chunks of a stream were written. */
  readonly chunkTimesUs: number[]
  /** How many chunks a streamed answer will have, `null` for any other answer. */
  chunkCount: number | null
  /** Deliberate faults that were chosen for it. */
  injected: readonly InjectedFault[]
  outcome: ClientOutcome
  response: ResponseHead | null
  /** The bytes sent so far. */
  responsePieces: readonly (Uint8Array | PackedLines)[]
  /** The assistant whose script gave the answer, and the turn; `null` if no assistant was asked. */
  answeredBy: { readonly assistant: string; readonly turn: number | null } | null
  /** An exception of the mock itself, `null` without one. */
  fault: unknown
}
