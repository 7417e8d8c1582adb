/**
 * Checks the order of tool messages: all answers directly follow the assistant message that asked.
 * A run waits until every call of that message has its answer.
 */
import type { MessageRecord } from './model.ts'

interface Row {
  readonly asked: readonly string[]
  readonly answered: readonly string[]
}

function rowsOf(records: readonly MessageRecord[]): Row[] {
  const rows: { asked: string[]; answered: string[] }[] = []
  let isOpen = false
  for (const record of records) {
    const asked = record.tool_requests?.map((request) => request.call_id) ?? []
    if (asked.length > 0) rows.push({ asked, answered: [] })
    isOpen = asked.length > 0 || (isOpen && record.role === 'tool')
    if (isOpen && record.tool_call_id !== undefined) rows.at(-1)?.answered.push(record.tool_call_id)
  }
  return rows
}

/** Whether a tool message with this id may be added at the end. */
export function mayAnswer(records: readonly MessageRecord[], callId: unknown): boolean {
  const lastOther = records.findLast((record) => record.role !== 'tool')
  return lastOther?.tool_requests?.some((request) => request.call_id === callId) ?? false
}

/** Whether some call has no answer in its row. */
export function hasOpenCalls(records: readonly MessageRecord[]): boolean {
  return rowsOf(records).some((row) => row.asked.some((callId) => !row.answered.includes(callId)))
}
