/** Tests what the compiled validators accept and what they report. */
import { expect, test } from 'vitest'
import { componentNames, schemaOf } from './schemas.ts'
import { compileValidator, type ValidatorName, validatorFor } from './validator.ts'

const assistantId = '8f1f1b5e-6f0a-4c55-9d5e-2b8a43c7a001'

const keywords = (name: ValidatorName, value: unknown) =>
  validatorFor(name)(value).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)

test('a valid value has no fault', () => {
  const body = { assistant_id: assistantId, messages: [{ role: 'user', content: 'x' }], more: 1 }
  expect(keywords('createChatCompletion.request', body)).toEqual([])
})

test('all faults are reported together, each with its place', () => {
  const body = { user_id: 7, messages: [{ role: 'system' }] }
  expect(keywords('createChatCompletion.request', body)).toEqual([
    ' required',
    '/messages/0 required',
    '/messages contains',
    '/user_id type',
  ])
})

test.for([
  ['urn:uuid:8f1f1b5e-6f0a-4c55-9d5e-2b8a43c7a001', false],
  ['8f1f1b5e6f0a4c559d5e2b8a43c7a001', false],
  ['8F1F1B5E-6F0A-4C55-9D5E-2B8A43C7A001', true],
  ['00000000-0000-0000-0000-000000000000', true],
  ['8f1f1b5e-6f0a-4c55-9d5e-2b8a43c7a001\n', false],
] as const)('an id is a UUID in canonical form: %j %s', ([id, valid]) => {
  expect(validatorFor('Id')(id).length === 0).toBe(valid)
})

test.for([
  ['2026-03-02T09:15:01.204113Z', true],
  ['2024-02-29T23:59:59.000000Z', true],
  ['2026-02-29T00:00:00.000000Z', false],
  ['2026-03-02T09:15:01.204Z', false],
  ['2026-03-02T09:15:01Z', false],
  ['2026-03-02 09:15:01.204113Z', false],
  ['2026-03-02t09:15:01.204113z', false],
  ['2026-03-02T09:15:01.204113+00:00', false],
] as const)('a timestamp is UTC to the microsecond and a real instant: %s %s', ([timestamp, valid]) => {
  expect(validatorFor('Timestamp')(timestamp).length === 0).toBe(valid)
})

test('an error body carries a list exactly when it is a validation_error', () => {
  const detail = [{ loc: ['body', 'messages', 0], message: 'Field required', type: 'missing' }]
  const valid = (value: unknown) => validatorFor('ErrorBody')(value).length === 0
  expect(valid({ error_code: 'validation_error', detail })).toBe(true)
  expect(valid({ error_code: 'validation_error', detail: 'x' })).toBe(false)
  expect(valid({ error_code: 'validation_error', detail: [] })).toBe(false)
  expect(valid({ error_code: 'bad_request', detail })).toBe(false)
  expect(valid({ error_code: 'a_code_of_its_own', detail: 'x', trace: 1 })).toBe(true)
})

test('a reasoning block needs its text; a block of another type may have any fields', () => {
  const valid = (value: unknown) => validatorFor('ContentBlock')(value).length === 0
  expect(valid({ type: 'reasoning', reasoning: 'x' })).toBe(true)
  expect(valid({ type: 'reasoning' })).toBe(false)
  expect(valid({ type: 'image', url: 1 })).toBe(true)
  expect(valid({})).toBe(true)
})

test('the reference profile fills the gaps of the contract', () => {
  const block = { type: 'text' }
  expect(validatorFor('ContentBlock')(block)).toEqual([])
  expect(validatorFor('ContentBlock', 'reference')(block)).not.toEqual([])
  expect(validatorFor('listMessages.query.limit')(0)).toEqual([])
  expect(validatorFor('listMessages.query.limit', 'reference')(0)).not.toEqual([])
})

test('validators compiled ahead of time agree with those compiled on demand', async () => {
  const values = [null, 1, '', [], {}, { role: 'user' }, { role: 'user', content: '' }, { role: 'tool', content: 'x' }]
  const schema = schemaOf('createMessage', 'request', 'reference') ?? false
  const late = await compileValidator(schema)
  const early = validatorFor('createMessage.request', 'reference')
  for (const value of values) {
    expect(early(value).map(({ keyword }) => keyword)).toEqual(late(value).map(({ keyword }) => keyword))
  }
})

test('every component of a profile has a validator; an unknown name has none', () => {
  for (const name of componentNames('reference')) {
    expect(validatorFor(name as ValidatorName<'reference'>, 'reference')).toBeTypeOf('function')
  }
  expect(() => validatorFor('Nothing' as 'Id')).toThrow('no schema Nothing in the profile contract')
})
