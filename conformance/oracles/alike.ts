/**
 * Answers that are alike, and what follows: a refusal that valid requests of the operation get as well says nothing about
 * the fault of the request that got it. The rule that the valid ones should be served has named the cause by then.
 */
import type { OperationId } from '../../spec/index.ts'
import { fieldOf } from '../classify/json.ts'
import { isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import { holdsSuccess } from '../classify/success.ts'
import { type Docket, oncePerDocket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { answerName } from './oracle.ts'

/** Code, status and detail of an answer, whatever ids and numbers the detail mentions. */
function formOf({ answer }: Reading): string {
  const error = answer.body.kind === 'json' ? answer.body.value : undefined
  const detail = JSON.stringify(fieldOf(error, 'detail') ?? null).replace(/[0-9a-f]*\d[0-9a-f-]*/gi, '#')
  return JSON.stringify([answer.code, answer.status, detail])
}

/** Same code, status and detail, whatever ids and numbers the detail mentions. */
export const isAnsweredAlike = (one: Reading, other: Reading): boolean => formOf(one) === formOf(other)

/** Whether an answer is a refusal in the form in which one of the others is refused. */
export const isRefusedLikeOneOf = (reading: Reading, others: readonly Reading[]): boolean =>
  isRefusal(reading) && others.some((other) => other !== reading && isRefusal(other) && isAnsweredAlike(other, reading))

/** Valid requests of an operation that were refused; usually there are none. */
const refusedValid = (docket: Docket, operation: OperationId): readonly Reading[] =>
  allRefusedValid(docket).filter((one) => one.operation === operation)

const allRefusedValid = oncePerDocket((docket) =>
  docket.readings.filter((one) => isRefusal(one) && docket.requestOf(one).validity === 'valid'),
)

/** Says that a refusal decides nothing about the fault of its request, when valid requests are refused in the same way. */
export function isRefusedLikeValid(
  docket: Docket,
  testify: Testimony,
  reading: Reading,
  facet: string | null = null,
): boolean {
  const { operation, id } = reading
  if (operation === null || !isRefusedLikeOneOf(reading, refusedValid(docket, operation))) return false
  testify.ambiguous(
    operation,
    facet,
    id,
    `${answerName(reading)} is what valid requests of this operation get as well.`,
  )
  return true
}

/** Whether an answer says that there is no such route, and not that a thing of the contract was not found. */
export function isRouteMissing(reading: Reading): boolean {
  const { status, code } = reading.answer
  if (!isRefusal(reading) || (status !== 404 && status !== 405 && status !== 501)) return false
  if (holdsSuccess(reading)) return false
  return code !== 'thread_not_found' && code !== 'assistant_not_available' && code !== 'tenant_not_found'
}

/** Whether an operation accepts no request, of several that it should; then no rule about some of them names the cause. */
export const servesNothing = (docket: Docket, operation: OperationId): boolean =>
  refusedValid(docket, operation).length > 1 && !docket.of(operation).some(isAccepted)
