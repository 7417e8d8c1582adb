/**
 * Sends requests that have to be refused. Where acceptance would be paid for, one accepted request is a finding and
 * ends its class, since the rest would only cost more.
 */
import { type OperationId, operations } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { inLanes } from './in-lanes.ts'

/** A request with one fault; `purpose` names the operator that broke it. */
export interface InvalidRequest extends RequestSpec {
  readonly purpose: string
}

/** Sends the members of one class to one operation: in turn where acceptance would be paid for. */
export async function sendInvalid(
  context: ProbeContext,
  operation: OperationId,
  wrongs: readonly InvalidRequest[],
): Promise<void> {
  if (!operations[operation].callsModel)
    return inLanes(context, wrongs, (wrong) => sendOneInvalid(context, operation, wrong))
  for (const [index, wrong] of wrongs.entries()) {
    const { outcome } = await sendOneInvalid(context, operation, wrong)
    const left = wrongs.length - index - 1
    if (outcome === 'accepted' && left > 0) {
      context.note('blocked', `${wrong.purpose} was accepted; ${left} more of its class would be paid for.`, {
        operation,
      })
      return
    }
  }
}

/** Sends one request that has to be refused. */
export function sendOneInvalid(context: ProbeContext, operation: OperationId, wrong: InvalidRequest): Promise<Answer> {
  return context.send(operation, { expects: 'rejected', ...wrong })
}
