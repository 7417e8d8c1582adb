/** Defines how a gap is observed: each sighting is a value, and those of one group should agree. */

import type { OperationId } from '../../../spec/index.ts'
import type { AmbiguityText } from '../classify/ambiguity.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'

export interface GapObservation {
  readonly value: string
  readonly exchange: string
  /** Sightings of one group are expected to show one value; default: all of them. */
  readonly group?: string
}

export type GapObserver = (analysis: TraceAnalysis) => Iterable<GapObservation>

/** The status and, when there is one, the code of a refusal: `401 unauthorized`. */
export const statusAndCode = ({ answer }: ParsedExchange): string =>
  answer.code === null ? `${answer.status}` : `${answer.status} ${answer.code}`

/** The code of a refusal, or its status when it has none. */
export const codeOf = ({ answer }: ParsedExchange): string =>
  answer.code ?? `status ${answer.status} without error_code`

/** Requests about which this is the only thing that is open, and nothing is wrong. */
export function* withOnlyAmbiguity(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
  about: AmbiguityText,
): Generator<ParsedExchange> {
  for (const operation of operations) yield* analysis.withOnlyAmbiguity(operation, about)
}

/** An observer that tells whether requests with this doubt are accepted or rejected. */
export const acceptance =
  (
    operations: readonly OperationId[],
    about: AmbiguityText,
    accepted = 'accepted',
    rejected: string | ((parsed: ParsedExchange) => string) = 'rejected',
  ): GapObserver =>
  (analysis) =>
    acceptanceOf(withOnlyAmbiguity(analysis, operations, about), accepted, rejected)

/** Accepted and refused requests as sightings; what was neither says nothing. */
export function* acceptanceOf(
  parsedExchanges: Iterable<ParsedExchange>,
  accepted: string,
  rejected: string | ((parsed: ParsedExchange) => string),
): Generator<GapObservation> {
  for (const parsed of parsedExchanges) {
    if (isAccepted(parsed)) yield { value: accepted, exchange: parsed.id }
    else if (isRefusal(parsed))
      yield { value: typeof rejected === 'string' ? rejected : rejected(parsed), exchange: parsed.id }
  }
}
