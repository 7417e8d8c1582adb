/** The roles of the messages that a completion sends. The contract names roles of messages, but lists none for completions. */
import { completionOperations } from '../../../spec/index.ts'
import { fieldOf, isObject } from '../read/json.ts'
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'

const completions: ReadonlySet<string | null> = new Set(completionOperations)

/** Beside `user`, which every completion needs; whether one takes messages of the role `tool` is a question of its own. */
const otherRoles = ['assistant', 'system'] as const

/** The roles beside `user` of the messages in the body of a completion. */
export function otherRolesIn(body: unknown): readonly string[] {
  const messages = fieldOf(body, 'messages')
  const entries: readonly unknown[] = Array.isArray(messages) ? messages : []
  return otherRoles.filter((role) => entries.some((entry) => isObject(entry) && entry.role === role))
}

/** The roles beside `user` that the exchange sends, when it is a completion. */
export const otherRolesOf = ({ operation, body }: ParsedExchange): readonly string[] =>
  completions.has(operation) && body.kind === 'json' ? otherRolesIn(body.value) : []

/** The roles beside `user` that the exchange shows to be taken; where none does, a refusal may be about them. */
export const rolesShownBy = (parsed: ParsedExchange): readonly string[] =>
  isAccepted(parsed) ? otherRolesOf(parsed) : []
