/** Overrides of success documents: their JSON and their bytes, by operation. */
import type { OperationId } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { type Edit, editAt, isObject } from './json-edit.ts'

/** One operation, several, or `any`. */
export type Where = OperationId | readonly OperationId[] | 'any'

/** Whether an exchange is of one of the operations. */
export function appliesTo(where: Where, operation: OperationId | null): boolean {
  if (where === 'any') return true
  return typeof where === 'string' ? where === operation : operation !== null && where.includes(operation)
}

/** Overrides every JSON body, those of errors included. */
export function overrideBody(edit: (json: Json, exchange: InFlightRequest) => Json): HookOverride {
  return { hook: 'body', wrap: (next) => (json, exchange) => edit(next(json, exchange) as Json, exchange) }
}

/** Overrides success bodies. */
export function overrideReply(where: Where, edit: (json: Json, exchange: InFlightRequest) => Json): HookOverride {
  return overrideBody((json, exchange) => (succeeds(where, exchange) ? edit(json, exchange) : json))
}

/** Overrides success bodies that are objects. */
export function overrideObject(where: Where, edit: (body: JsonObject) => Json): HookOverride {
  return overrideReply(where, (json) => (isObject(json) ? edit(json) : json))
}

/** Overrides success bodies, with a memory of its own in each world. */
export function overrideReplyWithMemory<Memory>(
  where: Where,
  remember: () => Memory,
  edit: (json: Json, exchange: InFlightRequest, memory: Memory) => Json,
): HookOverride {
  return {
    hook: 'body',
    wrap: (next) => {
      const memory = remember()
      return (json, exchange) => {
        const faithful = next(json, exchange) as Json
        return succeeds(where, exchange) ? edit(faithful, exchange, memory) : faithful
      }
    },
  }
}

/** Edits each success body by how many there were in its world with it. */
export function overrideReplyByCount(where: Where, editOf: (count: number) => Edit): HookOverride {
  return overrideReplyWithMemory(
    where,
    () => ({ count: 0 }),
    (json, _exchange, memory) => {
      memory.count += 1
      return editOf(memory.count)(json)
    },
  )
}

function succeeds(where: Where, { reason, operation }: InFlightRequest): boolean {
  return reason === null && appliesTo(where, operation)
}

/** Overrides each message that a reply shows: the one of a creation, a run or a completion, every one of a page. */
export function overrideAccepted(
  where: Where,
  edit: Edit,
  which: (message: JsonObject, index: number) => boolean = all,
): HookOverride {
  return overrideReply(where, (json, exchange) => {
    if (exchange.operation !== 'listMessages') return isObject(json) && which(json, 0) ? edit(json) : json
    return editAt('items', (items) => {
      if (!Array.isArray(items)) return items
      return items.map((item: JsonObject, index) => (which(item, index) ? edit(item) : item))
    })(json)
  })
}

const all = () => true

/** Overrides the text of a success body on its way to bytes. */
export function overrideText(
  where: Where,
  edit: (text: string, exchange: InFlightRequest) => string | Uint8Array,
): HookOverride {
  return {
    hook: 'payload',
    wrap: (next) => (bytes, exchange) => {
      const faithful = next(bytes, exchange)
      if (!succeeds(where, exchange)) return faithful
      const overridden = edit(Buffer.from(faithful).toString(), exchange)
      return typeof overridden === 'string' ? Buffer.from(overridden) : overridden
    },
  }
}

/** Picks messages of some roles. */
export const roleIs =
  (...roles: readonly string[]) =>
  ({ role }: JsonObject): boolean =>
    roles.includes(String(role))
