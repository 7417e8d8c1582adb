/** Tests what answers tell of calls that clients write: whether the target reads them. */
import { expect, test } from 'vitest'
import { sampleProfile } from '../../test/trace-builder/sample-data.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { createPostedCalls } from './posted-calls.ts'
import type { Answer } from './probe-response.ts'

const calls = [{ id: 'alpha' }]
const asking = { in: { thread_id: 't' }, json: { role: 'assistant', content: 'x', tool_calls: calls } }
const byUuid = [{ id: '0192d3a4-5b6c-4d7e-8f90-a1b2c3d4e5f6' }]
const askingByUuid = { ...asking, json: { ...asking.json, tool_calls: byUuid } }
const result = { in: { thread_id: 't' }, json: { role: 'tool', content: 'x', tool_call_id: 'alpha' } }
const answer = (outcome: Answer['outcome'], json: unknown = {}): Answer => ({ outcome, json }) as Answer

const learnt = (
  ...steps: readonly (readonly [Answer, Parameters<ReturnType<typeof createPostedCalls>['learn']>[2]])[]
) => {
  const posted = createPostedCalls(sampleProfile as unknown as TargetProfile)
  for (const [got, ask] of steps) posted.learn(got, 'createMessage', ask)
  return posted
}

const unshown = [answer('accepted'), asking] as const
const refused = [answer('rejected'), result] as const

test.each([
  ['nothing was refused', [unshown], false],
  ['the result of a call that no answer shows is refused', [unshown, refused], true],
  ['the asking message is refused', [[answer('rejected'), askingByUuid] as const], true],
  ['the asking message is refused, maybe for the form of its id', [[answer('rejected'), asking] as const], false],
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
  expect(learnt(...steps).areIgnored()).toBe(isIgnored)
})

test.each([
  ['another id is refused', [[answer('rejected'), asking] as const], true],
  ['a UUID is refused', [[answer('rejected'), askingByUuid] as const], false],
  ['what is refused has another fault', [[answer('rejected'), { ...asking, expects: 'rejected' }] as const], false],
  [
    'another id was read before',
    [[answer('accepted', { tool_calls: calls }), asking] as const, [answer('rejected'), asking] as const],
    false,
  ],
] as const)('calls need UUIDs, or not: %s', (_, steps, needsUuids) => {
  expect(learnt(...steps).needUuids()).toBe(needsUuids)
})
