/**
 * Pages and walks: an accepted list as items with ids, and the chains that cursors make of them. A walk ends when no cursor
 * is left or a page is empty, since the contract does not show the end.
 */
import { idField, integerForm, lowerCase } from '../read/formats.ts'
import { fieldOf, isObject, textField } from '../read/json.ts'
import { documentOf, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import type { Page, Sighting, View } from './thread-record.ts'

/** The page of an accepted list request, or `null` when the answer has no items; `owner` is the tenant of the thread, if known. */
export function pageOf(parsed: ParsedExchange, owner: string | null): Page | null {
  const thread = parsed.params.thread_id
  const document = documentOf(parsed)
  const items = fieldOf(document, 'items')
  if (parsed.operation !== 'listMessages' || thread === undefined || !Array.isArray(items)) return null
  const limits = queryValues(parsed, 'limit')
  const [limit] = limits
  const cursors = queryValues(parsed, 'cursor')
  const isExact = limit === undefined || (integerForm(limit) === 'exact' && Number(limit) > 0)
  const cursorOut = textField(document, 'cursor')
  const isOwner = owner === null || owner === parsed.tenant
  return {
    parsed,
    thread: lowerCase(thread),
    limit: limit !== undefined && isExact ? Number(limit) : null,
    defaultLimit: limit === undefined,
    isPlain:
      isExact &&
      limits.length + cursors.length === parsed.query.length &&
      limits.length < 2 &&
      cursors.length < 2 &&
      isOwner,
    cursorIn: cursors[0] ?? null,
    cursorOut: cursorOut === '' ? null : cursorOut,
    items,
    ids: items.map((item) => idField(item, 'id')),
    previous: null,
  }
}

/** Links pages by their cursors and gives every walk, from a head page to a page that no other one continued. */
export function viewsOf(pages: readonly Page[]): readonly View[] {
  const handedOut = new Map<string, Page>()
  const continued = new Set<Page>()
  for (const page of pages) {
    const source = page.cursorIn === null ? undefined : handedOut.get(cursorKey(page, page.cursorIn))
    if (source !== undefined && source.parsed.endedAtMs <= page.parsed.sentAtMs) {
      page.previous = source
      continued.add(source)
    }
    if (page.cursorOut !== null) handedOut.set(cursorKey(page, page.cursorOut), page)
  }
  return pages.flatMap((page) => (continued.has(page) ? [] : (viewEndingAt(page) ?? [])))
}

function viewEndingAt(last: Page): View | null {
  const chain: Page[] = []
  for (let page: Page | null = last; page !== null; page = page.previous) chain.push(page)
  const [head, ...rest] = chain.reverse()
  if (head === undefined || head.cursorIn !== null) return null
  const ended = last.cursorOut === null || last.items.length === 0
  return {
    pages: [head, ...rest],
    ended,
    exhaustive: ended && last.items.length < (last.limit ?? defaultPageSize),
    startMs: head.parsed.sentAtMs,
    endMs: last.parsed.endedAtMs,
  }
}

/** The contract's default for limit. */
export const defaultPageSize = 100

/** A cursor belongs to the one who got it: two tenants, or two threads, may get the same text. */
const cursorKey = ({ parsed, thread }: Page, cursor: string): string => `${parsed.tenant}\n${thread}\n${cursor}`

/** The items of a view from the newest on, with the page and place where each was seen. */
export const sightingsOf = ({ pages }: View): readonly Sighting[] =>
  pages.flatMap((page) => page.items.flatMap((item, at) => (isObject(item) ? { page, at, item } : [])))
