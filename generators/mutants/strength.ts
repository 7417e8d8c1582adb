/**
 * Decides how much of a rejection the contract promises, by operation and fault.
 * The promises are the weakest reading of the contract, so that no conforming server fails.
 */
import { bothCompletions, modelOperations, type OperationId, threadOperations } from '../../spec/index.ts'
import type { FaultClass, Strength } from './mutant.ts'

interface Promised {
  readonly strength: Strength
  readonly errorCode: string | null
}

/** Operations whose errors include `validation_error`. */
const validating: ReadonlySet<OperationId> = new Set(bothCompletions)

/** Operations whose errors include `assistant_not_available`. */
const modelCallers: ReadonlySet<OperationId> = new Set(modelOperations)
/** Operations whose errors include `thread_not_found`. */
const onThreads: ReadonlySet<OperationId> = new Set(threadOperations)

/** What is promised for a schema fault of the body. */
export function bodyPromise(operation: OperationId, kind: FaultClass, pointer: string): Promised {
  if (operation === 'createMessage' && kind === 'bound' && pointer === '/content') {
    return { strength: 'M', errorCode: 'message_content_empty' }
  }
  if (!validating.has(operation)) return { strength: 'W', errorCode: null }
  // `loc` names fields; a body that is not an object has none.
  return { strength: pointer === '' ? 'M' : 'S', errorCode: 'validation_error' }
}

/** What is promised for a fault outside the body. */
export function outsidePromise(strength: 'W' | 'GREY' = 'W'): Promised {
  return { strength, errorCode: null }
}

/** What is promised for a resource that does not exist or belongs to another tenant. */
export function resourcePromise(operation: OperationId, missing: 'assistant' | 'thread', foreign: boolean): Promised {
  if (missing === 'thread') return threadPromise(operation)
  if (!modelCallers.has(operation)) return { strength: 'W', errorCode: null }
  return { strength: foreign ? 'M' : 'W', errorCode: 'assistant_not_available' }
}

function threadPromise(operation: OperationId): Promised {
  return onThreads.has(operation)
    ? { strength: 'M', errorCode: 'thread_not_found' }
    : { strength: 'W', errorCode: null }
}
