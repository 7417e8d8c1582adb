/** Runs the gate tier of the suite on a juniper and judges the trace. */
import { type Judgement, judge, run, type Trace } from '../../../conformance/index.ts'
import { type JuniperOptions, startJuniper } from './start-juniper.ts'

/**
 * legal.json in groups whose choices do not hide one another. Three are left out because the suite holds a rule against
 * them: limit_capped_at_50 (the default of 100 shows that 60 is a good limit), malformed_assistant_not_available, and
 * tool_call_of_latest_request_only, which says of a call in a preceding message that there is none. Authors of a dozen other
 * servers call the last one a fault.
 */
export const juniperLegalChoices: readonly (readonly string[])[] = [
  ['validation_is_400', 'assistant_is_403', 'thread_is_410', 'engine_is_422', 'rate_is_503', 'timeout_is_408'],
  ['assistant_is_400', 'thread_is_400', 'engine_is_501', 'timeout_is_502', 'internal_is_500', 'resource_is_410'],
  ['tool_is_409', 'empty_is_422', 'tenant_is_403', 'unauthorized_is_403', 'unauthorized_own_body', 'created_is_200'],
  ['unauthorized_is_404', 'unauthorized_empty_body', 'upload_is_201', 'upload_signature_in_path', 'end_cursor_null'],
  ['upload_is_204', 'expires_in_milliseconds', 'filename_without_extension', 'end_cursor_empty'],
  [
    'filename_type_checked',
    'cursor_differs_each_time',
    'limit_over_200_refused',
    'limit_zero_is_default',
    'answers_differ',
  ],
  ['cursor_is_plain_json', 'bad_cursor_is_first_page', 'limit_zero_is_empty', 'late_system_refused', 'blank_is_empty'],
  ['cursor_with_plus_and_slash', 'missing_content_is_empty', 'closed_thread_not_found', 'body_before_thread'],
  ['closed_thread_own_code', 'assistant_before_thread', 'run_refused_as_validation', 'run_refused_while_running'],
  ['run_on_own_threads_only', 'completion_on_own_threads_only', 'tool_answer_once_only', 'tool_calls_null'],
  ['message_extra_fields', 'assistant_extra_fields', 'assistants_by_name'],
  ['assistant_read_resource_not_found', 'malformed_thread_is_validation'],
  ['null_text_is_no_thread', 'user_id_required', 'message_times_differ', 'chunk_times_advance', 'stream_of_one_chunk'],
  ['stream_by_character', 'stream_sources_first', 'stream_lines_end_in_crlf', 'stream_is_jsonl', 'left_answer_dropped'],
  ['stream_opens_empty', 'stream_sources_everywhere', 'stream_without_last_line_end', 'events_without_reasoning'],
  ['stream_ends_with_blank_line', 'stream_has_charset', 'events_many_blocks_per_chunk', 'left_answer_cut'],
  ['events_blocks_have_ids', 'rate_only_where_named', 'rate_per_key'],
]

/** A gate run on a juniper. */
export async function traceOfJuniper(options: JuniperOptions, seed: number): Promise<Trace> {
  const juniper = await startJuniper(options)
  try {
    for await (const event of run(juniper.profile, { tier: 'gate', seed, concurrency: 8 })) {
      if (event.type === 'finished') return event.trace
    }
  } finally {
    await juniper.close()
  }
  throw new Error('the run ended without a trace')
}

/** What the suite says about a juniper. */
export async function judgeJuniper(options: JuniperOptions, seed = 11): Promise<Judgement> {
  return judge(await traceOfJuniper(options, seed), { strict: true })
}
