/** Overrides one reply in several with an error, because nothing outside of a service can provoke some codes. */
import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideReplyByCount, type Where } from '../../overrides/replies.ts'
import type { Json } from '../../scenario/scenario.ts'

/** Fails every `n` times with this body. */
export const fails = (where: Where, n: number, body: Json): HookOverride =>
  overrideReplyByCount(where, (count) => (json) => (count % n === 0 ? body : json))
