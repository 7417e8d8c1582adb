/** Says what kind of message a thread ends on. */
import type { Thread } from '../../machine/state.ts'
import { messageOf } from '../../overrides/records.ts'

interface OfThread {
  readonly thread: Thread | null
}

/** The newest message has one of these roles. */
export const lastRoleIs =
  (...roles: readonly string[]) =>
  ({ thread }: OfThread): boolean =>
    roles.includes(String(thread?.lastRole))

/** The newest message that is no system message is one of a user or a tool. */
export const endsOpenBeforeSystem = ({ thread }: OfThread): boolean => {
  const roles = [...(thread?.log ?? [])].map((record) => String(messageOf(record).role))
  return ['user', 'tool'].includes(roles.findLast((role) => role !== 'system') ?? '')
}
