/** Creates the W3C `traceparent` by which a team finds a request of the suite in its logs. */
import { randomBytes } from 'node:crypto'

/** A new trace for every request, drawn at random: runs of one seed must be distinguishable in a log. */
export const newTraceparent = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
