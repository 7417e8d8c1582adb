/** What stories of many chapters do with a thread: list it, and have a list show what they say. */
import type { Change, Story, StoryOptions } from '../trace-notation.ts'
import type { Fields } from './material.ts'

/** The messages of a thread as a list shows them, newest first. */
export const items = (s: Story, thread: string): readonly Fields[] => s.list(thread).items as readonly Fields[]

/** A list that shows these messages and this cursor. */
export const shows = (list: readonly unknown[], cursor: unknown = null): Change => ({ body: { cursor, items: list } })

/** Traffic that a proxy saw: others may have written meanwhile. */
export const observed: StoryOptions = { source: 'proxy' }
