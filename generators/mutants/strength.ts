/**
 * How much of a rejection the contract promises, by operation: where it lists `validation_error`, where it lists other
 * codes, and where it shows no error at all. Chosen so that no conforming server can be condemned.
 */
import type { OperationId } from '../../spec/index.ts'
import type { FaultClass, Strength } from './mutant.ts'

interface Promised {
  readonly strength: Strength
  readonly errorCode: string | null
}

/** Operations whose errors include `validation_error`. */
const validating: ReadonlySet<OperationId> = new Set(['createChatCompletion', 'streamChatCompletion'])

/** What is promised for a schema fault of the body. */
export function bodyPromise(operation: OperationId, kind: FaultClass, pointer: string): Promised {
  if (operation === 'createMessage' && kind === 'bound' && pointer === '/content') {
    return { strength: 'M', errorCode: 'message_content_empty' }
  }
  if (!validating.has(operation)) return { strength: 'W', errorCode: null }
  // `loc` is told for fields only; a body that is no object at all has none.
  return { strength: pointer === '' ? 'M' : 'S', errorCode: 'validation_error' }
}

/** What is promised for a fault outside the body. */
export function outsidePromise(strength: 'W' | 'GREY' = 'W'): Promised {
  return { strength, errorCode: null }
}

/** What is promised for a thing that does not exist or belongs to somebody else. */
export function resourcePromise(operation: OperationId, missing: 'assistant' | 'thread', foreign: boolean): Promised {
  if (missing === 'thread') return threadPromise(operation)
  const listed = validating.has(operation) || operation === 'runThread' || operation === 'streamThreadRun'
  if (!listed) return { strength: 'W', errorCode: null }
  return { strength: foreign ? 'M' : 'W', errorCode: 'assistant_not_available' }
}

function threadPromise(operation: OperationId): Promised {
  const listed = ['runThread', 'streamThreadRun', 'listMessages', 'createMessage'].includes(operation)
  return listed ? { strength: 'M', errorCode: 'thread_not_found' } : { strength: 'W', errorCode: null }
}
