/** Judges errors that were asked for in the way of the profile, and came as something else. */
import { provokedCode } from '../../classify/classify-request.ts'
import type { ObservationLog } from '../../observation-log.ts'
import type { ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'

/** Errors of what stands behind the service: what one of them was asked for is not the other. */
const failuresBehind: ReadonlySet<string | null> = new Set(['api_timeout_error', 'internal_service_error'])

/**
 * Errors that were asked for in the way of the profile, and came in a form of which nobody can tell that they are it, or as
 * the failure of something else. Where that failure came unasked as well, it may be a true one.
 */
export function judgeProvoked(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  code: string,
  owedBy: ReadonlySet<string>,
): undefined {
  if (!analysis.profile.provoking.some((one) => one.code === code)) return
  for (const parsed of analysis.parsedExchanges) {
    const { operation, answer } = parsed
    if (operation === null || !owedBy.has(operation) || provokedCode(parsed, analysis.profile) !== code) continue
    if (answer.status === null || answer.status < 400 || !isAnotherFailure(analysis, parsed, code)) continue
    const what = answer.code === null ? 'has no error_code' : `is ${answer.code}`
    observe.contradicted(operation, null, {
      exchanges: [parsed.id],
      expected: code,
      actual: answerName(parsed),
      because: `${parsed.id} asks for ${code} in the way that the profile tells, and the error that came ${what}.`,
    })
  }
}

function isAnotherFailure(analysis: TraceAnalysis, { answer }: ParsedExchange, code: string): boolean {
  if (answer.code === null) return !isGatewayFailure(analysis, answer.status)
  if (answer.code === code || !failuresBehind.has(code) || !failuresBehind.has(answer.code)) return false
  return analysis.withCode(answer.code).every((other) => provokedCode(other, analysis.profile) !== null)
}

/** Whether the same bare status came unasked as well: then it may be a failure of a gateway on the way. */
function isGatewayFailure(analysis: TraceAnalysis, status: number | null): boolean {
  return status !== null && (status >= 500 || status === 429) && unaskedStatuses(analysis).has(status)
}

/** The statuses without an error code of requests that provoke nothing. */
const unaskedStatuses = memoPerTrace(
  ({ parsedExchanges, profile }): ReadonlySet<number | null> =>
    new Set(
      parsedExchanges
        .filter((parsed) => parsed.answer.code === null && provokedCode(parsed, profile) === null)
        .map(({ answer }) => answer.status),
    ),
)
