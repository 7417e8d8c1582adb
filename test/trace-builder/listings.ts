/** What stories of many chapters do with a thread: list it, and have a list show what they say. */

import type { Fields } from './sample-data.ts'
import type { Change, TraceBuilder, TraceBuilderOptions } from './trace-builder.ts'

/** The messages of a thread as a list shows them, newest first. */
export const listedItems = (s: TraceBuilder, thread: string): readonly Fields[] =>
  s.list(thread).items as readonly Fields[]

/** A list that shows these messages and this cursor. */
export const listShowing = (list: readonly unknown[], cursor: unknown = null): Change => ({
  body: { cursor, items: list },
})

/** Traffic that a proxy saw: others may have written meanwhile. */
export const proxyTraffic: TraceBuilderOptions = { source: 'proxy' }
