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
    { id: 'a', streaming: false, requires: {}, promised: 0, described: '', topics: [] },
  ])
  expect(assistantSummaries({ items: [] })).toEqual([])
})

test('a record promises more with each property of the metadata, and most with a required one', () => {
  const schema = { properties: { a: {}, b: {}, c: {} }, required: ['a', 'b'] }
  const promised = (meta_data_response_schema: unknown) =>
    assistantSummaries([{ ...record, meta_data_response_schema }])[0]?.promised
  expect([promised(schema), promised({ properties: { a: {} } }), promised(null)]).toEqual([2003, 1, 0])
})

test('an assistant that requires thousands of fields is not asked', () => {
  const required = (count: number) => ({
    id: 'a',
    request_required_fields: { __root__: Array.from({ length: count }, (_, at) => `f${at}`) },
  })
  expect(assistantSummaries([required(10_000)])).toEqual([])
  expect(assistantSummaries([required(100)])).toHaveLength(1)
})

test('topics are what a record is called, what its metadata hold and which values they list, in plain words', () => {
  const properties = { type: { const: 'x' }, legal_advice: {}, subArea: { enum: ['tax law', 7, 'A1-B2'] } }
  const named = { ...record, name: 'Counsel', meta_data_response_schema: { properties } }
  expect(assistantSummaries([named])[0]?.topics).toEqual(['counsel', 'type', 'legal advice', 'sub area', 'tax law'])
  expect(assistantSummaries([{ ...record, meta_data_response_schema: [] }])[0]?.topics).toEqual([])
})

test('users have ids of every version, the same ones under the same seed', () => {
  const [assistant] = assistantSummaries([record])
  const idsOf = () => {
    const random = seededRandom(1, 'users')
    return Array.from({ length: 100 }, () => String(bodyFields(assistant as never, profile, random).user_id))
  }
  expect(new Set(idsOf().map((id) => id.charAt(14)))).toEqual(new Set('1345678'))
  expect(idsOf()).toEqual(idsOf())
  for (const id of idsOf())
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('records that name the same properties describe the same metadata', () => {
  const schemas = [
    { title: 'A', properties: { b: { type: 'string' }, a: {} }, required: ['b', 'a'] },
    { title: 'B', properties: { a: {}, b: {} }, required: ['a', 'b'] },
    { properties: { a: {}, b: {} }, required: ['a'] },
    { properties: { a: {} }, required: ['a'] },
  ]
  const described = schemas.map(
    (meta_data_response_schema) => assistantSummaries([{ ...record, meta_data_response_schema }])[0]?.described,
  )
  expect(described[1]).toBe(described[0])
  expect(new Set(described).size).toBe(3)
})
