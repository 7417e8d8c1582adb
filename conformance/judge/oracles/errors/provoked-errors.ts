/** Judges errors that were provoked as the profile describes, and came as something else. */
import { errorRowOf, modelOperations } from '../../../../spec/index.ts'
import { wrongForOrphanKey } from '../../classify/orphan-key.ts'
import { provokedCode } from '../../classify/provoked-code.ts'
import { isSwapped } from '../../classify/swapped-provocations.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import { assistantOf } from '../support/refusal-evidence.ts'

/** Errors of upstream services: a request that provokes one of them must not get the other. */
const failuresBehind: ReadonlySet<string | null> = new Set(['api_timeout_error', 'internal_service_error'])

/**
 * Errors that were provoked as the profile describes, and came in an unrecognisable form or as the failure of something
 * else. What may be the failure of a gateway on the way counts when it came each time; two errors that came in exchange
 * for each other are the profile's fault.
 */
export function judgeProvoked(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  code: string,
  owedBy: ReadonlySet<string>,
): undefined {
  if (!analysis.profile.provoking.some((one) => one.code === code) || isSwapped(analysis, code)) return
  const asked = analysis.parsedExchanges.filter(
    (parsed) => owedBy.has(parsed.operation ?? '') && provokedCode(parsed, analysis) === code,
  )
  for (const parsed of asked) {
    const { operation, answer } = parsed
    if (operation === null || answer.status === null || answer.status < 400) continue
    const same = asked.filter((other) => other.operation === operation)
    const isOfOrphan = wrongForOrphanKey(analysis).has(parsed)
    if ((!isOfOrphan && !isAnotherFailure(analysis, parsed, code)) || (isBareFailure(parsed) && !isOnlyAnswer(same)))
      continue
    const what = answer.code === null ? 'has no error_code' : `is ${answer.code}`
    observe.contradicted(operation, null, {
      exchanges: [parsed.id],
      expected: code,
      actual: answerName(parsed),
      because: `${parsed.id} asks for ${code} as the profile says, and the error that came ${what}.`,
      headline: `where the profile provokes ${code}, the error ${what}`,
    })
  }
}

function isAnotherFailure(analysis: TraceAnalysis, parsed: ParsedExchange, code: string): boolean {
  const { answer } = parsed
  if (isBareFailure(parsed)) return !unaskedStatuses(analysis).has(answer.status)
  if (answer.code === null || isOfOtherOperations(parsed, code)) return true
  if (answer.code === code || !failuresBehind.has(code)) return false
  if (answer.code === 'assistant_not_available') return hasAnsweredBefore(analysis, parsed)
  if (!failuresBehind.has(answer.code)) return false
  return analysis.withCode(answer.code).every((other) => provokedCode(other, analysis) !== null)
}

/** An assistant that a failure behind it took out of service for good. */
function hasAnsweredBefore(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const assistant = assistantOf(analysis, parsed)
  const isServed = (other: ParsedExchange): boolean =>
    other.tenant === parsed.tenant && other.endedAtMs < parsed.sentAtMs && isAccepted(other)
  return (
    assistant !== null &&
    modelOperations.some((operation) =>
      analysis.of(operation).some((other) => isServed(other) && assistantOf(analysis, other) === assistant),
    )
  )
}

/** A code of the table that it lists elsewhere only, in the place of one that has this operation alone. */
function isOfOtherOperations({ operation, answer }: ParsedExchange, code: string): boolean {
  const [asked, sent] = [errorRowOf(code), errorRowOf(answer.code)]
  if (operation === null || asked === undefined || sent === undefined || answer.code === code) return false
  return asked.operations.length === 1 && asked.operations.includes(operation) && !sent.operations.includes(operation)
}

/** An answer that may come from a gateway on the way, which has words of its own. */
function isBareFailure({ answer: { code, status } }: ParsedExchange): boolean {
  if (status === null || errorRowOf(code) !== undefined) return false
  return status >= 500 || (code === null && status === 429)
}

/** A gateway that fails now and then does not fail each time. */
function isOnlyAnswer(asked: readonly ParsedExchange[]): boolean {
  return asked.length > 1 && asked.every(isBareFailure)
}

/** The statuses without a listed error code of requests that provoke nothing. */
const unaskedStatuses = memoPerTrace(
  (analysis): ReadonlySet<number | null> =>
    new Set(
      analysis.parsedExchanges
        .filter((parsed) => isBareFailure(parsed) && provokedCode(parsed, analysis) === null)
        .map(({ answer }) => answer.status),
    ),
)
