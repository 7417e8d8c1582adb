/**
 * Judges requests of a throttled key that is over its limit. The contract lists the code on other operations as well.
 * One that is answered says nothing, since another operation may have a limit of its own.
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { isRefusedLikeOneOf, isSameResponse, refusedValid } from '../support/confounders.ts'
import { betweenLimited, throttledOnes } from './limit-in-streams.ts'

const ofCompletions = ['assistant_not_available', 'resource_not_found', 'validation_error'] as const
/**
 * Other codes that the operations of the contract's list may still get: a completion for its assistant, a run for its
 * thread or assistant.
 */
const otherCodes = {
  createChatCompletion: ofCompletions,
  streamChatCompletion: ofCompletions,
  runThread: ['thread_not_found', 'assistant_not_available'],
  streamThreadRun: ['thread_not_found', 'assistant_not_available'],
  listMessages: [],
  createMessage: [],
} as const satisfies Partial<Record<OperationId, readonly string[]>>
type Listed = keyof typeof otherCodes

/** Requests of the throttled tenant that are refused behind a refusal for the limit, as something else. */
export function judgeOthersOverLimit(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  const limited = analysis.of('listMyApiKeys').find(isLimited)
  if (limited === undefined) return
  for (const operation of Object.keys(otherCodes) as Listed[]) {
    judgeFailures(analysis, observe, operation)
    for (const parsed of analysis.of(operation)) {
      if (parsed.tenant !== 'throttled' || parsed.sentAtMs < limited.endedAtMs || isLimited(parsed)) continue
      if (!isForLimit(analysis, operation, parsed)) continue
      observe.contradicted(operation, null, {
        exchanges: [limited.id, parsed.id],
        expected: 'rate_limit_gateway, or the answer of a key within its limit',
        actual: answerName(parsed),
        because: `${limited.id} shows that the key is over its limit, and ${parsed.id}, a request of the same key, is refused with ${answerName(parsed)}.`,
        headline: `answers a key that is over its limit with ${answerName(parsed)}`,
      })
    }
  }
}

/** So many failures in turn with refusals for the limit that no outage explains them. */
const surelyForLimit = 3

/** Requests that fail whenever the key is over its limit, of an operation that is answered for other keys. */
function judgeFailures(analysis: TraceAnalysis, observe: ObservationLog, operation: Listed): undefined {
  const asked = throttledOnes(analysis, 'listMyApiKeys', operation)
  const failed = betweenLimited(asked, 'listMyApiKeys').filter(isFailure)
  const [example] = failed
  const isServed = analysis.of(operation).some((one) => one.tenant !== 'throttled' && isAccepted(one))
  if (example === undefined || failed.length < surelyForLimit || !isServed) return
  const ids = failed.map(({ id }) => id)
  observe.contradicted(operation, null, {
    exchanges: ids,
    expected: 'rate_limit_gateway, or the answer of a key within its limit',
    actual: answerName(example),
    because: `Each of ${ids.join(', ')} stands between two requests of the same key that are over the limit, and each fails with ${answerName(example)}.`,
    headline: `fails with ${answerName(example)} for a key that is over its limit`,
  })
}

/** A refusal for the limit may have such a status as well. */
const isFailure = (parsed: ParsedExchange): boolean => (parsed.answer.status ?? 0) >= 500 && !isLimited(parsed)

/** Whether nothing but the limit can be the reason of a refusal: the request is right, or its fault has codes of its own. */
function isForLimit(analysis: TraceAnalysis, operation: Listed, parsed: ParsedExchange): boolean {
  const { code, status } = parsed.answer
  if (code === null) return status === 429 && !isLimitOfAll(analysis, parsed)
  if (!isRefusal(parsed)) return false
  if (analysis.requestOf(parsed).validity === 'valid') {
    const others = refusedValid(analysis, operation).filter(({ tenant }) => tenant !== 'throttled')
    return !isRefusedLikeOneOf(parsed, others)
  }
  const known: readonly string[] = otherCodes[operation]
  return known.length > 0 && !known.includes(code) && isRightButForPlace(analysis, parsed)
}

/** Whether only the thread or the assistant that a request names is none, or may be none. */
function isRightButForPlace(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { faults, ambiguities } = analysis.requestOf(parsed)
  const isPlace = faults.every(({ rule }) => rule === 'thread-unknown' || rule === 'assistant-unknown')
  return isPlace && ambiguities.every(({ about }) => about === 'an assistant of which no list was seen')
}

/** Whether something in front of the service, which limits requests of other keys in the same words, may have answered. */
export function isLimitOfAll(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const { code, status } = parsed.answer
  if (code !== null || status !== 429) return false
  return analysis.parsedExchanges.some((other) => other.tenant !== 'throttled' && isSameResponse(other, parsed))
}

const isLimited = ({ tenant, answer }: ParsedExchange): boolean =>
  tenant === 'throttled' && answer.code === 'rate_limit_gateway'
