/** The rules about tool messages and tool calls of a thread. */
import { row } from './database.ts'
import { ApiError, type ErrorCode } from './errors.ts'
import { historyOf, type Message } from './message-store.ts'
import type { Service } from './service.ts'

/** Refuses a tool message whose call no earlier assistant message of the thread asked for. */
export function checkToolMessage(service: Service, threadId: string, callId: unknown): void {
  const { fault, legal } = service
  if (fault === 'tool_message_unchecked') return
  if (fault === 'tool_message_id_optional' && callId === undefined) return
  if (!callIsKnown(service, threadId, callId)) throw new ApiError('tool_message_has_no_matching_tool_call')
  if (fault === 'tool_second_message_refused' && historyOf(service, threadId).at(-1)?.role === 'tool') {
    throw new ApiError('tool_message_has_no_matching_tool_call')
  }
  if (!legal.has('tool_answer_once_only')) return
  const answered = historyOf(service, threadId).some(({ record }) => record.tool_call_id === callId)
  if (answered) throw new ApiError('tool_message_has_no_matching_tool_call')
}

function callIsKnown(service: Service, threadId: string, callId: unknown): boolean {
  const { database, fault, legal } = service
  if (typeof callId !== 'string' || callId === '') return false
  if (fault === 'tool_call_of_any_thread' || fault === 'tool_call_matched_by_pattern') {
    const pattern = fault === 'tool_call_matched_by_pattern'
    const where = pattern ? 'thread_id = ?2 AND record LIKE ?1' : 'length(?2) > 0 AND instr(record, ?1)'
    const sql = `SELECT 1 AS found FROM messages WHERE role = 'assistant' AND ${where}`
    return (
      row(database, sql, pattern ? `%"tool_call_id":"${callId}%` : `"tool_call_id":"${callId}"`, threadId) !== undefined
    )
  }
  const asking = historyOf(service, threadId).filter(({ role, record }) => role === 'assistant' && record.tool_calls)
  const [latest] = asking.slice(-1)
  const considered = legal.has('tool_call_of_latest_request_only') && latest !== undefined ? [latest] : asking
  return considered.some((message) => callIdsOf(service, message).includes(callId))
}

function callIdsOf({ fault }: Service, { record }: Message): readonly string[] {
  const ids = (record.tool_calls ?? []).map((call) => call.tool_call_id)
  return fault === 'tool_first_call_only' ? ids.slice(0, 1) : ids
}

/** Refuses a run on a thread that is not ready for one. */
export function checkReadyForRun(service: Service, history: readonly Message[], streamed: boolean): void {
  const { legal } = service
  const refused: ErrorCode = legal.has('run_refused_as_validation') ? 'validation_error' : 'bad_request'
  const refuse = (): never => {
    const field = { loc: ['path', 'thread_id'], message: 'The thread is not ready for a run', type: 'thread_state' }
    throw new ApiError(refused, [field])
  }
  if (!hasUserMessage(service, history, streamed)) refuse()
  if (hasOpenCall(service, history, streamed)) refuse()
  if (streamed && !endsForStream(service, history)) refuse()
}

function hasUserMessage({ fault }: Service, history: readonly Message[], streamed: boolean): boolean {
  if (fault === 'run_empty_thread_answered' && !streamed) return true
  if (fault === 'run_system_counts_as_user') return history.some(({ role }) => role === 'user' || role === 'system')
  if (fault === 'run_assistant_counts_as_user' && !streamed) return history.some(({ role }) => role !== 'system')
  const recent = fault === 'run_sees_last_20_only' ? history.slice(-20) : history
  return recent.some(({ role }) => role === 'user')
}

function hasOpenCall({ fault }: Service, history: readonly Message[], streamed: boolean): boolean {
  if (fault === 'run_open_calls_ignored') return false
  if (fault === 'run_stream_open_calls_ignored' && streamed) return false
  return history.some((message, index) => {
    if (message.role !== 'assistant') return false
    const later = history.slice(index + 1)
    if (fault === 'run_earlier_calls_ignored' && later.some(({ role }) => role === 'user')) return false
    const answers = later.filter(({ role }) => role === 'tool')
    const answered = new Set(answers.map(({ record }) => record.tool_call_id))
    const ids = (message.record.tool_calls ?? []).map((call) => call.tool_call_id)
    if (fault === 'run_one_answer_is_enough') return ids.length > 0 && !ids.some((id) => answered.has(id))
    if (fault === 'run_any_tool_answer_counts') return ids.length > answers.length
    return !ids.every((id) => answered.has(id))
  })
}

function endsForStream({ fault }: Service, history: readonly Message[]): boolean {
  const last = history.at(-1)?.role
  if (fault === 'run_stream_any_end') return true
  if (fault === 'run_stream_system_end_accepted') return last !== 'assistant'
  if (fault === 'run_stream_tool_end_refused') return last === 'user'
  return last === 'user' || last === 'tool'
}
