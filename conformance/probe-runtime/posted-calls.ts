/**
 * Learns whether a target reads the calls that a client writes into an assistant message. The contract does not say
 * that it does; where it does not, only an assistant can ask for tools.
 */
import type { OperationId } from '../../spec/index.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { type Answer, stringAt } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'
import { callIdsIn } from './tool-calls.ts'

export interface PostedCalls {
  readonly learn: (answer: Answer, operation: OperationId | null, ask: RequestSpec) => void
  /** Whether such a message or the result of such a call was refused, and nothing shows that one was read. */
  readonly areIgnored: () => boolean
}

/** Creates the state, with nothing known yet. */
export function createPostedCalls({ tools }: TargetProfile): PostedCalls {
  /** The thread of each call that only a client has written. */
  const posted = new Map<string, string>()
  let isRead = false
  let isRefused = false
  return {
    areIgnored: () => isRefused && !isRead,
    learn: ({ outcome, json }, operation, { json: sent, in: { thread_id = '' } = {}, expects = 'accepted' }) => {
      if (tools?.assistantMessage === undefined || operation !== 'createMessage') return
      const role = stringAt(sent, '/role')
      const calls = role === 'assistant' ? callIdsIn(sent, tools) : []
      const result = role === 'tool' ? stringAt(sent, `/${tools.resultField}`) : undefined
      const isResult = result !== undefined && expects === 'accepted' && posted.get(result) === thread_id
      if (outcome === 'accepted') {
        for (const id of calls) posted.set(id, thread_id)
        isRead ||= isResult || calls.some((id) => callIdsIn(json, tools).includes(id))
      } else if (outcome === 'rejected') isRefused ||= isResult || calls.length > 0
    },
  }
}
