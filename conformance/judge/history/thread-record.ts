/**
 * The shapes of thread histories: what the trace tells about one thread. Writes that were not acknowledged stay possible, and
 * only real time orders what overlapped; nothing here is a guess about the service.
 */
import type { ThreadKey } from '../read/formats.ts'
import type { JsonObject } from '../read/json.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'

/**
 * `acknowledged`: it is there; `possible`: no whole answer came, so it may or may not have been stored; `refused`: it
 * must not be there.
 */
export type WriteStatus = 'acknowledged' | 'possible' | 'refused'

/** One message that a request would add to a thread. */
export interface Write {
  readonly parsed: ParsedExchange
  /** `created`: by create-message; `answer`: by a run or completion; `sent`: in the body of a completion. */
  readonly kind: 'created' | 'answer' | 'sent'
  readonly status: WriteStatus
  readonly role: string | null
  /** `null` when it is not known, for example the answer of a run that was cut. */
  readonly content: string | null
  /** Lower case. */
  readonly id: string | null
  readonly createdAt: string | null
  /** The message as the service returned it. */
  readonly returned: JsonObject | null
  /** Ids of the tool calls that it asks for. */
  readonly calls: readonly string[]
  /** The call that it answers. */
  readonly answersCall: string | null
  readonly sentAtMs: number
  /** When it was surely there; `Infinity` while only possible. */
  certainFromMs: number
  /** The listed message that it became. */
  stored: StoredMessage | null
  /** Views that should have shown it and did not. */
  readonly missingFrom: View[]
}

/** One accepted page. */
export interface Page {
  readonly parsed: ParsedExchange
  readonly thread: string
  /** As asked for; `null` without one or when it is no plain integer. */
  readonly limit: number | null
  /** Whether no limit was sent, so that the default counts. */
  readonly defaultLimit: boolean
  /** Whether limit and cursor are written plainly and the list is the thread owner's: others may legally answer oddly. */
  readonly isPlain: boolean
  readonly cursorIn: string | null
  /** A cursor that can be followed; `null` for null, absent and empty ones. */
  readonly cursorOut: string | null
  readonly items: readonly unknown[]
  /** Lower-case ids, `null` where an item has none. */
  readonly ids: readonly (string | null)[]
  /** Set while walks are made: the page whose cursor this one followed. */
  previous: Page | null
}

/** A head page with the pages that follow its cursors: what a client that walks sees. */
export interface View {
  readonly pages: readonly [Page, ...Page[]]
  /** No cursor is left to follow, or the last page is empty. */
  readonly ended: boolean
  /** Ended, and the last page had room for more: what it does not show is not there. */
  readonly exhaustive: boolean
  readonly startMs: number
  readonly endMs: number
}

export interface Sighting {
  readonly page: Page
  /** Place on the page. */
  readonly at: number
  readonly item: JsonObject
}

/**
 * Why a listed message is there. `copy`: an added message a second time; `renamed`: an added message under another id than its
 * creation returned; `altered`: it may be a message of a completion, with other words or another role; `earlier`: from before
 * the trace.
 */
export type Explanation =
  | 'written'
  | 'earlier'
  | 'copy'
  | 'renamed'
  | 'altered'
  | 'refused'
  | 'other-thread'
  | 'unexplained'

/** A message as lists show it. */
export interface StoredMessage {
  readonly id: string
  explanation: Explanation
  readonly write: Write | null
  readonly first: Sighting
  last: Sighting
  /** Since when it is surely in the thread. */
  certainFromMs: number
  /** Sightings that differ from an earlier one. */
  readonly changes: { readonly before: Sighting; readonly after: Sighting; readonly field: string }[]
}

/** Where a thread comes from, as far as the trace and the profile tell. */
export interface ThreadOrigin {
  /** `made`: created in this trace or handed over empty; `completion`: by a completion; `given`: by the profile; `unseen`. */
  readonly kind: 'made' | 'completion' | 'given' | 'unseen'
  readonly tenant: string | null
  /** Whether it held nothing at first. */
  readonly startsEmpty: boolean
  /** Since when it surely exists. */
  readonly fromMs: number
  /** The assistant that it is bound to, when the profile or its creation says so. */
  readonly assistant: string | null
  readonly by: ParsedExchange | null
  /** Creations of a thread, later than the one that counts, that were answered with this same id. */
  readonly again: readonly ParsedExchange[]
}

export interface ThreadRecord {
  readonly id: ThreadKey
  readonly origin: ThreadOrigin
  /** Whether only the trace writes to it. */
  readonly exclusive: boolean
  /** Whether it is also clear what the trace adds: what a completion adds to a thread that it did not make is open. */
  alone: boolean
  /** Acknowledged and possible writes, by time of sending. */
  readonly writes: Write[]
  /** The acknowledged ones, by time of acknowledgement. */
  acknowledged: readonly Write[]
  /** Refused creations, runs and completions, by time of sending. */
  readonly refusals: Write[]
  readonly pages: Page[]
  views: readonly View[]
  /** Ids that two creations returned. */
  sharedIds: ReadonlySet<string>
  /** Acknowledged writes that the last list which should show them does not show. */
  lost: readonly Write[]
  readonly stored: Map<string, StoredMessage>
  /** `tenant cursor` → when it was first handed out. */
  readonly cursors: Map<string, number>
}
