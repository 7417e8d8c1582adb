/** The one way in which a step says no: the state stays as it was. */

import type { FieldFault, ReasonId } from './rejection-reasons.ts'
import type { Outcome } from './reply.ts'
import type { State } from './state.ts'

/** A rejection, with field faults where the reason is a validation error. */
export function reject(state: State, reason: ReasonId, faults?: readonly FieldFault[]): Outcome {
  const rejection = faults === undefined ? { reason } : { reason, faults }
  return { state, reply: { kind: 'rejected', rejection } }
}
