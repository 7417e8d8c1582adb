/** Lists the messages of a thread page by page, newest first. */
import { isUuid, queryText } from './checks.ts'
import { type Row, rows } from './database.ts'
import { fieldError } from './errors.ts'
import { type Message, messageOf, messageShown } from './message-store.ts'
import { kept, type Service } from './service.ts'

/** What stands behind a cursor: the last message that the caller has. */
interface Place {
  readonly created: number
  readonly position: number
  readonly page: number
  readonly seen: number
}

/** The query of a list request. */
interface PageQuery {
  readonly limit: number
  readonly place: Place | undefined
  readonly cursor: string | undefined
}

const largest = 1000

/** Reads limit and cursor. */
export function pageQueryOf(service: Service, query: unknown): PageQuery {
  const cursor = queryText(query, 'cursor') || undefined
  const place = cursor === undefined ? undefined : placeOf(service, cursor)
  return { limit: limitOf(service, queryText(query, 'limit'), place), place, cursor }
}

function limitOf({ fault, legal }: Service, text: string | undefined, place: Place | undefined): number {
  const standard = fault === 'list_default_20' ? 20 : fault === 'list_default_99' ? 99 : 100
  if (text === undefined || fault === 'list_limit_ignored') return standard
  if (fault === 'list_limit_forgotten_later' && place !== undefined) return standard
  if (!/^\d{1,9}$/.test(text)) throw fieldError(['query', 'limit'], 'int_parsing', 'Input should be a whole number')
  const limit = Number(text)
  if (limit === 0 && legal.has('limit_zero_is_default')) return standard
  if (limit === 0 && !legal.has('limit_zero_is_empty')) {
    throw fieldError(['query', 'limit'], 'greater_than', 'Input should be greater than 0')
  }
  if (limit > 200 && legal.has('limit_over_200_refused')) {
    throw fieldError(['query', 'limit'], 'less_than_equal', 'Input should be at most 200')
  }
  if (fault === 'list_limit_off_by_one') return limit + 1
  return Math.min(limit, legal.has('limit_capped_at_50') ? 50 : largest)
}

function cursorOf({ fault, legal }: Service, place: Place): string {
  const created = fault === 'list_cursor_in_milliseconds' ? Math.floor(place.created / 1000) * 1000 : place.created
  const padding = legal.has('cursor_differs_each_time') ? { salt: Math.random() } : {}
  const text = JSON.stringify({ ...place, created, ...padding })
  if (legal.has('cursor_is_plain_json')) return text
  return Buffer.from(text).toString(legal.has('cursor_with_plus_and_slash') ? 'base64' : 'base64url')
}

function placeOf({ legal }: Service, cursor: string): Place | undefined {
  try {
    const text = legal.has('cursor_is_plain_json') ? cursor : Buffer.from(cursor, 'base64url').toString()
    const { created, position, page, seen } = JSON.parse(text)
    if ([created, position, page, seen].every(Number.isInteger)) return { created, position, page, seen }
  } catch {
    // Not a cursor of this service; treated below like any other wrong text.
  }
  if (legal.has('bad_cursor_is_first_page')) return undefined
  throw fieldError(['query', 'cursor'], 'cursor_invalid', 'Input should be a cursor of an earlier page')
}

/** What a cursor says to SQL: which rows come after it. */
function conditionOf({ fault }: Service, { created, position }: Place): readonly [string, ...number[]] {
  if (fault === 'list_page_repeats_last') return ['(created, position) <= (?, ?)', created, position]
  if (fault === 'list_equal_times_lost') return ['created < ?', created]
  if (fault === 'list_equal_times_repeated') return ['created <= ? AND position <> ?', created, position]
  if (fault === 'list_cursor_in_milliseconds') return ['created < ?', created]
  return ['(created, position) < (?, ?)', created, position]
}

function select(service: Service, threadId: string, { limit, place }: PageQuery): readonly Row[] {
  const { database, fault } = service
  const order = fault === 'list_oldest_first' ? 'created, position' : 'created DESC, position DESC'
  const base = `SELECT * FROM messages WHERE thread_id = ?`
  const tail = `ORDER BY ${order} LIMIT ?`
  if (place === undefined) return rows(database, `${base} ${tail}`, threadId, limit)
  if (fault === 'list_cursor_is_offset') return rows(database, `${base} ${tail} OFFSET ?`, threadId, limit, place.seen)
  if (fault === 'list_oldest_first') {
    return rows(
      database,
      `${base} AND (created, position) > (?, ?) ${tail}`,
      threadId,
      place.created,
      place.position,
      limit,
    )
  }
  if (fault === 'list_third_page_restarts' && place.page >= 2) return rows(database, `${base} ${tail}`, threadId, limit)
  const [condition, ...values] = conditionOf(service, place)
  const found = rows(database, `${base} AND ${condition} ${tail}`, threadId, ...values, limit)
  if (fault === 'list_end_starts_again' && found.length === 0) return rows(database, `${base} ${tail}`, threadId, limit)
  if (fault === 'list_last_single_lost' && found.length === 1 && limit > 1) return []
  if (fault === 'list_later_pages_turned') return [...found].reverse()
  return found
}

/** Where the next page starts; the caller's cursor again when nothing was left. */
function nextCursor(service: Service, threadId: string, query: PageQuery, page: readonly Row[]): string | null {
  const { fault, legal } = service
  const { limit, place, cursor } = query
  if (legal.has('end_cursor_null') && page.length < limit) return null
  if (legal.has('end_cursor_empty') && page.length < limit) return ''
  const last = page.at(-1)
  const at = (found: Row): string =>
    cursorOf(service, {
      created: Number(found.created),
      position: Number(found.position),
      page: (place?.page ?? 0) + 1,
      seen: (place?.seen ?? 0) + page.length,
    })
  if (last === undefined) return cursor ?? cursorOf(service, { created: 0, position: 0, page: 1, seen: 0 })
  if (fault === 'list_page_skips_one') {
    const { position } = messageOf(last)
    const beyond = 'SELECT * FROM messages WHERE thread_id = ? AND position < ? ORDER BY position DESC'
    return at(rows(service.database, beyond, threadId, position)[0] ?? last)
  }
  if (fault === 'list_full_page_has_no_cursor' && limit === 100) return null
  return at(last)
}

function itemShown(service: Service, message: Message, query: PageQuery): Record<string, unknown> {
  const { fault } = service
  const shown = messageShown(service, message)
  const { role } = message
  if (fault === 'list_system_shown_as_user' && role === 'system') shown.role = 'user'
  if (fault === 'list_sources_emptied' && role === 'assistant') shown.sources = []
  if (fault === 'list_meta_data_dropped' && role === 'assistant') delete shown.meta_data
  if (fault === 'list_meta_data_text' && role === 'assistant') shown.meta_data = JSON.stringify(shown.meta_data)
  if (fault === 'list_content_cut_at_500') shown.content = message.record.content.slice(0, 500)
  if (fault === 'list_time_rounded') shown.created_at = String(shown.created_at).replace(/\d{3}Z$/, '000Z')
  if (fault === 'list_thread_id_of_page') shown.thread_id = query.cursor === undefined ? message.threadId : null
  if (fault === 'list_later_ids_are_positions' && query.place !== undefined) shown.id = String(message.position)
  if (fault === 'list_tool_time_missing' && role === 'tool') delete shown.created_at
  return shown
}

/** A page of messages. */
export function listMessages(service: Service, threadId: string, query: PageQuery): unknown {
  const { fault } = service
  const found = select(service, threadId, query)
  const cursor = nextCursor(service, threadId, query, found)
  const items = found.map((each) => itemShown(service, messageOf(each), query))
  if (fault === 'list_page_cached' && query.cursor === undefined && isUuid(threadId)) {
    return kept(service, `page of ${threadId} ${query.limit}`, () => ({ cursor, items }))
  }
  if (fault === 'list_items_key') return { cursor, messages: items }
  if (fault === 'list_is_plain_array') return items
  if (fault === 'list_cursor_missing') return { items }
  if (fault === 'list_cursor_number') return { cursor: found.length, items }
  return { cursor, items }
}
