/**
 * The answers of the machine, before they have a status, headers or a serialisation. `stored` and `page` carry JSON bytes
 * that were made when the message was stored; some of a page may be joined by commas.
 */

import type { MachineRejection } from '../reasons/machine-reasons.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Run } from './run.ts'
import type { State } from './state.ts'

export type Reply =
  | { readonly kind: 'document'; readonly json: JsonObject }
  | { readonly kind: 'stored'; readonly bytes: Uint8Array }
  | { readonly kind: 'page'; readonly cursor: string | null; readonly items: readonly Uint8Array[] }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'uploaded' }
  | { readonly kind: 'rejected'; readonly rejection: MachineRejection }

/** A new state and the answer; a rejection leaves the state as it was. */
export interface Outcome {
  readonly state: State
  readonly reply: Reply
}
