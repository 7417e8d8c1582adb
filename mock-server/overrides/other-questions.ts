/** Overrides that make an answer from a question of another conversation. */
import type { OperationId } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { HookContext } from '../machine/domain-hooks.ts'
import type { Thread } from '../machine/state.ts'
import { messageOf, originOf, overrideAnswers } from './records.ts'

type Meant = (other: Thread, own: Thread) => boolean

/** The last question of the other thread that was used least recently. */
function questionElsewhere({ state, thread }: HookContext, isMeant: Meant): string | undefined {
  if (thread === null) return undefined
  const others = [...state.threads.values()].filter(
    (other) => other.id !== thread.id && other.lastUserAt >= 0 && isMeant(other, thread),
  )
  const [oldest] = others.sort((one, other) => one.lastTickUs - other.lastTickUs)
  const question = oldest?.log.get(oldest.lastUserAt)
  return question === undefined ? undefined : String(messageOf(question).content)
}

/** Answers of some operations that are about a question of another thread, where there is one. */
export function answersAbout(
  operations: readonly OperationId[],
  isMeant: Meant,
  edit: (content: string, other: string) => string,
): HookOverride {
  return overrideAnswers((answer, context) => {
    const other = operations.includes(originOf(context)) ? questionElsewhere(context, isMeant) : undefined
    return other === undefined ? answer : { ...answer, content: edit(answer.content, other) }
  })
}

/** Another thread of the same tenant. */
export const sameTenant: Meant = (other, own) => other.tenantId === own.tenantId
/** A thread of another tenant. */
export const otherTenant: Meant = (other, own) => other.tenantId !== own.tenantId
