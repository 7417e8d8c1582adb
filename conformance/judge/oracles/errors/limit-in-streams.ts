/**
 * Judges streams of a key over its limit beside the plain form of the same, which shares its errors.
 * Only what recurs between two refusals of the plain form counts: a limit that lets one through now and then is legal.
 */
import { bothCompletions, bothRuns, type OperationId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'

/** So many streams in turn that no share of a limit explains them. */
const surelyUnlimited = 3

const codesWithinLimit: ReadonlySet<string | null> = new Set([
  'assistant_not_available',
  'resource_not_found',
  'validation_error',
  'thread_not_found',
])

/** Oracle of errors.rate-limit-in-streams. */
export const limitInStreams: Oracle = (analysis, observe) => {
  for (const [plain, stream] of [bothCompletions, bothRuns]) judgeForms(analysis, observe, plain, stream)
}

function judgeForms(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  plain: OperationId,
  stream: OperationId,
): undefined {
  const asked = throttledOnes(analysis, plain, stream)
  const refusedPlain = asked.filter((one) => one.operation === plain && isLimited(one))
  const limitedStream = asked.find((one) => one.operation === stream && isLimited(one))
  const [first] = refusedPlain
  if (first === undefined) return
  if (limitedStream !== undefined) return observe.held(stream, null, first.id, limitedStream.id)
  const passed = betweenLimited(asked, plain).filter(hasPassed)
  const [example] = passed
  if (example === undefined || passed.length < surelyUnlimited) return
  observe.contradicted(stream, null, {
    exchanges: [first.id, ...passed.map(({ id }) => id)],
    expected: 'rate_limit_gateway, as the plain form gets',
    actual: answerName(example),
    because: `Each of ${passed.map(({ id }) => id).join(', ')} stands between two plain requests of the same key that are over the limit, and none is refused for it.`,
    headline: 'serves a key that is over its limit',
  })
}

/** Requests of the throttled key to these operations, in the order of sending. */
export const throttledOnes = (analysis: TraceAnalysis, ...ids: readonly OperationId[]): readonly ParsedExchange[] =>
  ids
    .flatMap((id) => analysis.of(id))
    .filter(({ tenant }) => tenant === 'throttled')
    .sort((one, other) => one.sentAtMs - other.sentAtMs)

/** Those to other operations that stand between two requests to this one that were refused for the limit. */
export function betweenLimited(asked: readonly ParsedExchange[], operation: OperationId): readonly ParsedExchange[] {
  const isMark = (one: ParsedExchange) => one.operation === operation && isLimited(one)
  return asked.filter((one, at) => {
    const [before, behind] = [asked[at - 1], asked[at + 1]]
    if (one.operation === operation || before === undefined || behind === undefined) return false
    if (!isMark(before) || !isMark(behind)) return false
    return before.endedAtMs <= one.sentAtMs && one.endedAtMs <= behind.sentAtMs
  })
}

/** Whether it was answered, or refused for what it names; another code is left to errors.code-rate-limit-gateway. */
const hasPassed = (stream: ParsedExchange): boolean =>
  isAccepted(stream) || (isRefusal(stream) && codesWithinLimit.has(stream.answer.code))

/** Whether it is refused for the limit, in the words of the contract. */
export const isLimited = ({ answer }: ParsedExchange): boolean => answer.code === 'rate_limit_gateway'
