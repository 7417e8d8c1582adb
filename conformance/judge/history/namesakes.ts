/**
 * Tells threads of one id apart that belong to two tenants. Where a message creates the thread that it names, each tenant may
 * have one of that name (contract: Thread creation).
 */
import { isAccepted, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { ThreadHistories, ThreadHistory } from './thread-histories.ts'
import { areTwoTenants } from './thread-origins.ts'

/** Whether a request may be about a thread of its own tenant; what the owner was shown is in one thread. */
export function mayBeNamesake(parsed: ParsedExchange, thread: ThreadHistory, histories: ThreadHistories): boolean {
  if (!histories.messagesMakeThreads || !areTwoTenants(thread.origin.tenant, parsed.tenant)) return false
  const made = thread.writes.filter(
    ({ kind, parsed: by }) => kind === 'created' && by.tenant === parsed.tenant && isAccepted(by),
  )
  const isBefore = (by: ParsedExchange): boolean => by === parsed || by.endedAtMs <= parsed.sentAtMs
  return made.every(({ stored }) => stored === null) && made.some(({ parsed: by }) => isBefore(by))
}
