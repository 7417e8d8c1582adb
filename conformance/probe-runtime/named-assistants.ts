/**
 * Learns whether a target reads which assistant a run names. The contract does not say that it does; where the assistant
 * of the thread answers, a request that is to be refused for the name costs a model call.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

/** The purpose of a streamed run that names an assistant which answers whole only. */
export const notStreaming = 'not-streaming:/path/thread_id'

export interface NamedAssistants {
  readonly learn: (answer: Answer, operation: OperationId | null, ask: RequestSpec) => void
  /** Whether a run was streamed although it named an assistant that does not stream. */
  readonly areIgnored: () => boolean
}

/** Creates the state, with nothing known yet. */
export function createNamedAssistants(): NamedAssistants {
  let isIgnored = false
  return {
    areIgnored: () => isIgnored,
    learn: ({ outcome }, operation, { purpose }) => {
      isIgnored ||= outcome === 'accepted' && operation === 'streamThreadRun' && purpose === notStreaming
    },
  }
}
