/** Overrides of status and headers. */
import type { HookOverride } from '../exchange/hooks.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { ResponseHead } from '../exchange/sink.ts'
import { appliesTo, type Where } from './replies.ts'

type Headers = ResponseHead['headers']
type HeadEdit = (head: ResponseHead, exchange: InFlightRequest) => ResponseHead

function overrideEveryHead(edit: HeadEdit): HookOverride {
  return { hook: 'head', wrap: (next) => (head, exchange) => edit(next(head, exchange), exchange) }
}

/** Overrides status and headers of a success. */
export function overrideHead(where: Where, edit: HeadEdit): HookOverride {
  return overrideEveryHead((head, exchange) =>
    exchange.reason === null && appliesTo(where, exchange.operation) ? edit(head, exchange) : head,
  )
}

/** Overrides the status of every response. */
export function overrideStatus(edit: (status: number, exchange: InFlightRequest) => number): HookOverride {
  return overrideEveryHead((head, exchange) => ({ ...head, status: edit(head.status, exchange) }))
}

/** Overrides the headers of every response. */
export function overrideHeaders(edit: (headers: Headers, exchange: InFlightRequest) => Headers): HookOverride {
  return overrideEveryHead((head, exchange) => ({ ...head, headers: edit(head.headers, exchange) }))
}
