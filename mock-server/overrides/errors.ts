/** Overrides of error bodies, by operation, code or reason. */
import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { ErrorCode } from '../reasons/reason.ts'
import { type ReasonId, reasons } from '../reasons/reasons.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { isObject } from './json-edit.ts'
import { appliesTo, overrideBody, type Where } from './replies.ts'

/** Overrides error bodies, all of them or those of some codes. */
export function overrideRejection(
  where: Where,
  codes: ErrorCode | readonly ErrorCode[] | 'any',
  edit: (json: Json, exchange: InFlightRequest) => Json,
): HookOverride {
  return overrideBody((json, exchange) => {
    const { reason, operation } = exchange
    if (reason === null || !appliesTo(where, operation)) return json
    const { code } = reasons[reason]
    const meant = codes === 'any' || (typeof codes === 'string' ? codes === code : codes.includes(code))
    return meant ? edit(json, exchange) : json
  })
}

/** Whether a body is the contract's error body. */
export function isErrorBody(body: Json): body is JsonObject {
  return isObject(body) && 'error_code' in body
}

/** Overrides every error body that still has the contract's form. */
export function overrideErrorBody(edit: (body: JsonObject, exchange: InFlightRequest) => JsonObject): HookOverride {
  return overrideBody((body, exchange) => (isErrorBody(body) ? edit(body, exchange) : body))
}

/** Gives rejections for one of these reasons another code and detail. */
export function otherCode(reasonIds: readonly ReasonId[], error_code: string, detail: Json = 'Refused'): HookOverride {
  return overrideErrorBody((body, { reason }) =>
    reason !== null && reasonIds.includes(reason) ? { error_code, detail } : body,
  )
}
