/**
 * Finds refusals that valid requests of the same operation get as well. Such a refusal says nothing about the fault of
 * the request that got it. The rule that valid requests are served already names the cause.
 */
import type { OperationId } from '../../../../spec/index.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { fieldOf } from '../../read/json.ts'
import { isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { holdsSuccess } from '../../read/success-shape.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from './answer-name.ts'

/** Code, status and detail of an answer, except for ids and numbers in the detail. */
export const formOf = (parsed: ParsedExchange): string => `${parsed.answer.status} ${errorOf(parsed)}`

function errorOf({ answer }: ParsedExchange): string {
  const error = answer.body.kind === 'json' ? answer.body.value : undefined
  const detail = JSON.stringify(fieldOf(error, 'detail') ?? null).replace(/[0-9a-f]*\d[0-9a-f-]*/gi, '#')
  return JSON.stringify([answer.code, detail])
}

/** Same code, status and detail, except for ids and numbers in the detail. */
export const isSameResponse = (one: ParsedExchange, other: ParsedExchange): boolean => formOf(one) === formOf(other)

/** The same for errors of the contract, which gives its codes no status. */
export const isSameError = (one: ParsedExchange, other: ParsedExchange): boolean =>
  one.answer.code === null ? isSameResponse(one, other) : errorOf(one) === errorOf(other)

/** Whether an answer is a refusal in the form in which one of the others is refused. */
export const isRefusedLikeOneOf = (parsed: ParsedExchange, others: readonly ParsedExchange[]): boolean =>
  isRefusal(parsed) && others.some((other) => other !== parsed && isRefusal(other) && isSameResponse(other, parsed))

/** Valid requests of an operation that were refused; usually there are none. */
export const refusedValid = (analysis: TraceAnalysis, operation: OperationId): readonly ParsedExchange[] =>
  allRefusedValid(analysis).filter((one) => one.operation === operation)

const allRefusedValid = memoPerTrace((analysis) =>
  analysis.parsedExchanges.filter((one) => isRefusal(one) && analysis.requestOf(one).validity === 'valid'),
)

/** Says that a refusal decides nothing about the fault of its request, when valid requests are refused in the same way. */
export function isRefusedLikeValid(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  parsed: ParsedExchange,
  facet: string | null = null,
): boolean {
  const { operation, id } = parsed
  if (operation === null || !isRefusedLikeOneOf(parsed, refusedValid(analysis, operation))) return false
  observe.ambiguous(operation, facet, id, `${answerName(parsed)} is what valid requests of this operation get as well.`)
  return true
}

/** Whether an answer says that there is no such route, and not that a thing of the contract was not found. */
export function isRouteMissing(parsed: ParsedExchange): boolean {
  const { status, code } = parsed.answer
  if (!isRefusal(parsed) || (status !== 404 && status !== 405 && status !== 501)) return false
  if (holdsSuccess(parsed)) return false
  return code !== 'thread_not_found' && code !== 'assistant_not_available' && code !== 'tenant_not_found'
}

/** Whether an operation accepts no request, of several that it should; then no rule about some of them names the cause. */
export const acceptsNothing = (analysis: TraceAnalysis, operation: OperationId): boolean =>
  refusedValid(analysis, operation).length > 1 && !analysis.of(operation).some(isAccepted)
