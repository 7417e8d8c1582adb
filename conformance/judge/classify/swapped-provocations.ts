/**
 * Finds two provocations of the profile that each cause the error of the other. A mistake in the profile is more likely
 * than two in the service, so they cause no violation.
 */
import { errorRowOf, groupBy } from '../../../spec/index.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../trace-analysis.ts'
import { provokedCode } from './provoked-code.ts'

interface Swapped {
  readonly code: string
  /** The error that came instead, each time. */
  readonly other: string
  /** A request that asks for `code`. */
  readonly parsed: ParsedExchange
}

/** One half of each pair, or both. */
export const swappedProvocations = memoPerTrace((analysis): readonly Swapped[] => {
  const asked = groupBy(analysis.parsedExchanges, (parsed) => provokedCode(parsed, analysis))
  return [...asked].flatMap(([code, [parsed, ...more]]) => {
    const other = parsed.answer.code
    if (other === null || other === code) return []
    const back = asked.get(other) ?? []
    const isPair = more.every(({ answer }) => answer.code === other) && back.length > 0
    return isPair && back.every((one) => bringsOrCannot(one, code)) ? [{ code, other, parsed }] : []
  })
})

/** What provokes an error provokes nothing on an operation that does not have it. */
function bringsOrCannot(parsed: ParsedExchange, code: string): boolean {
  const { answer, operation } = parsed
  if (answer.code !== null || operation === null) return answer.code === code
  return isAccepted(parsed) && errorRowOf(code)?.operations.includes(operation) === false
}

/** Whether requests that provoke a code get another one, and those that provoke that other code do not. */
export const isSwapped = (analysis: TraceAnalysis, code: string): boolean =>
  swappedProvocations(analysis).some((one) => one.code === code)
