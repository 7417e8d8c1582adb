/** Defines the requests and answers of the admin API, over a socket or in the process, and its refusals. */
import { nearestName } from '../../spec/index.ts'
import { errorBody } from '../http/write-response.ts'
import { errorCodes, type FieldFault } from '../reasons/reason.ts'
import { type ReasonId, type Rejection, reasons } from '../reasons/reasons.ts'

export interface AdminRequest {
  readonly method: string
  /** Path and query, from `/_acs` on. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
  /** Address of the other side; `null` in the same process. */
  readonly remoteAddress: string | null
  /** Aborts when the client has disconnected. */
  readonly signal?: AbortSignal
  /** The origins of pages that may call, if its user has named some. */
  readonly trustedOrigins?: readonly string[]
}

export interface AdminResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream comes in pieces. */
  readonly body: string | AsyncGenerator<string>
}

/** A refusal on its way to the client. */
export class AdminRefusal extends Error {
  readonly code = 'admin-refusal'
  readonly rejection: Rejection
  readonly headers: Readonly<Record<string, string>>
  /** A text in place of that of the code. */
  readonly detail: string | undefined

  constructor(
    reason: ReasonId,
    faults?: readonly FieldFault[],
    { headers = {}, detail }: { readonly headers?: AdminResponse['headers']; readonly detail?: string } = {},
  ) {
    super(reason)
    this.name = 'AdminRefusal'
    this.headers = headers
    this.detail = detail
    this.rejection = faults === undefined ? { reason } : { reason, faults }
  }
}

/** A refusal that names one field. */
export function refuseField(loc: readonly (string | number)[], message: string, type = 'value_error'): AdminRefusal {
  return new AdminRefusal('admin-invalid-fields', [{ loc, message, type }])
}

/** The most names that a refusal lists. */
const mostNamed = 10

/** A refusal of a name, id or number that there is not, with the nearest one or those that there are. */
export function refuseMissing(kind: string, given: string, known: readonly string[]): AdminRefusal {
  const near = nearestName(given, known)
  const others = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : ''
  const all = known.length === 0 ? 'none is known' : `known: ${known.slice(0, mostNamed).join(', ')}${others}`
  const hint = near === null ? all : `did you mean "${near}"?`
  return new AdminRefusal('admin-not-found', undefined, { detail: `there is no ${kind} "${given}"; ${hint}` })
}

export function jsonResponse(status: number, value: unknown): AdminResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value, null, 2)}\n` }
}

/** A rejection in the contract's own error body, with another text if the code's own is not specific enough. */
export function rejectionResponse(rejection: Rejection, detail?: string): AdminResponse {
  const { code } = reasons[rejection.reason]
  const body = errorBody(rejection)
  const plain = jsonResponse(errorCodes[code].status, detail === undefined ? body : { ...body, detail })
  return { ...plain, headers: { ...plain.headers, 'x-acs-reason': rejection.reason } }
}
