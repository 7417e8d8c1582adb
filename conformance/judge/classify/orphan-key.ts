/**
 * Recognises a key without a tenant that gets another error than tenant_not_found. Where unknown keys get a different answer,
 * the service knows the key, and the profile is right.
 */
import { errorRowOf } from '../../../spec/index.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../trace-analysis.ts'
import { provokedCode } from './provoked-code.ts'

const owed = 'tenant_not_found'
const operation = 'listMyApiKeys'

/** The requests with such a key, where each of them got the same wrong error. */
export const wrongForOrphanKey = memoPerTrace((analysis): ReadonlySet<ParsedExchange> => {
  const asked = isAskedByKey(analysis)
    ? analysis.of(operation).filter((parsed) => provokedCode(parsed, analysis) === owed)
    : []
  const [first] = asked
  const code = first?.answer.code ?? null
  const isWrong = errorRowOf(code) !== undefined && code !== owed && code !== 'rate_limit_gateway'
  if (first === undefined || !isWrong || asked.some(({ answer }) => answer.code !== code)) return new Set()
  const ofNobody = analysis.of(operation).filter((parsed) => parsed.key === 'unknown')
  const isKnown = ofNobody.length > 0 && ofNobody.every((other) => !isAccepted(other) && !isAlike(other, first))
  return isKnown ? new Set(asked) : new Set()
})

/** Whether the profile provokes it by a key alone. */
function isAskedByKey({ profile: { provoking } }: TraceAnalysis): boolean {
  return provoking.some(({ code, lines }) => code === owed && lines.length === 1 && lines[0]?.[0] === 'api-key')
}

const isAlike = ({ answer: one }: ParsedExchange, { answer: other }: ParsedExchange): boolean =>
  one.code === other.code && one.status === other.status
