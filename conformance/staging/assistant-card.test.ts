/** Bodies are built from what an assistant's own record requires. */
import { expect, test } from 'vitest'
import type { TargetProfile } from '../profile/target-profile.ts'
import { bodyFields, cardsFrom } from './assistant-card.ts'
import { drawFrom } from './draw.ts'

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
  const [card] = cardsFrom([record])
  const body = card === undefined ? {} : bodyFields(card, profile, drawFrom(1, 'p'))
  expect(body).toMatchObject({ assistant_id: 'a-1', user_data: { licence: expect.any(String) } })
  expect(body).not.toHaveProperty('messages')
})

test('the values of the profile win, but never over the assistant itself', () => {
  const [card] = cardsFrom([record])
  const body = { user_data: { licence: 'L-9', owner: '{{user_id}}' }, assistant_id: 'other' }
  const made = card && bodyFields(card, { ...profile, assistants: { '*': { body } } }, drawFrom(1, 'p'))
  expect(made).toMatchObject({ assistant_id: 'a-1', user_data: { licence: 'L-9', owner: made?.user_id } })
})

test('records that are none are left out', () => {
  expect(cardsFrom([null, { name: 'x' }, { id: 'a', streaming: 'yes', request_required_fields: 3 }])).toEqual([
    { id: 'a', streaming: false, requires: {} },
  ])
  expect(cardsFrom({ items: [] })).toEqual([])
})
