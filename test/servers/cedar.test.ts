/**
 * Runs the suite on cedar, a Python server whose author knew the contract only.
 * It is conformant, and its legal variations violate nothing. Skipped without Python 3.11, which the kit does not need.
 */
import { describe, expect, test } from 'vitest'
import { sampleOf } from '../support/samples.ts'
import { against, cedarLegalChoices, judgeCedar } from './cedar/judge-cedar.ts'
import { hasPython } from './cedar/start-cedar.ts'

const faults = [
  ['st_two_on_a_line_at_5', 'streams.ndjson-lines'],
  ['fi_user_id_optional', 'files.user-id-required'],
  // Found by asking again, which the plan has no model call for.
  ['run_failure_locks_thread', 'http.operation-served'],
  ['rl_list_says_not_found', 'errors.code-rate-limit-gateway'],
] as const

describe.skipIf(!hasPython)('the suite before cedar (needs python3, 3.11 or later)', () => {
  test('a healthy cedar is conformant, also when implied rules count', async () => {
    const judgement = await judgeCedar({})
    expect(against(judgement)).toEqual([])
    expect(judgement.outcome).toBe('conformant')
  })

  test.each(sampleOf('legal choices of cedar', cedarLegalChoices))(
    'nothing is held against %s and the like',
    async (...legal) => {
      expect(against(await judgeCedar({ legal }))).toEqual([])
    },
  )

  test.each(sampleOf('faults of cedar', faults))('%s is held against it', async (fault, requirement) => {
    expect(against(await judgeCedar({ fault }))).toContain(requirement)
  })
})
