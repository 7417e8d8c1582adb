/** Bodies are built from what an assistant's own record requires. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import { assistantSummaries, bodyFields } from './assistant-summary.ts'
import { seededRandom } from './seeded-random.ts'

const profile: TargetProfile = {
  baseUrl: 'http://acs.test',
  tenants: { primary: { key: 'k' } },
  claims: ['core'],
  threads: null,
  runBody: {},
  assistants: {},
  tools: null,
  throttle: null,
  provoke: {},
  declares: {},
  budget: { timeoutMs: 1000, maxBodyBytes: 1_000_000 },
}
const record = {
  id: 'a-1',
  streaming: true,
  request_required_fields: { __root__: ['user_data', 'messages'], user_data: ['licence'] },
}

test('required fields of the body and inside user_data are filled in', () => {
  const [assistant] = assistantSummaries([record])
  const body = assistant === undefined ? {} : bodyFields(assistant, profile, seededRandom(1, 'p'))
  expect(body).toMatchObject({ assistant_id: 'a-1', user_data: { licence: expect.any(String) } })
  expect(body).not.toHaveProperty('messages')
})

test('the values of the profile win, but never over the assistant itself', () => {
  const [assistant] = assistantSummaries([record])
  const body = { user_data: { licence: 'L-9', owner: '{{user_id}}' }, assistant_id: 'other' }
  const made = assistant && bodyFields(assistant, { ...profile, assistants: { '*': { body } } }, seededRandom(1, 'p'))
  expect(made).toMatchObject({ assistant_id: 'a-1', user_data: { licence: 'L-9', owner: made?.user_id } })
})

test('records that are none are left out', () => {
  expect(assistantSummaries([null, { name: 'x' }, { id: 'a', streaming: 'yes', request_required_fields: 3 }])).toEqual([
    { id: 'a', streaming: false, requires: {} },
  ])
  expect(assistantSummaries({ items: [] })).toEqual([])
})

test('an assistant that requires thousands of fields is not asked', () => {
  const required = (count: number) => ({
    id: 'a',
    request_required_fields: { __root__: Array.from({ length: count }, (_, at) => `f${at}`) },
  })
  expect(assistantSummaries([required(10_000)])).toEqual([])
  expect(assistantSummaries([required(100)])).toHaveLength(1)
})
