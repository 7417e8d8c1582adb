/**
 * Keys in traffic that others made: nobody knows whether they are good, unless the service itself took them. A request whose
 * key it may not have known decides nothing about the rest of it.
 */

import type { TraceHeader } from '../../trace/exchange.ts'
import { headerValue, isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import { hasSuccessShape } from '../read/success-shape.ts'

/** The readings, with the key of each request called `doubted` that no success vouches for or that was turned away. */
export function withDoubtedKeys(
  parsedExchanges: readonly ParsedExchange[],
  source: TraceHeader['source'],
): readonly ParsedExchange[] {
  if (source === 'suite') return parsedExchanges
  const good = new Set(parsedExchanges.filter(tookKey).map(keyOf))
  return parsedExchanges.map((parsed) => {
    if (parsed.key !== 'sent' || parsed.operation === 'uploadFile') return parsed
    if (good.has(keyOf(parsed)) && !isTurnedAway(parsed)) return parsed
    // A refusal of the key may come under a friendly status.
    const isFriendly = isAccepted(parsed) && !hasSuccessShape(parsed)
    return { ...parsed, key: 'doubted', ...(isFriendly ? { answer: { ...parsed.answer, kind: 'bare' } } : {}) }
  })
}

const keyOf = ({ exchange }: ParsedExchange): string | undefined => headerValue(exchange, 'api-key')

const tookKey = (parsed: ParsedExchange): boolean =>
  parsed.key === 'sent' && parsed.operation !== 'uploadFile' && isAccepted(parsed) && hasSuccessShape(parsed)

/** A good key can be withdrawn while it is watched. */
const isTurnedAway = ({ answer: { status } }: ParsedExchange): boolean => status === 401 || status === 403
