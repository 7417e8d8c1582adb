/**
 * Bends of what leaves the mock as one document: success bodies, error bodies, their bytes, their heads.
 * Each takes the operations that it is about; every other exchange passes untouched.
 */
import { isJsonObject, type OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../hooks.ts'
import type { InFlightRequest } from '../../http/in-flight-request.ts'
import type { ResponseHead } from '../../http/sink.ts'
import type { ErrorCode } from '../../machine/rejection-reasons.ts'
import { reasons } from '../../machine/rejection-reasons.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type Edit, editAt } from './json-edit.ts'

/** One operation, several, or `any`. */
export type Where = OperationId | readonly OperationId[] | 'any'

/** Whether an exchange is of one of the operations. */
export function appliesTo(where: Where, operation: OperationId | null): boolean {
  if (where === 'any') return true
  return typeof where === 'string' ? where === operation : operation !== null && where.includes(operation)
}

/** Bends success bodies. */
export function overrideReply(where: Where, edit: (json: Json, exchange: InFlightRequest) => Json): HookOverride {
  return {
    hook: 'body',
    wrap: (next) => (json, exchange) => {
      const faithful = next(json, exchange)
      return exchange.reason === null && appliesTo(where, exchange.operation)
        ? edit(faithful as Json, exchange)
        : faithful
    },
  }
}

/** Bends success bodies with a memory of the world. */
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
        const faithful = next(json, exchange)
        return exchange.reason === null && appliesTo(where, exchange.operation)
          ? edit(faithful as Json, exchange, memory)
          : faithful
      }
    },
  }
}

/** Bends each message that a reply shows: the one of a creation, a run or a completion, every one of a page. */
export function overrideAccepted(
  where: Where,
  edit: Edit,
  which: (message: JsonObject, index: number) => boolean = all,
): HookOverride {
  return overrideReply(where, (json, exchange) => {
    if (exchange.operation !== 'listMessages') return isJsonObject(json) && which(json, 0) ? edit(json) : json
    return editAt('items', (items) => {
      if (!Array.isArray(items)) return items
      return items.map((item: JsonObject, index) => (which(item, index) ? edit(item) : item))
    })(json)
  })
}

const all = () => true

/** Bends error bodies, all of them or those of some codes. */
export function overrideRejection(
  where: Where,
  codes: ErrorCode | readonly ErrorCode[] | 'any',
  edit: (json: Json, exchange: InFlightRequest) => Json,
): HookOverride {
  return {
    hook: 'body',
    wrap: (next) => (json, exchange) => {
      const faithful = next(json, exchange)
      const { reason, operation } = exchange
      if (reason === null || !appliesTo(where, operation)) return faithful
      const { code } = reasons[reason]
      const meant = codes === 'any' || (typeof codes === 'string' ? codes === code : codes.includes(code))
      return meant ? edit(faithful as Json, exchange) : faithful
    },
  }
}

/** Bends the text of a success body on its way to bytes. */
export function overrideText(
  where: Where,
  edit: (text: string, exchange: InFlightRequest) => string | Uint8Array,
): HookOverride {
  return {
    hook: 'payload',
    wrap: (next) => (bytes, exchange) => {
      const faithful = next(bytes, exchange)
      if (exchange.reason !== null || !appliesTo(where, exchange.operation)) return faithful
      const overridden = edit(Buffer.from(faithful).toString(), exchange)
      return typeof overridden === 'string' ? Buffer.from(overridden) : overridden
    },
  }
}

/** Bends status and headers of a success. */
export function overrideHead(
  where: Where,
  edit: (head: ResponseHead, exchange: InFlightRequest) => ResponseHead,
): HookOverride {
  return {
    hook: 'head',
    wrap: (next) => (faithful, exchange) => {
      const passed = next(faithful, exchange)
      return exchange.reason === null && appliesTo(where, exchange.operation) ? edit(passed, exchange) : passed
    },
  }
}

/** Picks messages of some roles. */
export const roleIs =
  (...roles: readonly string[]) =>
  ({ role }: JsonObject): boolean =>
    roles.includes(String(role))
