/**
 * Marks doubtful keys in recorded traffic: a key is known to be valid only if the service accepted it. A request whose key
 * the service may not know decides nothing about its other properties.
 */

import type { TraceHeader } from '../../trace/exchange.ts'
import { headerValue, isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import { hasSuccessShape } from '../read/success-shape.ts'

/** The exchanges, with a key marked `doubted` if no success confirms it or if it was refused. */
export function withDoubtedKeys(
  parsedExchanges: readonly ParsedExchange[],
  source: TraceHeader['source'],
): readonly ParsedExchange[] {
  if (source === 'suite') return parsedExchanges
  const good = new Set(parsedExchanges.filter(tookKey).map(keyOf))
  return parsedExchanges.map((parsed) => {
    if (parsed.key !== 'sent' || parsed.operation === 'uploadFile') return parsed
    if (good.has(keyOf(parsed)) && !isTurnedAway(parsed)) return parsed
    // A refusal of the key may have a success status.
    const isFriendly = isAccepted(parsed) && !hasSuccessShape(parsed)
    return { ...parsed, key: 'doubted', ...(isFriendly ? { answer: { ...parsed.answer, kind: 'bare' } } : {}) }
  })
}

const keyOf = ({ exchange }: ParsedExchange): string | undefined => headerValue(exchange, 'api-key')

const tookKey = (parsed: ParsedExchange): boolean =>
  parsed.key === 'sent' && parsed.operation !== 'uploadFile' && isAccepted(parsed) && hasSuccessShape(parsed)

/** A valid key can be revoked during the recording. */
const isTurnedAway = ({ answer: { status } }: ParsedExchange): boolean => status === 401 || status === 403
