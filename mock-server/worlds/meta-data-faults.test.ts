/** Tests that a schema is read as a schema compiler reads it. */
import { expect, test } from 'vitest'
import { compileValidator } from '../../spec/index.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { metaDataFaults } from './meta-data-faults.ts'

const schema: JsonObject = {
  title: 'AnswerMetaData',
  type: 'object',
  properties: {
    kind: { const: { a: 1, b: [2] } },
    mood: { type: 'string', enum: ['glad', 'busy'] },
    score: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    count: { type: 'integer' },
    note: { type: 'string', minLength: 2, maxLength: 3 },
    tags: { type: 'array', minItems: 1, items: { type: 'boolean' } },
    inner: {
      type: 'object',
      properties: { 'a/b': { type: 'string' } },
      required: ['a/b'],
      additionalProperties: false,
    },
    others: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['mood'],
}

const values: readonly JsonObject[] = [
  { mood: 'glad' },
  {},
  { mood: 'sad' },
  { mood: 7 },
  { mood: 'busy', more: 'is not forbidden' },
  { mood: 'busy', kind: { b: [2], a: 1 } },
  { mood: 'busy', kind: { b: [3], a: 1 } },
  { mood: 'busy', score: 0.5, count: 2 },
  { mood: 'busy', score: null, count: 2.5 },
  { mood: 'busy', score: -1 },
  { mood: 'busy', score: 2 },
  { mood: 'busy', score: 'x' },
  { mood: 'busy', note: '𝄞' },
  { mood: 'busy', note: '𝄞𝄞𝄞' },
  { mood: 'busy', note: 'four' },
  { mood: 'busy', tags: [] },
  { mood: 'busy', tags: [true, 1] },
  { mood: 'busy', tags: {} },
  { mood: 'busy', inner: { 'a/b': 'x' } },
  { mood: 'busy', inner: { 'a/b': 1 } },
  { mood: 'busy', inner: { 'a/b': 'x', c: 1 } },
  { mood: 'busy', inner: [] },
  { mood: 'busy', others: { a: 1, b: 'x' } },
  { mood: 'busy', others: null },
]

test.for(values)('%j is judged as the compiler judges it, at the same place', async (value) => {
  const validate = await compileValidator(schema)
  const places = validate(value).map(({ instancePath, params }) => {
    const { missingProperty = '', additionalProperty = missingProperty } = params as Readonly<Record<string, string>>
    return [...instancePath.split('/').slice(1), additionalProperty].filter((step) => step !== '').join('/')
  })
  const found = metaDataFaults(value, schema).map(({ loc }) => loc.slice(1).join('/').replace('a/b', 'a~1b'))
  // A value of another type is nothing else as well.
  expect(found).toEqual([...new Set(places)])
})

test('a keyword that is not read decides nothing', () => {
  const alternatives = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  const unread: JsonObject = { type: 'object', properties: { a: alternatives, b: { pattern: '^x' }, c: true } }
  for (const value of [{ a: 1 }, { b: 'y' }, { c: 1 }] satisfies readonly Json[])
    expect(metaDataFaults(value, unread)).toEqual([])
})
