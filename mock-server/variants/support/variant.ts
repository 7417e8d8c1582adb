/**
 * A benign variant: something legal that a server may do differently, made by wrapping seams of the mock.
 * Variants are the counterpart of deviations: the suite must find nothing violated on any of them.
 */
import type { ConformanceLevel, GapId } from '../../../spec/index.ts'
import type { HookOverride } from '../../hooks.ts'
import type { InFlightRequest } from '../../http/in-flight-request.ts'
import type { ReasonId } from '../../machine/rejection-reasons.ts'

/** How a target profile has to follow a variant; merged over the profile of the mock. */
export interface ProfilePatch {
  readonly tools?: { readonly callIds: string; readonly resultField: string }
  readonly claims?: readonly ConformanceLevel[]
  readonly provoke?: Readonly<Record<string, { readonly headers: Readonly<Record<string, string>> }>>
}

export interface Variant {
  /** Stable, kebab-case, `<chapter>.<what is different>`. */
  readonly id: string
  /** Why it is legal: a gap of the contract, or a rule of HTTP or JSON in words. */
  readonly because: GapId | { readonly freedom: string }
  readonly description: string
  readonly overrides: readonly HookOverride[]
  readonly profile?: ProfilePatch
}

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body is the contract's error body. */
export const isErrorBody = (body: unknown): body is JsonRecord => isRecord(body) && 'error_code' in body

/** Bends every JSON body. */
export const overrideBody = (overridden: (body: unknown, exchange: InFlightRequest) => unknown): HookOverride => ({
  hook: 'body',
  wrap: (next) => (body, exchange) => overridden(next(body, exchange), exchange),
})

/** Bends error bodies, given the reason for the rejection. */
export const overrideError = (overridden: (body: JsonRecord, exchange: InFlightRequest) => JsonRecord): HookOverride =>
  overrideBody((body, exchange) => (isErrorBody(body) ? overridden(body, exchange) : body))

/** Gives rejections for one of these reasons another code and detail. */
export const otherCode = (
  reasons: readonly ReasonId[],
  error_code: string,
  detail: unknown = 'Refused',
): HookOverride =>
  overrideError((body, { reason }) => (reason !== null && reasons.includes(reason) ? { error_code, detail } : body))

/** Bends the status. */
export const overrideStatus = (overridden: (status: number, exchange: InFlightRequest) => number): HookOverride => ({
  hook: 'head',
  wrap: (next) => (head, exchange) => {
    const sent = next(head, exchange)
    return { ...sent, status: overridden(sent.status, exchange) }
  },
})

/** Adds or replaces headers. */
export const overrideHeaders = (
  overridden: (
    headers: Readonly<Record<string, string>>,
    exchange: InFlightRequest,
  ) => Readonly<Record<string, string>>,
): HookOverride => ({
  hook: 'head',
  wrap: (next) => (head, exchange) => {
    const sent = next(head, exchange)
    return { ...sent, headers: overridden(sent.headers, exchange) }
  },
})

/** Bends the delta of every chunk. */
export const overrideDeltas = (
  overridden: (delta: JsonRecord, place: { index: number; last: boolean }) => JsonRecord,
): HookOverride => ({
  hook: 'chunk',
  wrap: (next) => (chunk, place, exchange) => {
    const sent = next(chunk, place, exchange)
    return isRecord(sent) && isRecord(sent.delta) ? { ...sent, delta: overridden(sent.delta, place) } : sent
  },
})

/** Bends the bytes of the lines. */
export const overrideLines = (
  overridden: (line: string, place: { index: number; last: boolean }) => string,
): HookOverride => ({
  hook: 'line',
  wrap: (next) => (bytes, place, exchange) =>
    Buffer.from(overridden(Buffer.from(next(bytes, place, exchange)).toString(), place)),
})

/** Bends messages before they are stored. */
export const overrideMessages = (overridden: (message: JsonRecord) => JsonRecord): HookOverride => ({
  hook: 'message',
  wrap: (next) => (json, context) => overridden(next(json, context)) as typeof json,
})

/** Bends the success document of one operation. */
export const perDocument = (operation: string, overridden: (body: JsonRecord) => unknown): HookOverride =>
  overrideBody((body, exchange) =>
    exchange.operation === operation && exchange.reason === null && isRecord(body) ? overridden(body) : body,
  )
