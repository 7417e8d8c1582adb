/**
 * Learns whether a target reads calls that clients write, and whether their ids must be UUIDs. The contract does not say
 * that it reads them; where it does not, only an assistant can ask for tools.
 */
import type { OperationId } from '../../spec/index.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { type Answer, stringAt } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'
import { areUuids, callIdsIn } from './tool-calls.ts'

export interface PostedCalls {
  readonly learn: (answer: Answer, operation: OperationId | null, ask: RequestSpec) => void
  /** Whether such a message or the result of such a call was refused, and nothing shows that one was read. */
  readonly areIgnored: () => boolean
  /** Whether one with another id was refused, and none with one was read: all ids are UUIDs, the contract says. */
  readonly needUuids: () => boolean
}

/** Creates the state, with nothing known yet. */
export function createPostedCalls({ tools }: TargetProfile): PostedCalls {
  /** The thread of each call that only a client has written. */
  const posted = new Map<string, string>()
  let isRead = false
  let isRefused = false
  let isOtherRead = false
  let isOtherRefused = false
  return {
    areIgnored: () => isRefused && !isRead,
    needUuids: () => isOtherRefused && !isOtherRead,
    learn: ({ outcome, json }, operation, { json: sent, in: { thread_id = '' } = {}, expects = 'accepted' }) => {
      if (tools?.assistantMessage === undefined || operation !== 'createMessage') return
      const role = stringAt(sent, '/role')
      const calls = role === 'assistant' ? callIdsIn(sent, tools) : []
      const result = role === 'tool' ? stringAt(sent, `/${tools.resultField}`) : undefined
      const isResult = result !== undefined && expects === 'accepted' && posted.get(result) === thread_id
      if (outcome === 'accepted') {
        for (const id of calls) posted.set(id, thread_id)
        const read = isResult ? [result] : calls.filter((id) => callIdsIn(json, tools).includes(id))
        isRead ||= read.length > 0
        isOtherRead ||= !areUuids(read)
      } else if (outcome === 'rejected') {
        const isOther = expects !== 'rejected' && !areUuids(calls)
        isOtherRefused ||= isOther
        isRefused ||= isResult || (calls.length > 0 && !isOther)
      }
    },
  }
}
