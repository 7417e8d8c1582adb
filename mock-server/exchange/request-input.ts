/** A routed and authorised request before and after its validation. */
import type { OperationId } from '../../spec/index.ts'
import type { RequestCommand } from '../machine/command.ts'
import type { Rejection } from '../reasons/reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'

/** A routed and authorised request whose texts are not validated yet. */
export interface RequestInput {
  readonly operation: Exclude<OperationId, 'uploadFile'>
  readonly caller: Caller
  /** The id in the path, if the operation has one. */
  readonly pathId: string
  readonly query: URLSearchParams | null
  readonly header: (name: string) => string | undefined
  /** The parsed body; `undefined` when there is none. */
  readonly body: unknown
  readonly bodyBytes: Uint8Array | null
  readonly baseUrl: string
}

/** The outcome of a validation. */
export type Parsed =
  | { readonly kind: 'command'; readonly command: RequestCommand }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
