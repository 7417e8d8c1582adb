/**
 * The place at which deliberate faults enter the engine.
 * Once an exchange is routed, a fault may refuse it, delay it or wrap its sink.
 */
import type { Rejection } from '../reasons/reasons.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import type { Sink } from './sink.ts'

/** The decision for one exchange. */
export interface Interference {
  /** Answer with this instead of doing anything. */
  readonly rejection?: Rejection
  /** Wait that long on the world's clock before anything is done. */
  readonly delayMs?: number
  /** A sink before the client's, for faults of the transport. */
  readonly wrapSink?: (sink: Sink) => Sink
}

/** Asked once for every exchange, those included that will be refused before the machine is asked. */
export type FaultHook = (exchange: InFlightRequest) => Interference | null
