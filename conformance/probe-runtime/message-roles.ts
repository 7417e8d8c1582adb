/**
 * Sends completions as the target takes them. The contract lists no roles for their messages; a target that refuses a
 * history with messages of other roles than `user` gets them as messages of that role.
 */
import { completionOperations, type OperationId } from '../../spec/index.ts'
import { transientFailureOf } from '../client/transient-failure.ts'
import { otherRolesIn } from '../judge/classify/completed-roles.ts'
import { isObject } from '../judge/read/json.ts'
import type { Send } from './probe-client.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

/** Refused completions that are asked again without these roles, before the reason is taken to be another one. */
const mostAttempts = 2

const completions: ReadonlySet<OperationId | null> = new Set(completionOperations)

export interface MessageRoles {
  /** The same sender; what one of a run learns holds for all. */
  readonly adapted: (send: Send) => Send
  /** The messages, with the role `user` instead of those that a completion was refused for. */
  readonly inTaken: (messages: readonly unknown[]) => readonly unknown[]
}

/** Knows nothing yet. */
export function createMessageRoles(): MessageRoles {
  let attempts = 0
  const taken = new Set<string>()
  const refused = new Set<string>()
  const adapted: MessageRoles['adapted'] =
    (send) =>
    async (operation, ask = {}) => {
      if (!completions.has(operation)) return send(operation, ask)
      const first = without(ask, refused)
      const doubted = otherRolesIn(first.json).filter((role) => !taken.has(role))
      const answer = await send(operation, first)
      if (answer.outcome === 'accepted') for (const role of doubted) taken.add(role)
      if (doubted.length === 0 || attempts >= mostAttempts || !isRefused(answer, ask)) return answer
      attempts += 1
      return askAgain(operation, first, doubted, send)
    }

  /** Without the earlier answers, then without any doubted role. */
  async function askAgain(operation: Parameters<Send>[0], ask: RequestSpec, doubted: readonly string[], send: Send) {
    const answers = doubted.filter((role) => role === 'assistant')
    const fewer = answers.length === 0 || answers.length === doubted.length ? [doubted] : [answers, doubted]
    let last: Answer | null = null
    for (const roles of fewer) {
      last = await send(operation, { ...without(ask, new Set(roles)), isRepetition: true })
      if (last.outcome !== 'accepted') continue
      for (const role of doubted) if (!taken.has(role)) (roles.includes(role) ? refused : taken).add(role)
      break
    }
    return last as Answer
  }

  return { adapted, inTaken: (messages) => asUser(messages, refused) }
}

function isRefused(answer: Answer, { expects = 'accepted' }: RequestSpec): boolean {
  return answer.outcome === 'rejected' && expects === 'accepted' && transientFailureOf(answer.exchange) === null
}

/** The same request without these roles. */
function without(ask: RequestSpec, roles: ReadonlySet<string>): RequestSpec {
  const { json } = ask
  if (!isObject(json) || !otherRolesIn(json).some((role) => roles.has(role))) return ask
  return { ...ask, json: { ...json, messages: asUser(json.messages as readonly unknown[], roles) } }
}

const asUser = (messages: readonly unknown[], roles: ReadonlySet<string>): readonly unknown[] =>
  messages.map((entry) =>
    isObject(entry) && typeof entry.role === 'string' && roles.has(entry.role) ? { ...entry, role: 'user' } : entry,
  )
