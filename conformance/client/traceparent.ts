/** Makes the W3C `traceparent` by which a team finds a request of the suite in its logs. */
import { randomBytes } from 'node:crypto'
import type { HeaderLines } from '../trace/exchange.ts'

/** A new trace for every request, drawn at random: runs of one seed have to be told apart in a log. */
export const newTraceparent = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`

/** The trace id that a request carried, or `null`. */
export const traceIdOf = (headers: HeaderLines): string | null =>
  /^00-([0-9a-f]{32})-/.exec(headers.find(([name]) => name === 'traceparent')?.[1] ?? '')?.[1] ?? null
