/**
 * A benign variant: something legal that a server may do differently, made by wrapping seams of the mock.
 * Variants are the counterpart of deviations: the suite must find nothing violated on any of them.
 */
import type { ConformanceLevel, GapId } from '../../spec/index.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ReasonId } from '../machine/rejection.ts'
import type { Bend } from '../seams.ts'

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
  readonly bends: readonly Bend[]
  readonly profile?: ProfilePatch
}

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a body is the contract's error body. */
export const isErrorBody = (body: unknown): body is JsonRecord => isRecord(body) && 'error_code' in body

/** Bends every JSON body. */
export const bendBody = (bent: (body: unknown, exchange: Exchange) => unknown): Bend => ({
  seam: 'body',
  wrap: (next) => (body, exchange) => bent(next(body, exchange), exchange),
})

/** Bends error bodies, given the reason for the rejection. */
export const bendError = (bent: (body: JsonRecord, exchange: Exchange) => JsonRecord): Bend =>
  bendBody((body, exchange) => (isErrorBody(body) ? bent(body, exchange) : body))

/** Gives rejections for one of these reasons another code and detail. */
export const otherCode = (reasons: readonly ReasonId[], error_code: string, detail: unknown = 'Refused'): Bend =>
  bendError((body, { reason }) => (reason !== null && reasons.includes(reason) ? { error_code, detail } : body))

/** Bends the status. */
export const bendStatus = (bent: (status: number, exchange: Exchange) => number): Bend => ({
  seam: 'head',
  wrap: (next) => (head, exchange) => {
    const sent = next(head, exchange)
    return { ...sent, status: bent(sent.status, exchange) }
  },
})

/** Adds or replaces headers. */
export const bendHeaders = (
  bent: (headers: Readonly<Record<string, string>>, exchange: Exchange) => Readonly<Record<string, string>>,
): Bend => ({
  seam: 'head',
  wrap: (next) => (head, exchange) => {
    const sent = next(head, exchange)
    return { ...sent, headers: bent(sent.headers, exchange) }
  },
})

/** Bends the delta of every chunk. */
export const bendDeltas = (bent: (delta: JsonRecord, place: { index: number; last: boolean }) => JsonRecord): Bend => ({
  seam: 'chunk',
  wrap: (next) => (chunk, place, exchange) => {
    const sent = next(chunk, place, exchange)
    return isRecord(sent) && isRecord(sent.delta) ? { ...sent, delta: bent(sent.delta, place) } : sent
  },
})

/** Bends the bytes of the lines. */
export const bendLines = (bent: (line: string, place: { index: number; last: boolean }) => string): Bend => ({
  seam: 'line',
  wrap: (next) => (bytes, place, exchange) =>
    Buffer.from(bent(Buffer.from(next(bytes, place, exchange)).toString(), place)),
})

/** Bends messages before they are stored. */
export const bendMessages = (bent: (message: JsonRecord) => JsonRecord): Bend => ({
  seam: 'message',
  wrap: (next) => (json, occasion) => bent(next(json, occasion)) as typeof json,
})

/** Bends the success document of one operation. */
export const perDocument = (operation: string, bent: (body: JsonRecord) => unknown): Bend =>
  bendBody((body, exchange) =>
    exchange.operation === operation && exchange.reason === null && isRecord(body) ? bent(body) : body,
  )
