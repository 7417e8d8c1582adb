/** Tests what answers tell of calls that clients write: whether the target reads them. */
import { expect, test } from 'vitest'
import { sampleProfile } from '../../test/trace-builder/sample-data.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { createPostedCalls } from './posted-calls.ts'
import type { Answer } from './probe-response.ts'

const calls = [{ id: 'alpha' }]
const asking = { in: { thread_id: 't' }, json: { role: 'assistant', content: 'x', tool_calls: calls } }
const result = { in: { thread_id: 't' }, json: { role: 'tool', content: 'x', tool_call_id: 'alpha' } }
const answer = (outcome: Answer['outcome'], json: unknown = {}): Answer => ({ outcome, json }) as Answer

const learnt = (
  ...steps: readonly (readonly [Answer, Parameters<ReturnType<typeof createPostedCalls>['learn']>[2]])[]
) => {
  const posted = createPostedCalls(sampleProfile as unknown as TargetProfile)
  for (const [got, ask] of steps) posted.learn(got, 'createMessage', ask)
  return posted.areIgnored()
}

const unshown = [answer('accepted'), asking] as const
const refused = [answer('rejected'), result] as const

test.each([
  ['nothing was refused', [unshown], false],
  ['the result of a call that no answer shows is refused', [unshown, refused], true],
  ['the asking message is refused', [[answer('rejected'), asking] as const], true],
  ['the call is shown', [[answer('accepted', { tool_calls: calls }), asking] as const, refused], false],
  ['the result was taken', [unshown, [answer('accepted'), result] as const, refused], false],
  [
    'a result that has to be refused was',
    [unshown, [answer('rejected'), { ...result, expects: 'rejected' }] as const],
    false,
  ],
  [
    'another thread refused the result',
    [unshown, [answer('rejected'), { ...result, in: { thread_id: 'u' } }] as const],
    false,
  ],
] as const)('%s', (_, steps, isIgnored) => {
  expect(learnt(...steps)).toBe(isIgnored)
})
