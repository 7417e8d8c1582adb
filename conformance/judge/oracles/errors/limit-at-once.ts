/**
 * Finds a limit that holds for requests one by one and not for simultaneous ones. The contract shows no quota, so the
 * target's own answers tell what it is.
 */
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { isLimited } from './limit-in-streams.ts'

/** A window that refills may allow one or two more than after the same pause before. */
const surelyMore = 4
/** A second refusal so much later shows that the window was not just ending. */
const sameMomentMs = 200
/** All that are sent at once are sent in less. */
const atOnceMs = 1_000
/** Less is no pause, but the time between two requests. */
const leastPauseMs = 1_000
/** How exactly two pauses can be the same. */
const pauseSlackMs = 1_000

/** Judges requests with the throttled key, in the order in which they were sent. */
export function judgeLimitAtOnce(asked: readonly ParsedExchange[], observe: ObservationLog): undefined {
  for (const at of asked.keys()) {
    const found = moreAtOnce(asked, at)
    if (found === null) continue
    const { oneByOne, over, atOnce } = found
    const [first, last] = [oneByOne[0], atOnce.at(-1)]
    if (first === undefined || last === undefined) continue
    return observe.contradicted('listMyApiKeys', null, {
      exchanges: [first.id, over.id, last.id],
      timed: true,
      expected: 'rate_limit_gateway',
      actual: `${atOnce.length} successes at once`,
      because: `One by one, ${oneByOne.length} requests with the throttled key are served from ${first.id} on, and ${over.id} is over its limit; after the same pause, ${atOnce.length} at once are all served, up to ${last.id}.`,
      headline: `serves ${atOnce.length} simultaneous requests of a key that is over its limit after ${oneByOne.length} in a row`,
    })
  }
}

interface Found {
  readonly oneByOne: readonly ParsedExchange[]
  readonly over: ParsedExchange
  readonly atOnce: readonly ParsedExchange[]
}

/**
 * From `at` on a refusal, or the last one of as many at once, a pause, some that are served one by one, two refusals, a pause as
 * long, and more that are served at once. Long traffic has many pauses: after each one only the requests that belong to it are read.
 */
function moreAtOnce(asked: readonly ParsedExchange[], at: number): Found | null {
  const [before, first] = [asked[at], asked[at + 1]]
  if (before === undefined || first === undefined) return null
  const pauseMs = pauseBetween(before, first)
  if (pauseMs < leastPauseMs) return null
  const oneByOne = whileHolds(asked, at + 1, isAccepted)
  const end = at + 1 + oneByOne.length
  const [over, again, next] = asked.slice(end, end + 3)
  if (oneByOne.length === 0 || over === undefined || again === undefined || next === undefined) return null
  const areApart = [...oneByOne, over, again].every(
    (parsed, place, all) => place === 0 || isBehind(parsed, all[place - 1]),
  )
  const isOver = isLimited(over) && isLimited(again) && again.sentAtMs - over.endedAtMs >= sameMomentMs
  if (!areApart || !isOver || pauseBetween(again, next) > pauseMs + pauseSlackMs) return null
  const isMore = (atOnce: readonly ParsedExchange[]) => atOnce.length >= oneByOne.length + surelyMore
  const isUsedUp = isLimited(before) || isMore(acceptedAtOnce(asked.slice(0, at + 1).toReversed()))
  const atOnce = acceptedAtOnce(asked.slice(end + 2))
  return isUsedUp && isMore(atOnce) ? { oneByOne, over, atOnce } : null
}

/** Those that were sent within a moment of the first one, and served. */
function acceptedAtOnce(asked: readonly ParsedExchange[]): readonly ParsedExchange[] {
  const isAtOnce = ({ sentAtMs }: ParsedExchange): boolean => Math.abs(sentAtMs - (asked[0]?.sentAtMs ?? 0)) < atOnceMs
  return whileHolds(asked, 0, isAtOnce).filter(isAccepted)
}

/** Those from a place on, up to the first for which it does not hold. */
function whileHolds(
  asked: readonly ParsedExchange[],
  from: number,
  holds: (parsed: ParsedExchange) => boolean,
): readonly ParsedExchange[] {
  let end = from
  for (let one = asked[end]; one !== undefined && holds(one); one = asked[end]) end += 1
  return asked.slice(from, end)
}

const isBehind = (parsed: ParsedExchange, before: ParsedExchange | undefined): boolean =>
  before !== undefined && parsed.sentAtMs >= before.endedAtMs

const pauseBetween = (before: ParsedExchange, next: ParsedExchange): number => next.sentAtMs - before.endedAtMs
