/**
 * Compares lists of one resource: the items of each, and the missing ones. Pages of one walk are one column; items that
 * were created are a column of their own.
 */
import { bodyBuffer, utf8Of } from '../body-text.ts'
import type { ReportedExchange } from '../report.ts'

interface ListColumn {
  readonly title: string
  readonly exchanges: readonly string[]
  /** Ids in order. */
  readonly ids: readonly string[]
  /** Whether an item that is not in it is missing: not of single creations, nor of a walk that goes on. */
  readonly isWhole: boolean
}

interface ListRow {
  /** `A`, `B`, …: short names for ids. */
  readonly letter: string
  readonly id: string
  /** The place of the item in each column, from 1; `null` where it is missing. */
  readonly places: readonly (number | null)[]
}

export interface ListComparison {
  readonly columns: readonly ListColumn[]
  readonly rows: readonly ListRow[]
  /** Rows left out, which are at the same place everywhere or beyond the limit. */
  readonly hiddenRows: number
}

/** More rows than this are counted. */
const mostRows = 10

/** The lists among these exchanges; `null` when there are not two columns that differ. */
export function listComparison(exchanges: readonly ReportedExchange[]): ListComparison | null {
  const columns = columnsOf(exchanges)
  if (columns.length < 2) return null
  const ids = [...new Set(columns.flatMap((column) => column.ids))]
  const rows = ids.map((id, index): ListRow => {
    const places = columns.map((column) => (column.ids.includes(id) ? column.ids.indexOf(id) + 1 : null))
    return { letter: letterOf(index), id, places }
  })
  const differs = ({ places }: ListRow): boolean =>
    places.some((place, index) => place === null && columns[index]?.isWhole === true) ||
    new Set(places.filter((place) => place !== null)).size > 1
  if (!rows.some(differs)) return null
  const shown = rows.length <= mostRows ? rows : rowsAround(rows, differs)
  return { columns, rows: shown, hiddenRows: rows.length - shown.length }
}

/** Of a long list, the rows that differ and the ones beside them. */
function rowsAround(rows: readonly ListRow[], differs: (row: ListRow) => boolean): readonly ListRow[] {
  const near = rows.filter((_, index) => rows.slice(Math.max(0, index - 1), index + 2).some(differs))
  return near.slice(0, mostRows)
}

/** A column that further pages may join. */
interface OpenColumn extends ListColumn {
  /** The cursor of its last page. */
  readonly next: string | null
}

function columnsOf(exchanges: readonly ReportedExchange[]): readonly ListColumn[] {
  const listed = exchanges.findLast(({ request }) => request.method === 'GET')
  const columns: OpenColumn[] = []
  for (const exchange of exchanges.filter((one) => listed !== undefined && pathnameOf(one) === pathnameOf(listed))) {
    const column = columnOf(exchange)
    if (column === null) continue
    const joined = joinedBy(columns, column, cursorOf(exchange))
    const known = columns[joined]
    if (known === undefined) columns.push(column)
    else
      columns[joined] = {
        ...column,
        title: known.title,
        exchanges: [...known.exchanges, exchange.id],
        ids: [...known.ids, ...column.ids.filter((id) => !known.ids.includes(id))],
      }
  }
  return columns.map(({ next: _, ...column }) => column)
}

/** The column that goes on with this one: by the cursor, which may be asked for with another limit or none, else by the limit. */
function joinedBy(columns: readonly OpenColumn[], { title }: OpenColumn, cursor: string | null): number {
  if (title === createdTitle) return columns.findIndex((one) => one.title === title)
  if (cursor === null) return -1
  const before = columns.findLastIndex(({ next }) => next === cursor)
  return before === -1 ? columns.findIndex((one) => one.title === title) : before
}

const createdTitle = 'created'

function columnOf(exchange: ReportedExchange): OpenColumn | null {
  const { id, request, response } = exchange
  if (response === null || response.status >= 300) return null
  const value = parsed(utf8Of(bodyBuffer(response.pieces)) ?? '')
  const isList = request.method === 'GET'
  const ids = idsOf(isList ? listIn(value) : [value])
  if (ids === null) return null
  const next = isRecord(value) && typeof value.cursor === 'string' ? value.cursor : null
  const title = isList ? limitOf(request.url) : createdTitle
  return { title, exchanges: [id], ids, isWhole: isList && next === null, next }
}

function cursorOf({ request }: ReportedExchange): string | null {
  return new URLSearchParams(/\?([^#]*)/.exec(request.url)?.[1] ?? '').get('cursor')
}

const pathnameOf = ({ request }: ReportedExchange): string => request.url.replace(/[?#].*/, '')

function limitOf(url: string): string {
  const limit = /[?&]limit=([^&]*)/.exec(url)?.[1]
  return limit === undefined ? 'no limit' : `limit=${limit}`
}

function listIn(value: unknown): readonly unknown[] | null {
  const items = isRecord(value) && !Array.isArray(value) ? value.items : value
  return Array.isArray(items) ? items : null
}

/** The ids of records; `null` when one has none. */
function idsOf(items: readonly unknown[] | null): readonly string[] | null {
  const ids = items?.map((item) => (isRecord(item) && typeof item.id === 'string' ? item.id : null)) ?? [null]
  return ids.every((id) => id !== null) ? ids : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** `A` to `Z`, then `A1`. */
function letterOf(index: number): string {
  const round = Math.floor(index / 26)
  return `${String.fromCharCode(65 + (index % 26))}${round === 0 ? '' : round}`
}
