/**
 * Seeing what a target does where the contract is silent: each sighting is a value, and sightings of one group should agree.
 */
import type { OperationId } from '../../spec/index.ts'
import { isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'

export interface GapSighting {
  readonly value: string
  readonly exchange: string
  /** Sightings of one group are expected to show one value; default: all of them. */
  readonly group?: string
}

export type GapObserver = (docket: Docket) => Iterable<GapSighting>

/** The status and, when there is one, the code of a refusal: `401 unauthorized`. */
export const statusAndCode = ({ answer }: Reading): string =>
  answer.code === null ? `${answer.status}` : `${answer.status} ${answer.code}`

/** The code of a refusal, or its status when it has none. */
export const codeOf = ({ answer }: Reading): string => answer.code ?? `status ${answer.status} without error_code`

/** Requests about which this is the only thing that is open, and nothing is wrong. */
export function* withOnlyDoubt(docket: Docket, operations: readonly OperationId[], about: string): Generator<Reading> {
  for (const operation of operations) yield* docket.withOnlyDoubt(operation, about)
}

/** An observer that tells whether requests with this doubt are accepted or rejected. */
export const acceptance =
  (
    operations: readonly OperationId[],
    about: string,
    accepted = 'accepted',
    rejected: string | ((reading: Reading) => string) = 'rejected',
  ): GapObserver =>
  (docket) =>
    decided(withOnlyDoubt(docket, operations, about), accepted, rejected)

/** Accepted and refused requests as sightings; what was neither says nothing. */
export function* decided(
  readings: Iterable<Reading>,
  accepted: string,
  rejected: string | ((reading: Reading) => string),
): Generator<GapSighting> {
  for (const reading of readings) {
    if (isAccepted(reading)) yield { value: accepted, exchange: reading.id }
    else if (isRefusal(reading))
      yield { value: typeof rejected === 'string' ? rejected : rejected(reading), exchange: reading.id }
  }
}
