/** Reading a thread page by page, as any client would: following cursors until none is left. */

import { valuesAt } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { TenantName } from '../../profile/target-profile.ts'

/** Pages behind the expected end before a walk counts as endless. */
const pagesTooMany = 3

/** Reads one page; without a limit the default counts. */
export function readPage(
  context: ProbeContext,
  thread: string,
  limit: number | null,
  cursor?: string,
  as: TenantName = 'primary',
): Promise<Answer> {
  const query = [
    ...(limit === null ? [] : [['limit', String(limit)] as const]),
    ...(cursor === undefined ? [] : [['cursor', cursor] as const]),
  ]
  return context.send('listMessages', { in: { thread_id: thread }, as, query })
}

/** Reads a page of so many messages, and the rest behind it; all of them where the page is said to be the last. */
export async function readInTwo(
  context: ProbeContext,
  thread: string,
  limit: number,
  as: TenantName = 'primary',
): Promise<void> {
  const cursor = cursorOf((await readPage(context, thread, limit, undefined, as)).json)
  // A page that ends the list too early is told by a list behind it as well.
  await readPage(context, thread, null, cursor, as)
}

interface WalkOptions {
  readonly as?: TenantName
  /** Stops where `size` messages were shown, though a cursor came with the last: that walks end, one walk shows for all. */
  readonly untilSeen?: boolean
}

/** Follows cursors to the end of a thread of about `size` messages; stops when a target never ends the walk. */
export async function walkPages(
  context: ProbeContext,
  thread: string,
  limit: number | null,
  size: number,
  { as = 'primary', untilSeen = false }: WalkOptions = {},
): Promise<void> {
  const mostPages = Math.ceil(size / (limit ?? 100)) + pagesTooMany
  let cursor: string | undefined
  let seen = 0
  for (let read = 0; read < mostPages; read += 1) {
    const { json, outcome } = await readPage(context, thread, limit, cursor, as)
    const shown = valuesAt(json, '/items/*').length
    cursor = cursorOf(json)
    seen += shown
    if (outcome !== 'accepted' || cursor === undefined || shown === 0 || (untilSeen && seen >= size)) return
  }
}

/** The cursor that leads on, if the page has one. */
export function cursorOf(json: unknown): string | undefined {
  const cursor = stringAt(json, '/cursor')
  return cursor === '' ? undefined : cursor
}
