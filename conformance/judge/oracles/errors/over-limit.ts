/**
 * Judges lists of a throttled key that is over its limit: the contract lists the code there as well.
 * A list that is answered says nothing, since another operation may have a limit of its own, nor does a bare 429, which may
 * come from something in front of the service.
 */
import type { ObservationLog } from '../../observation-log.ts'
import { isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, refusedValid } from '../support/confounders.ts'

/** Lists of the throttled tenant's own threads that are refused behind a refusal for the limit, as something else. */
export function judgeListsOverLimit(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  const limited = analysis.of('listMyApiKeys').find(isLimited)
  if (limited === undefined) return
  const others = refusedValid(analysis, 'listMessages').filter(({ tenant }) => tenant !== 'throttled')
  for (const parsed of analysis.of('listMessages')) {
    if (parsed.tenant !== 'throttled' || parsed.sentAtMs < limited.endedAtMs || isLimited(parsed)) continue
    if (!isRefusal(parsed) || analysis.requestOf(parsed).validity !== 'valid') continue
    if (isRefusedLikeOneOf(parsed, others)) continue
    observe.contradicted('listMessages', null, {
      exchanges: [limited.id, parsed.id],
      expected: 'rate_limit_gateway, or a page',
      actual: answerName(parsed),
      because: `${limited.id} shows that the key is over its limit, and ${parsed.id}, a list of the tenant's own thread with the same key, is refused with ${answerName(parsed)}.`,
    })
  }
}

const isLimited = ({ tenant, answer }: ParsedExchange): boolean =>
  tenant === 'throttled' && answer.code === 'rate_limit_gateway'
