/** Admin paths of a world's journal: query, wait, export, clear. */
import { countText, type OperationId } from '../../spec/index.ts'
import type { ClientOutcome } from '../exchange/in-flight-request.ts'
import { traceOmissions } from '../journal/injected-damage.ts'
import { type JournalFormat, JournalTimeout, journalFormats } from '../journal/journal.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { JournalFilter } from '../journal/journal-filter.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import { refuseField, refuseMissing } from './admin-request.ts'
import { adminRoute, openWorldOf, TextAnswer, worldOf } from './admin-route.ts'
import { explain } from './explain-exchange.ts'
import type { FieldValues } from './fields.ts'

const filterFields = {
  operation: 'text',
  method: 'text',
  target: 'text',
  tenant: 'text',
  status: 'number',
  reason: 'text',
  outcome: 'text',
  fault: 'text',
  thread: 'text',
  body: 'text',
  header: 'text',
  since: 'number',
} as const

/** The longest wait of one request, milliseconds: less than the timeout of most proxies. */
const longestWaitMs = 120_000

const contentTypes = {
  trace: 'application/x-ndjson',
  har: 'application/json',
  curl: 'text/plain; charset=utf-8',
} as const

export const journalRoutes = [
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/journal',
    about: `lists matching exchanges, oldest first; format ${journalFormats.join(', ')} exports them`,
    fields: { ...filterFields, format: 'text' },
    act(call) {
      const { journal } = worldOf(call)
      const { format = 'json', ...filter } = call.fields
      if (format === 'json') return journal.view(filterOf(filter))
      if (!isFormat(format)) throw refuseField(['query', 'format'], `must be one of json, ${journalFormats.join(', ')}`)
      const headers = format === 'trace' ? omissionHeader(journal.query(filterOf(filter))) : {}
      return new TextAnswer(contentTypes[format], journal.export(format, filterOf(filter)), headers)
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/journal/wait',
    about: `waits until count exchanges match, or timeout_ms (at most ${longestWaitMs}) have passed; met says which`,
    fields: { ...filterFields, count: 'number', timeout_ms: 'number' },
    async act(call) {
      const { journal } = openWorldOf(call)
      const { count = 1, timeout_ms: timeoutMs = 5000, ...fields } = call.fields
      const filter = filterOf(fields)
      const timeout = Math.min(Math.max(0, timeoutMs), longestWaitMs)
      const met = await journal.wait(filter, { count, timeoutMs: timeout, signal: call.signal }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof JournalTimeout) return false
          throw error
        },
      )
      return { met, exchanges: journal.view(filter) }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/journal/{number}',
    about: 'shows one exchange, why it was answered that way, and near matches if something was not found',
    fields: {},
    act(call) {
      const world = worldOf(call)
      const wanted = Number(call.path.number)
      const entries = world.journal.query()
      const entry = entries.find(({ number }) => number === wanted)
      if (entry === undefined) throw refuseMissing('exchange', call.path.number ?? '', numbersOf(entries))
      return { ...world.journal.viewOf(entry), why: explain(call.context.mock, world, entry) }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/worlds/{world}/journal',
    about: 'clears the journal',
    fields: {},
    act(call) {
      worldOf(call).journal.clear()
      return { cleared: true }
    },
  }),
]

/** Says what the trace does not hold; none if it holds all. */
function omissionHeader(entries: readonly JournalEntry[]): Readonly<Record<string, string>> {
  const { exchanges, responses } = traceOmissions(entries)
  if (exchanges + responses === 0) return {}
  return {
    'x-acs-left-out': `injected faults: ${countText(exchanges, 'exchange')}, ${countText(responses, 'response')}`,
  }
}

/** The range that the journal keeps. */
function numbersOf(entries: readonly JournalEntry[]): readonly string[] {
  const [first, last] = [entries[0], entries.at(-1)]
  return first === undefined || last === undefined ? [] : [`${first.number} to ${last.number}`]
}

/** The journal refuses unknown names. */
function filterOf(fields: FieldValues<typeof filterFields>): JournalFilter {
  const { operation, reason, outcome, ...rest } = fields
  return {
    ...rest,
    ...(operation === undefined ? null : { operation: operation as OperationId }),
    ...(reason === undefined ? null : { reason: reason as ReasonId }),
    ...(outcome === undefined ? null : { outcome: outcome as ClientOutcome }),
  }
}

function isFormat(format: string): format is JournalFormat {
  return (journalFormats as readonly string[]).includes(format)
}
