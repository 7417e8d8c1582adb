/** Judges requests that must be accepted, for all the oracles that ask for a success. */
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { answerName } from './answer-name.ts'

/**
 * One request that must be accepted; `beside` holds the exchanges that rule out other causes, and `named` is its name in a
 * headline.
 */
export function judgeAcceptance(
  observe: ObservationLog,
  parsed: ParsedExchange,
  facet: string | null,
  what: string,
  beside: readonly ParsedExchange[] = [],
  named = what,
): undefined {
  const { operation, id } = parsed
  if (operation === null) return
  if (isAccepted(parsed)) observe.held(operation, facet, id)
  else if (isRefusal(parsed)) {
    observe.contradicted(operation, facet, {
      exchanges: [...beside.map((other) => other.id), id],
      expected: 'the success response',
      actual: answerName(parsed),
      because: `${id} is ${what}, and it was refused with ${answerName(parsed)}.`,
      headline: `refuses ${named}: ${answerName(parsed)}`,
    })
  } else observe.ambiguous(operation, facet, id, `${id} got ${answerName(parsed)}.`)
}
