/**
 * Finds the pace of a rate limit that nobody told. After a refusal requests go apart; the distance grows with each refusal and
 * shrinks with each answer, so that a run takes little longer than the limit makes it.
 */
/** Who rests after a refusal: the name of a key, or anything else for those without one. */
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
/** Growth after refusals between which too little was answered to tell the limit. */
const growth = 1.5
/** The same when the limit is known already. */
const gentleGrowth = 1.1
const tellingAnswers = 6
/** An answer shrinks the distance by a step, so that a guess that is too slow is left; each refusal makes the steps smaller. */
const firstStep = 0.04
const smallestStep = 0.001
const refining = 0.5
/** Answers without a refusal after which the step has doubled, then tripled: the limit seems to be higher. */
const answersPerStep = 15
const leastDistanceMs = 10
/** So many requests are taken to fit into the bucket until a refusal shows that fewer do. */
const firstRoom = 8
/** What comes so long after a refusal belongs to a request that was sent after it. */
const longestOnItsWayMs = 1_000

interface Rhythm {
  distanceMs: number
  step: number
  /** Requests that may go out together after a pause. */
  room: number
  /** When the bucket was empty, or will be, as far as is known. */
  emptyAtMs: number
  isRefused: boolean
  /** Whether refusals have told the limit. */
  isKnown: boolean
  /** Those who asked in this turn of the loop: they go out together, since what overlaps is what they are there to show. */
  open: { size: number; readonly startsAtMs: Promise<number> } | null
}

/** What was answered since the last refusals were over, or since the start. */
interface Count {
  sinceMs: number
  answers: number
  /** Time in which the bucket was full, so that it tells nothing. */
  idleMs: number
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Learns when refusals are over: the bucket was empty then and when the count began, or a quota starts anew as it did then, so that
 * no more than the limit was answered between. Says whether enough was answered to tell it.
 */
const learn = (rhythm: Rhythm, { sinceMs, answers, idleMs }: Count, nowMs: number): boolean => {
  const isTold = answers >= tellingAnswers
  const told = (nowMs - sinceMs - idleMs) / answers
  const distanceMs = isTold ? told : rhythm.distanceMs * (rhythm.isKnown ? gentleGrowth : growth)
  rhythm.distanceMs = Math.min(longestDistanceMs, Math.max(leastDistanceMs, distanceMs))
  rhythm.step = Math.max(smallestStep, rhythm.step * refining)
  rhythm.isKnown ||= isTold
  return isTold
}

/** When so many requests at once fit into the bucket; takes them out of it, and counts the time in which it was full. */
const takePlace = (rhythm: Rhythm, count: Count, size: number, earliestMs: number): number => {
  const { distanceMs, room } = rhythm
  const startsAtMs = Math.max(earliestMs, rhythm.emptyAtMs + Math.min(size, room) * distanceMs)
  const fullAtMs = Math.max(rhythm.emptyAtMs, startsAtMs - room * distanceMs)
  if (!rhythm.isRefused) count.idleMs += fullAtMs - rhythm.emptyAtMs
  rhythm.emptyAtMs = fullAtMs + size * distanceMs
  return startsAtMs
}

/** Starts without any limit. A gateway may count all requests together or those of each key: the answers of all tell the limit. */
export const createPace = ({ nowMs, pause }: PaceOptions): Pace => {
  let rhythm: Rhythm | null = null
  let count: Count = { sinceMs: nowMs(), answers: 0, idleMs: 0 }
  let newsFromMs = 0
  const rests = new Map<string, number>()
  const keyOf = (credential: Caller): string => (typeof credential === 'string' ? credential : '')
  const restsUntilMs = (credential: Caller): number => rests.get(keyOf(credential)) ?? 0
  const startOf = async (known: Rhythm, credential: Caller): Promise<number> => {
    await endOfTurn()
    const size = known.open?.size ?? 1
    known.open = null
    return takePlace(known, count, size, Math.max(nowMs(), restsUntilMs(credential)))
  }
  return {
    wait: async (credential) => {
      if (rhythm === null) return
      rhythm.open ??= { size: 0, startsAtMs: startOf(rhythm, credential) }
      rhythm.open.size += 1
      const startsAtMs = await rhythm.open.startsAtMs
      if (startsAtMs > nowMs()) await pause(startsAtMs - nowMs())
      // Another request may have been refused since.
      if (restsUntilMs(credential) > nowMs()) await pause(restsUntilMs(credential) - nowMs())
    },
    refused: (credential, restMs) => {
      const atMs = nowMs()
      const known = rhythm ?? startingAt(atMs)
      const isSure = known.isKnown && !known.isRefused && count.answers >= tellingAnswers
      const hadRoom = atMs - known.emptyAtMs >= 2 * known.distanceMs
      if (isSure && hadRoom) known.room = Math.max(1, known.room / 2)
      known.isRefused = true
      known.emptyAtMs = Math.max(known.emptyAtMs, atMs)
      rhythm = known
      newsFromMs = atMs + Math.min(restMs, longestOnItsWayMs)
      rests.set(keyOf(credential), Math.max(restsUntilMs(credential), atMs + restMs))
    },
    answered: () => {
      count.answers += 1
      // What was on its way at a refusal tells nothing of what comes behind it.
      if (rhythm === null || nowMs() < newsFromMs) return
      if (rhythm.isRefused) {
        rhythm.isRefused = false
        if (learn(rhythm, count, nowMs())) count = { sinceMs: nowMs(), answers: 0, idleMs: 0 }
      }
      rhythm.distanceMs *= 1 - Math.min(firstStep, rhythm.step * (1 + count.answers / answersPerStep))
      if (rhythm.distanceMs < leastDistanceMs) rhythm = null
    },
  }
}

const startingAt = (atMs: number): Rhythm => ({
  distanceMs: firstDistanceMs,
  step: firstStep,
  room: firstRoom,
  emptyAtMs: atMs,
  isRefused: false,
  isKnown: false,
  open: null,
})
