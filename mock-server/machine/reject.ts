/** Builds the rejection of a step: the state stays as it was. */

import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Outcome } from './reply.ts'
import type { State } from './state.ts'

/** A rejection, with field faults where the reason is a validation error. */
export function reject(state: State, reason: MachineReasonId, faults?: readonly FieldFault[]): Outcome {
  const rejection = faults === undefined ? { reason } : { reason, faults }
  return { state, reply: { kind: 'rejected', rejection } }
}
