/**
 * One request on its way through the engine: what is known about it so far. Seams read it, the journal keeps its end.
 */
import type { OperationId } from '../../spec/index.ts'
import type { InjectedFault } from '../faults/injection-record.ts'
import type { RequestCommand } from '../machine/command.ts'
import type { ReasonId } from '../machine/rejection-reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import type { FramedLines } from '../streams/framed-lines.ts'
import type { World } from '../worlds/world.ts'
import type { EngineRequest } from './request.ts'
import type { ResponseHead } from './sink.ts'

/** How the client met the end of the response. */
export type ClientOutcome = 'pending' | 'read-all' | 'left' | 'broken-off'

export interface InFlightRequest {
  readonly world: World
  readonly request: EngineRequest
  readonly startedAtUs: number
  operation: OperationId | null
  caller: Caller | null
  command: RequestCommand | null
  reason: ReasonId | null
  status: number
  /** World ticks at which the chunks of a stream were written. */
  readonly chunkTimesUs: number[]
  /** How many chunks a streamed answer will have, `null` for any other answer. */
  chunkCount: number | null
  /** Deliberate faults that were chosen for it. */
  injected: readonly InjectedFault[]
  outcome: ClientOutcome
  response: ResponseHead | null
  /** What was sent, as far as it was sent. */
  responsePieces: readonly (Uint8Array | FramedLines)[]
  /** An exception of the mock itself, `null` in a sound one. */
  fault: unknown
}
