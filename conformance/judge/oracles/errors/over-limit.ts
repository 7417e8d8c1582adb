/**
 * Judges lists of a throttled key that is over its limit: the contract lists the code there as well.
 * A list that is answered says nothing, since another operation may have a limit of its own.
 */
import type { ObservationLog } from '../../observation-log.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, isSameResponse, refusedValid } from '../support/confounders.ts'

/** Whether something in front of the service, which limits requests of other keys in the same words, may have answered. */
export function isLimitOfAll(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { code, status } = parsed.answer
  if (code !== null || status !== 429) return false
  return analysis.parsedExchanges.some((other) => other.tenant !== 'throttled' && isSameResponse(other, parsed))
}

/** Lists of the throttled tenant's own threads that are refused behind a refusal for the limit, as something else. */
export function judgeListsOverLimit(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  const limited = analysis.of('listMyApiKeys').find(isLimited)
  if (limited === undefined) return
  const others = refusedValid(analysis, 'listMessages').filter(({ tenant }) => tenant !== 'throttled')
  for (const parsed of analysis.of('listMessages')) {
    if (parsed.tenant !== 'throttled' || parsed.sentAtMs < limited.endedAtMs || isLimited(parsed)) continue
    if (!isRefusal(parsed) || analysis.requestOf(parsed).validity !== 'valid') continue
    if (isRefusedLikeOneOf(parsed, others) || isLimitOfAll(analysis, parsed)) continue
    observe.contradicted('listMessages', null, {
      exchanges: [limited.id, parsed.id],
      expected: 'rate_limit_gateway, or a page',
      actual: answerName(parsed),
      ...(parsed.answer.code === null ? {} : { pointer: '/error_code' }),
      because: `${limited.id} shows that the key is over its limit, and ${parsed.id}, a list of the tenant's own thread with the same key, is refused with ${answerName(parsed)}.`,
    })
  }
}

const isLimited = ({ tenant, answer }: ParsedExchange): boolean =>
  tenant === 'throttled' && answer.code === 'rate_limit_gateway'
