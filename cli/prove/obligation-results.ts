/**
 * States for each obligation which deviation breaks it alone and was killed there.
 * Apart from proof.ts because a proof card is about a requirement, and a verdict is about an obligation.
 */
import { type Obligation, obligationKey, obligations } from '../../spec/index.ts'
import type { Trial } from './trial.ts'

export interface ObligationResult extends Obligation {
  /** The first deviation that was killed at this obligation and at no other of its requirement, or `null`. */
  readonly killedBy: string | null
}

/** The results of all obligations; `requirementOf` names the requirement that a deviation is made to violate. */
export const obligationResults = (
  trials: readonly Trial[],
  requirementOf: (deviation: string) => string | undefined,
): readonly ObligationResult[] => {
  const killers = new Map<string, string>()
  for (const trial of trials) {
    const requirement = trial.kind === 'deviation' ? requirementOf(trial.id) : undefined
    const [only, another] = requirement === undefined ? [] : killedPlaces(trial, requirement)
    if (only !== undefined && another === undefined && !killers.has(only)) killers.set(only, trial.id)
  }
  return obligations.map((one) => ({ ...one, killedBy: killers.get(obligationKey(one)) ?? null }))
}

/** Obligations that no deviation was killed at alone, as `requirement operation facet`. */
export const unprovenObligations = (results: readonly ObligationResult[]): readonly string[] =>
  results.flatMap((result) => (result.killedBy === null ? [obligationKey(result)] : []))

/** The places of its requirement at which a deviation was killed, without facets that no row lists. */
export const killedPlaces = ({ breaches }: Trial, requirement: string): readonly string[] => {
  const places = breaches.find((breach) => breach.requirement === requirement)?.places ?? []
  return places.map((place) => obligationKey({ requirement, ...place })).filter((key) => listed.has(key))
}

/** A verdict may also be about a facet that no row lists, for example another page size. */
const listed: ReadonlySet<string> = new Set(obligations.map((one) => obligationKey(one)))
