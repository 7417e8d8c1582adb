/**
 * Pages of a thread, newest first (contract: Endpoints / GET /v1/threads/{thread_id}/messages).
 * A cursor names a position in an append-only log, so messages that arrive later neither repeat nor hide any.
 */
import type { ListMessagesCommand } from './command.ts'
import type { Machine } from './machine.ts'
import { reject } from './reject.ts'
import type { Outcome } from './reply.ts'
import type { State } from './state.ts'
import { findThread } from './threads.ts'

/** Answers with one page. */
export function listMessages(machine: Machine, state: State, command: ListMessagesCommand): Outcome {
  const found = findThread(machine, state, command)
  if (found.kind === 'refused') return found.outcome
  const { thread } = found
  const { domainHooks, secret } = machine
  const context = { command, state, thread }
  let before = thread.log.size
  if (command.cursor !== null) {
    const position = domainHooks.openCursor(secret, thread.id, command.cursor, context)
    const broken = position === null || position > thread.log.size
    if (domainHooks.checkRule('foreign-cursor', broken, context)) {
      const fault = { loc: ['query', 'cursor'], message: 'is not a cursor of this thread', type: 'value_error' }
      return reject(state, 'foreign-cursor', [fault])
    }
    before = Math.min(position ?? before, before)
  }
  const { items, next } = domainHooks.select(thread, command.limit, before, context)
  const cursor = next === null ? null : domainHooks.sealCursor(secret, thread.id, next, context)
  return { state, reply: { kind: 'page', cursor, items } }
}
