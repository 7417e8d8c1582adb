/**
 * Turns the request spec of a probe into the request that the client sends: path template, query, body, intent.
 * Pure, so that what a probe would send can be read in a test without any target.
 */
import { type OperationId, operations } from '../../spec/index.ts'
import type { Credential, SendRequest } from '../client/send-request.ts'
import { pathSegment, urlComponent } from '../client/target-url.ts'
import type { TenantName } from '../profile/target-profile.ts'
import type { HeaderLines, Intent } from '../trace/exchange.ts'

/** One request as a probe specifies it; omitted fields take the plain legal form. */
export interface RequestSpec {
  /** Values of the path template. */
  readonly in?: Readonly<Record<string, string>>
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** The tenant whose key is sent; default `primary`. */
  readonly as?: Credential
  readonly json?: unknown
  /** The body as it is, instead of `json`. */
  readonly body?: string | Uint8Array
  readonly headers?: HeaderLines
  /** Headers of the client's own that are not sent. */
  readonly leaveOut?: readonly string[]
  /** `valid` by default, or the operator that broke the request. */
  readonly purpose?: string
  readonly expects?: Intent['expects']
  /** Instead of the operation's own method and path. */
  readonly method?: string
  readonly path?: string
  readonly retry?: 'environmental' | 'none'
  /** It repeats a failed request, so the budget of repetitions pays for it first. */
  readonly isRepetition?: boolean
  readonly abortAfterPieces?: number
  readonly leavesAtOnce?: boolean
  /** Called when the body of a success begins. */
  readonly onFirstPiece?: () => void
}

/** The tenant of a request's key; a request with a made-up key or none counts as the primary tenant's. */
export function tenantOf(ask: RequestSpec): TenantName {
  return typeof ask.as === 'string' ? ask.as : 'primary'
}

/** The request that the client understands, with the probe's intent as an annotation. */
export function buildRequest(probe: string, operation: OperationId | null, ask: RequestSpec): SendRequest {
  const described = operation === null ? null : operations[operation]
  const template = ask.path ?? described?.path ?? '/'
  const intent: Intent = { probe, operation, purpose: ask.purpose ?? 'valid', expects: ask.expects ?? 'accepted' }
  const body = ask.body ?? (ask.json === undefined ? null : JSON.stringify(ask.json))
  return {
    method: ask.method ?? described?.method ?? 'GET',
    path: filledPath(template, ask.in ?? {}) + queryString(ask.query ?? []),
    credential: ask.as === undefined ? 'primary' : ask.as,
    operation,
    intent,
    body,
    ...(ask.headers === undefined ? {} : { headers: ask.headers }),
    ...(ask.leaveOut === undefined ? {} : { leaveOut: ask.leaveOut }),
    ...(ask.retry === undefined ? {} : { retry: ask.retry }),
    ...(ask.isRepetition === undefined ? {} : { isRepetition: ask.isRepetition }),
    ...(ask.abortAfterPieces === undefined ? {} : { abortAfterPieces: ask.abortAfterPieces }),
    ...(ask.leavesAtOnce === undefined ? {} : { leavesAtOnce: ask.leavesAtOnce }),
  }
}

function filledPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : pathSegment(name, value)
  })
}

function queryString(query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return ''
  return `?${query.map(([name, value]) => `${urlComponent(name, name)}=${urlComponent(name, value)}`).join('&')}`
}
