/**
 * Finds a limit that holds for requests one by one and lets more of them through at once. The contract shows no quota, so
 * the target's own answers tell what it is.
 */
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'

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
  for (const [at, refused] of asked.entries()) {
    const found = isLimited(refused) ? moreAtOnce(asked.slice(at)) : null
    if (found === null) continue
    const { oneByOne, over, atOnce } = found
    const [first, last] = [oneByOne[0], atOnce.at(-1)]
    if (first === undefined || last === undefined) continue
    return observe.contradicted('listMyApiKeys', null, {
      exchanges: [first.id, over.id, last.id],
      expected: 'rate_limit_gateway',
      actual: `${atOnce.length} successes at once`,
      because: `One by one, ${oneByOne.length} requests with the throttled key are served from ${first.id} on, and ${over.id} is over its limit; after the same pause, ${atOnce.length} at once are all served, up to ${last.id}.`,
    })
  }
}

interface Found {
  readonly oneByOne: readonly ParsedExchange[]
  readonly over: ParsedExchange
  readonly atOnce: readonly ParsedExchange[]
}

/** A refusal, a pause, some that are served one by one, two refusals, a pause as long, and more that are served at once. */
function moreAtOnce([before, ...rest]: readonly ParsedExchange[]): Found | null {
  const oneByOne = rest.slice(
    0,
    rest.findIndex((parsed) => !isAccepted(parsed)),
  )
  const [over, again, ...behind] = rest.slice(oneByOne.length)
  const [first] = oneByOne
  if (before === undefined || first === undefined || over === undefined || again === undefined) return null
  const areApart = [...oneByOne, over, again].every((parsed, at, all) => at === 0 || isBehind(parsed, all[at - 1]))
  const isOver = isLimited(over) && isLimited(again) && again.sentAtMs - over.endedAtMs >= sameMomentMs
  const pauseMs = pauseBetween(before, first)
  if (!areApart || !isOver || pauseMs < leastPauseMs) return null
  const atOnce = servedAtOnce(behind)
  const isAsLong = behind[0] !== undefined && pauseBetween(again, behind[0]) <= pauseMs + pauseSlackMs
  return isAsLong && atOnce.length >= oneByOne.length + surelyMore ? { oneByOne, over, atOnce } : null
}

/** Those that are served at the beginning, all sent in the same moment. */
function servedAtOnce([first, ...others]: readonly ParsedExchange[]): readonly ParsedExchange[] {
  if (first === undefined) return []
  return [first, ...others.filter(({ sentAtMs }) => sentAtMs - first.sentAtMs < atOnceMs)].filter(isAccepted)
}

const isLimited = ({ answer }: ParsedExchange): boolean => answer.code === 'rate_limit_gateway'

const isBehind = (parsed: ParsedExchange, before: ParsedExchange | undefined): boolean =>
  before !== undefined && parsed.sentAtMs >= before.endedAtMs

const pauseBetween = (before: ParsedExchange, next: ParsedExchange): number => next.sentAtMs - before.endedAtMs
