/**
 * Where deliberate faults come in: once an exchange is routed and its caller known (or neither could be), something may
 * refuse it, delay it or put its own sink before the client's. Faults are data elsewhere; this is only where they act.
 */
import type { Rejection } from '../machine/rejection-reasons.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import type { Sink } from './sink.ts'

/** What happens to one exchange. */
export interface Interference {
  /** Answer with this instead of doing anything. */
  readonly rejection?: Rejection
  /** Wait that long on the world's clock before anything is done. */
  readonly delayMs?: number
  /** A sink before the client's, for faults of the transport. */
  readonly wrapSink?: (sink: Sink) => Sink
}

/** Asked once for every exchange, those included that will be refused at the door. */
export type FaultHook = (exchange: InFlightRequest) => Interference | null
