/** Selects exchanges of a journal; only queries use it, so a filter costs the requests nothing. */
import { type OperationId, operationIds } from '../../spec/index.ts'
import type { ClientOutcome } from '../exchange/in-flight-request.ts'
import { hasHeader } from '../exchange/request.ts'
import { faultNames, faultRow } from '../fault-catalogue/fault-catalogue.ts'
import { OptionError, type OptionNames, refuseOther, refuseUnknown } from '../option-error.ts'
import { type ReasonId, reasons } from '../reasons/reasons.ts'
import type { JournalEntry } from './journal-entry.ts'

/** The conditions on entries; every given field must fit. */
export interface JournalFilter {
  readonly operation?: OperationId
  readonly method?: string
  readonly target?: string | RegExp
  readonly tenant?: string
  readonly status?: number
  readonly reason?: ReasonId
  readonly outcome?: ClientOutcome
  /** Part of a deliberate fault that was chosen for it. */
  readonly fault?: string
  /** Id of a thread: in the path, in the query, or in the answer, as the one that it made. */
  readonly thread?: string
  /** Part of the request's body. */
  readonly body?: string | RegExp
  /** A request header that is there (`user-id`), or that holds a text (`user-id: jane`); case of its name ignored. */
  readonly header?: string
  /** Only exchanges with a higher number: `journal.total()` from before an act leaves out what came earlier. */
  readonly since?: number
}

const filterNames: OptionNames<JournalFilter> = {
  operation: true,
  method: true,
  target: true,
  tenant: true,
  status: true,
  reason: true,
  outcome: true,
  fault: true,
  thread: true,
  body: true,
  header: true,
  since: true,
}

const outcomes: OptionNames<Record<ClientOutcome, true>> = {
  'read-all': true,
  left: true,
  'broken-off': true,
  pending: true,
}

/** Methods of HTTP: RFC 9110 and 5789, and those of the extensions that a server of Node takes. */
const methods = [
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY',
  'MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK',
  'UNSUBSCRIBE',
].flatMap((line) => line.split(' '))

/** Hyphens or none, in any case, braces or a prefix around it: clients write ids in many ways. */
const uuidLike = /(?:[0-9a-f]-?){32}/i

/** Throws an OptionError for a filter that no entry can match, such as a misspelt one; `tenants` are the known names. */
export function checkFilter(filter: JournalFilter, tenants: () => readonly string[]): void {
  refuseUnknown('a filter of the journal', filter, filterNames)
  const { operation, reason, outcome, tenant, method, status, thread, fault } = filter
  if (operation !== undefined) refuseOther('operation', operation, operationIds)
  if (reason !== undefined) refuseOther('reason', reason, Object.keys(reasons))
  if (outcome !== undefined) refuseOther('outcome', outcome, Object.keys(outcomes))
  if (tenant !== undefined) refuseOther('tenant', tenant, tenants())
  if (method !== undefined && !/^[A-Z-]+$/.test(method)) {
    throw new OptionError('method', `must be in capitals, as HTTP has it: "${method}"`)
  }
  if (method !== undefined) refuseOther('method', method, methods)
  for (const field of ['status', 'since'] as const) {
    const value = filter[field]
    if (value !== undefined && !Number.isSafeInteger(value)) throw new OptionError(field, 'must be a whole number')
  }
  if (status !== undefined && !(status >= 100 && status <= 599)) {
    throw new OptionError('status', `must be a status of HTTP, from 100 to 599: ${status}`)
  }
  if (thread !== undefined && !uuidLike.test(thread)) {
    throw new OptionError('thread', `must be the id of a thread, a UUID: "${thread}"; target finds any text of a path`)
  }
  // A word is part of a name; anything else may be about settings.
  if (fault !== undefined && /^[a-z_-]+$/.test(fault) && !faultWords().some((word) => word.includes(fault)))
    refuseOther('fault', fault, faultNames)
}

function faultWords(): readonly string[] {
  return faultNames.flatMap((name) => [name, ...Object.keys(faultRow(name)?.parameters ?? {})])
}

/** Whether an entry matches. */
export function fitsFilter(entry: JournalEntry, filter: JournalFilter): boolean {
  return (
    (filter.since === undefined || entry.number > filter.since) &&
    (filter.operation === undefined || entry.operation === filter.operation) &&
    (filter.method === undefined || entry.method === filter.method) &&
    (filter.tenant === undefined || entry.tenant === filter.tenant) &&
    (filter.status === undefined || entry.status === filter.status) &&
    (filter.reason === undefined || entry.reason === filter.reason) &&
    (filter.outcome === undefined || entry.outcome === filter.outcome) &&
    (filter.fault === undefined || entry.injected.some(({ fault }) => fault.includes(filter.fault ?? ''))) &&
    holds(entry.target, filter.target) &&
    (filter.header === undefined || hasHeader(entry.headers, filter.header)) &&
    (filter.thread === undefined || isAbout(entry, filter.thread)) &&
    (filter.body === undefined || holds(entry.text(), filter.body))
  )
}

function holds(text: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true
  // `search` starts at the beginning regardless of the flags of the expression.
  return typeof wanted === 'string' ? text.includes(wanted) : text.search(wanted) >= 0
}

function isAbout(entry: JournalEntry, thread: string): boolean {
  const id = thread.toLowerCase()
  if (entry.target.toLowerCase().includes(id)) return true
  const [first = noBytes] = entry.responsePieces
  const made = entry.operation === 'createThread' ? 'id' : 'thread_id'
  return Buffer.from(first).toString().toLowerCase().includes(`"${made}":"${id}"`)
}

const noBytes = new Uint8Array(0)
