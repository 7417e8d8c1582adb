/** Names the requests around which a target stopped answering, since one of them may be the cause. */
import { lowest } from '../trace/highest.ts'
import type { ParsedExchange } from './read/parsed-exchange.ts'

/** `the target stopped answering after E381, with E382 to E384 under way`; `null` when it never answered. */
export function lastAnswers(parsedExchanges: readonly ParsedExchange[]): string | null {
  const last = parsedExchanges
    .filter(isAnswered)
    .reduce<ParsedExchange | null>(
      (one, other) => (one === null || other.endedAtMs > one.endedAtMs ? other : one),
      null,
    )
  if (last === null) return null
  const lost = parsedExchanges.filter((parsed) => !isAnswered(parsed) && parsed.endedAtMs > last.endedAtMs)
  const firstFailedMs = lowest(lost.map(({ endedAtMs }) => endedAtMs))
  const underWay = lost.filter(({ sentAtMs }) => sentAtMs < firstFailedMs).map(({ id }) => id)
  return `the target stopped answering after ${last.id}${underWay.length === 0 ? '' : `, with ${rangesOf(underWay)} under way`}`
}

const isAnswered = ({ exchange: { response, ending } }: ParsedExchange): boolean =>
  response !== null && ending === 'complete'

/** `E1 to E3, E7`: consecutive ids are shortened to the first and the last. */
function rangesOf(ids: readonly string[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of ids.map((id) => Number(id.slice(1))).sort((left, right) => left - right)) {
    const range = ranges.at(-1)
    if (range !== undefined && number === range[1] + 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges
    .map(([first, last]) => (first === last ? `E${first}` : `E${first}${last === first + 1 ? ',' : ' to'} E${last}`))
    .join(', ')
}
