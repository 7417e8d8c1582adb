/**
 * Finds the pace of an unknown rate limit. After a refusal requests are spaced; the distance grows with each refusal and
 * shrinks with each answer, so that a run takes little longer than the limit requires.
 */
/** The sender that pauses after a refusal: the name of a key, or any other value for requests without one. */
type Caller = string | object | null

export interface Pace {
  /** Waits until the request may be sent. */
  readonly wait: (credential: Caller) => Promise<void>
  /** Records a refusal, after which the key pauses. */
  readonly refused: (credential: Caller, restMs: number) => void
  /** Records any other answer. */
  readonly answered: (credential: Caller) => void
}

interface PaceOptions {
  readonly nowMs: () => number
  readonly pause: (waitMs: number) => Promise<void>
}

const firstDistanceMs = 50
const longestDistanceMs = 5_000
/** Growth after refusals with too few answers in between to determine the limit. */
const growth = 1.5
/** The same when the limit is known already. */
const gentleGrowth = 1.1
const tellingAnswers = 6
/**
 * An answer shrinks the distance by a step, so that a guess that is too slow is corrected; each refusal makes the steps
 * smaller.
 */
const firstStep = 0.04
const smallestStep = 0.001
const refining = 0.5
/** Answers without a refusal after which the step has doubled, then tripled: the limit seems to be higher. */
const answersPerStep = 15
const leastDistanceMs = 10
/** The number of requests assumed to fit into the bucket until a refusal shows that fewer do. */
const firstRoom = 8
/** An answer this long after a refusal belongs to a request that was sent after it. */
const longestOnItsWayMs = 1_000

interface Rhythm {
  distanceMs: number
  step: number
  /** Requests that may go out together after a pause. */
  room: number
  /** The known time at which the bucket was or will be empty. */
  emptyAtMs: number
  isRefused: boolean
  /** Whether refusals have revealed the limit. */
  isKnown: boolean
  /** Requests made in this turn of the loop: they are sent together, since their purpose is to overlap. */
  open: { size: number; readonly startsAtMs: Promise<number> } | null
}

/** The number of answers since the last refusals ended, or since the start. */
interface Count {
  sinceMs: number
  answers: number
  /** Time in which the bucket was full, which says nothing about the limit. */
  idleMs: number
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Learns when refusals end: the bucket was empty then and when the count began, or a quota starts anew as it did then, so
 * that at most the limit was answered in between. Returns whether there were enough answers to determine it.
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

/**
 * The time when this many simultaneous requests fit into the bucket; takes them out of it, and counts the time in which
 * it was full.
 */
const takePlace = (rhythm: Rhythm, count: Count, size: number, earliestMs: number): number => {
  const { distanceMs, room } = rhythm
  const startsAtMs = Math.max(earliestMs, rhythm.emptyAtMs + Math.min(size, room) * distanceMs)
  const fullAtMs = Math.max(rhythm.emptyAtMs, startsAtMs - room * distanceMs)
  if (!rhythm.isRefused) count.idleMs += fullAtMs - rhythm.emptyAtMs
  rhythm.emptyAtMs = fullAtMs + size * distanceMs
  return startsAtMs
}

/**
 * Starts without any limit. A gateway may count all requests together or those of each key: the answers of all keys
 * reveal the limit.
 */
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
      // A request in flight at a refusal says nothing about later ones.
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
