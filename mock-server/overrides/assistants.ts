/** Overrides of the records of assistants: in the list, by themselves, or in both places. */

import type { HookOverride } from '../exchange/hooks.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Edit } from './json-edit.ts'
import { overrideReply } from './replies.ts'

const both = ['listAssistants', 'getAssistant'] as const

/** Overrides every record, in the list and by itself. */
export const overrideRecords = (edit: Edit): HookOverride =>
  overrideReply(both, (json) => (Array.isArray(json) ? json.map(edit) : edit(json)))

/** Overrides records in the list, all of them or those at some places. */
export const overrideListedRecords = (
  edit: Edit,
  which: (index: number, count: number) => boolean = () => true,
): HookOverride =>
  overrideReply('listAssistants', (json) =>
    Array.isArray(json) ? json.map((record: Json, index) => (which(index, json.length) ? edit(record) : record)) : json,
  )

/** Overrides a record that is read by itself. */
export const overrideSingleRecord = (edit: Edit): HookOverride => overrideReply('getAssistant', edit)
