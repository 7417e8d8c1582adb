/**
 * Sending requests that have to be refused, canary first: where acceptance would be paid for, one accepted request is
 * a finding and ends its class, since the rest would only cost more.
 */
import { type OperationId, operations } from '../../spec/index.ts'
import type { Answer } from '../staging/answer.ts'
import type { Ask } from '../staging/ask.ts'
import type { Stage } from '../staging/stage.ts'

/** A request with one fault; `purpose` names the operator that broke it. */
export interface Wrong extends Ask {
  readonly purpose: string
}

/** Sends the members of one class to one operation in turn. */
export async function sendWrong(stage: Stage, operation: OperationId, wrongs: readonly Wrong[]): Promise<void> {
  for (const [index, wrong] of wrongs.entries()) {
    const { outcome } = await sendOneWrong(stage, operation, wrong)
    const left = wrongs.length - index - 1
    if (outcome === 'accepted' && operations[operation].callsModel && left > 0) {
      stage.note('blocked', `${wrong.purpose} was accepted; ${left} more of its class would be paid for.`, operation)
      return
    }
  }
}

/** Sends one request that has to be refused. */
export function sendOneWrong(stage: Stage, operation: OperationId, wrong: Wrong): Promise<Answer> {
  return stage.send(operation, { expects: 'rejected', ...wrong })
}
