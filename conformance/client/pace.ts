/**
 * Finds the pace of a rate limit that nobody told. After a refusal the requests of a key go apart; the distance grows with
 * each refusal and shrinks with each answer, so that a run takes little longer than the limit makes it.
 */
/** Whose requests share a limit: the name of a key, or anything else for those without one. */
type Caller = string | object | null

export interface Pace {
  /** Waits for the turn of a request. */
  readonly wait: (credential: Caller) => Promise<void>
  /** Takes in a refusal, after which the key rests. */
  readonly refused: (credential: Caller, restMs: number) => void
  /** Takes in any other answer. */
  readonly answered: (credential: Caller) => void
}

interface PaceOptions {
  readonly nowMs: () => number
  readonly pause: (waitMs: number) => Promise<void>
}

const firstDistanceMs = 50
const longestDistanceMs = 5_000
/** Growth while nothing but refusals comes. */
const steepGrowth = 1.5
/** An answer shrinks the distance by a step, a refusal lets it grow by so many; each refusal makes the steps smaller. The
 * figures were searched for with simulated buckets; the test holds what they reach. */
const stepsOfGrowth = 30
const mostGrowth = 0.4
const firstStep = 0.04
const smallestStep = 0.002
const refining = 0.7
const leastDistanceMs = 10

interface Rhythm {
  distanceMs: number
  step: number
  restsUntilMs: number
  freeAtMs: number
  wasRefused: boolean
  /** Those who asked in this turn of the loop: they go out together, since what overlaps is what they are there to show. */
  open: { size: number; readonly startsAtMs: Promise<number> } | null
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const unknownLimit: Rhythm = {
  distanceMs: firstDistanceMs,
  step: firstStep,
  restsUntilMs: 0,
  freeAtMs: 0,
  wasRefused: false,
  open: null,
}

/** Grows the distance after a refusal: steeply when nothing was answered since the one before. */
const goApart = (rhythm: Rhythm): void => {
  if (rhythm.wasRefused) rhythm.distanceMs *= steepGrowth
  else {
    rhythm.distanceMs *= 1 + Math.min(mostGrowth, stepsOfGrowth * rhythm.step)
    rhythm.step = Math.max(smallestStep, rhythm.step * refining)
  }
  rhythm.distanceMs = Math.min(longestDistanceMs, rhythm.distanceMs)
}

/** Starts without any limit. */
export const createPace = ({ nowMs, pause }: PaceOptions): Pace => {
  const rhythms = new Map<string, Rhythm>()
  const keyOf = (credential: Caller): string => (typeof credential === 'string' ? credential : '')
  const startOf = async (rhythm: Rhythm): Promise<number> => {
    await endOfTurn()
    const size = rhythm.open?.size ?? 1
    rhythm.open = null
    const room = (size - 1) * rhythm.distanceMs
    const startsAtMs = Math.max(nowMs(), rhythm.restsUntilMs, rhythm.freeAtMs + room)
    rhythm.freeAtMs = startsAtMs + size * rhythm.distanceMs
    return startsAtMs
  }
  return {
    wait: async (credential) => {
      const rhythm = rhythms.get(keyOf(credential))
      if (rhythm === undefined) return
      rhythm.open ??= { size: 0, startsAtMs: startOf(rhythm) }
      rhythm.open.size += 1
      const startsAtMs = await rhythm.open.startsAtMs
      if (startsAtMs > nowMs()) await pause(startsAtMs - nowMs())
      // Another request may have been refused since.
      if (rhythm.restsUntilMs > nowMs()) await pause(rhythm.restsUntilMs - nowMs())
    },
    refused: (credential, restMs) => {
      const key = keyOf(credential)
      const known = rhythms.get(key)
      const rhythm = known ?? { ...unknownLimit }
      // What went out before the refusal that the key rests after tells nothing more than that one.
      if (known !== undefined && known.restsUntilMs <= nowMs()) goApart(known)
      rhythm.wasRefused = true
      rhythm.restsUntilMs = Math.max(rhythm.restsUntilMs, nowMs() + restMs)
      rhythms.set(key, rhythm)
    },
    answered: (credential) => {
      const key = keyOf(credential)
      const rhythm = rhythms.get(key)
      if (rhythm === undefined) return
      rhythm.wasRefused = false
      rhythm.distanceMs *= 1 - rhythm.step
      if (rhythm.distanceMs < leastDistanceMs) rhythms.delete(key)
    },
  }
}
