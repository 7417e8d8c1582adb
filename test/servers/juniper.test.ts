/** Runs the suite on juniper: it is conformant, and none of its legal choices violates anything. */
import { describe, expect, test } from 'vitest'
import { judge } from '../../conformance/index.ts'
import { sampleOf } from '../support/samples.ts'
import { against } from './cedar/judge-cedar.ts'
import { judgeJuniper, juniperLegalChoices, traceOfJuniper } from './juniper/judge-juniper.ts'

const faults = [
  ['completion_thread_forgotten', 'completions.continues-thread'],
  ['create_overlap_lost', 'threads.concurrent-creates'],
  ['tenant_keys_doubled_later', 'tenancy.record-is-stable'],
  ['list_equal_times_lost', 'pagination.cursor-continues'],
  ['left_id_in_next_stream', 'streams.one-message'],
  ['completion_refused_messages_kept', 'threads.rejected-leaves-no-trace'],
  ['stream_multibyte_cut', 'streams.joined-equals-stored'],
  ['stream_timeout_as_internal', 'errors.code-api-timeout-error'],
  ['list_equal_times_repeated', 'pagination.cursor-continues'],
  ['file_unpersisted_share_id', 'files.file-ids-fresh'],
] as const

describe('the suite before juniper', () => {
  test('a sound juniper is conformant, strictly or not', async () => {
    const trace = await traceOfJuniper({}, 11)
    for (const strict of [true, false]) {
      const judgement = judge(trace, { strict })
      expect(against(judgement)).toEqual([])
      expect(judgement.outcome).toBe('conformant')
    }
  })

  test.each(sampleOf('legal choices of juniper', juniperLegalChoices))(
    'nothing is held against %s and the like',
    async (...legal) => {
      expect(against(await judgeJuniper({ legal }))).toEqual([])
    },
  )

  test.each(sampleOf('faults of juniper in a gate run', faults))(
    '%s is held against it',
    async (fault, requirement) => {
      expect(against(await judgeJuniper({ fault }))).toContain(requirement)
    },
  )
})
