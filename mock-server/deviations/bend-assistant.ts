/** Bends of the records of assistants: in the list, by themselves, or in both places. */

import type { Json } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { reply } from './bend-reply.ts'
import type { Edit } from './json-edit.ts'

const both = ['listAssistants', 'getAssistant'] as const

/** Bends every record, in the list and by itself. */
export const records = (edit: Edit): Bend => reply(both, (json) => (Array.isArray(json) ? json.map(edit) : edit(json)))

/** Bends records in the list, all of them or those at some places. */
export const listed = (edit: Edit, which: (index: number, count: number) => boolean = () => true): Bend =>
  reply('listAssistants', (json) =>
    Array.isArray(json) ? json.map((record: Json, index) => (which(index, json.length) ? edit(record) : record)) : json,
  )

/** Bends a record that is read by itself. */
export const single = (edit: Edit): Bend => reply('getAssistant', edit)
