/** Runs the gate tier on a cedar with as many workers as `acs test`, and judges the trace strictly. */
import { type Judgement, judge, run, type Trace } from '../../../conformance/index.ts'
import { type CedarOptions, startCedar } from './start-cedar.ts'

/** Some of legal.json, one of each kind; `score.ts legal.json` runs them all. */
export const cedarLegalChoices: readonly (readonly string[])[] = [
  ['validation_is_400', 'assistant_is_403', 'rate_is_503', 'bare_401', 'created_is_201'],
  ['end_cursor_null', 'cursor_needs_encoding', 'page_extras', 'limit_capped'],
  ['cursor_always', 'one_time_per_request', 'ties_oldest_first'],
  ['crlf_lines', 'no_final_newline', 'sources_first', 'many_blocks_per_chunk', 'chunk_extras'],
  ['no_sources', 'plain_answers', 'one_chunk', 'reversed_keys', 'upper_case_ids'],
  ['break_off_keeps_nothing', 'stream_any_assistant', 'no_keep_alive', 'upload_is_204'],
]

async function traceOf(options: CedarOptions, seed: number): Promise<Trace> {
  const cedar = await startCedar(options)
  try {
    for await (const event of run(cedar.profile, { tier: 'gate', seed, concurrency: 8 })) {
      if (event.type === 'finished') return event.trace
    }
  } finally {
    await cedar.close()
  }
  throw new Error('the run ended without a trace')
}

/** What the suite says about a cedar. */
export async function judgeCedar(options: CedarOptions, seed = 11): Promise<Judgement> {
  return judge(await traceOf(options, seed), { strict: true })
}

/** The requirements that a judgement holds against the server. */
export function against({ verdicts }: Judgement): readonly string[] {
  return verdicts
    .filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement }) => requirement)
}
