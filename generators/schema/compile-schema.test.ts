/** Tests the schema compiler keyword by keyword, with ajv as the reference. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../spec/index.ts'
import { sample } from '../random/sampler.ts'
import { arbitraryFromSchema, type CompileOptions, compileSchema, UnsupportedSchema } from './compile-schema.ts'
import type { Schema } from './schema-documents.ts'
import { validatorOf } from './schema-validator.ts'

/** Values of a schema, each checked by ajv after serialization. */
function validValues(schema: Schema, options: CompileOptions = {}, count = 60): readonly Json[] {
  const judge = validatorOf(schema, options)
  const values = sample(arbitraryFromSchema(schema, options), { seed: 7, count })
  return values.map((value) => {
    const sent = JSON.parse(JSON.stringify(value)) as Json
    expect(judge.faults(sent)).toEqual([])
    return sent
  })
}

const id = { type: 'string', format: 'uuid', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' }
const time = { type: 'string', format: 'date-time', pattern: '^[0-9-]{10}T[0-9:]{8}\\.[0-9]{6}Z$' }

test.each<[string, Schema]>([
  ['bounds and steps', { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 }],
  ['a format at the precision of a pattern', time],
  ['a nullable format', { type: ['string', 'null'], format: 'uuid' }],
  [
    'two patterns and a length',
    { type: 'string', pattern: '^[a-z]+$', allOf: [{ pattern: '^[m-z0-9]+$' }], minLength: 30 },
  ],
  ['a pattern with groups', { type: 'string', pattern: '^(ab|cd)+-[0-9]{2,}$', maxLength: 20 }],
  [
    'contains among several roles',
    { type: 'array', items: { enum: ['a', 'b', 'c'] }, contains: { const: 'c' }, minContains: 2, maxContains: 3 },
  ],
  [
    'two kinds of witnesses in few places',
    { type: 'array', contains: { multipleOf: 2 }, allOf: [{ contains: { multipleOf: 3 } }], maxItems: 2 },
  ],
  ['unique items of a small domain', { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }],
  ['a closed tuple', { type: 'array', prefixItems: [id, { type: 'integer' }], items: false, minItems: 2 }],
  [
    'pattern properties and names',
    {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      propertyNames: { maxLength: 6 },
      additionalProperties: false,
      minProperties: 2,
    },
  ],
  [
    'dependent keys',
    {
      type: 'object',
      properties: { a: {}, b: {}, c: {} },
      dependentRequired: { a: ['b'], b: ['c'] },
      minProperties: 1,
    },
  ],
  [
    'dependent schemas',
    {
      type: 'object',
      properties: { a: { type: 'integer' } },
      dependentSchemas: { a: { required: ['b'], properties: { b: { const: 1 } } } },
    },
  ],
  [
    'allOf beside unevaluatedProperties',
    {
      allOf: [{ type: 'object', properties: { a: id }, required: ['a'] }],
      properties: { b: time },
      unevaluatedProperties: false,
    },
  ],
  [
    'unevaluated items',
    {
      type: 'array',
      prefixItems: [{ type: 'string' }],
      anyOf: [{ prefixItems: [true, { const: 2 }] }, true],
      unevaluatedItems: false,
    },
  ],
  [
    'oneOf that overlaps',
    {
      oneOf: [
        { type: 'integer', minimum: 2 },
        { type: 'integer', maximum: 5 },
      ],
    },
  ],
  [
    'if, then, else',
    {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] }, n: { type: 'integer' } },
      required: ['kind'],
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['n'] },
      else: { not: { required: ['n'] } },
    },
  ],
  ['not', { not: { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }, { const: 3 }] } }],
  [
    'recursion',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['next'],
          properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
        },
      },
    },
  ],
  [
    'anchors and embedded resources',
    {
      $id: 'https://example.org/root',
      $ref: 'item#here',
      $defs: { item: { $id: 'item', $anchor: 'here', type: 'integer' } },
    },
  ],
  [
    'the key __proto__',
    { type: 'object', required: ['__proto__'], properties: { ['__proto__']: { type: 'integer' } } },
  ],
])('values of a schema with %s are valid', (_, schema) => {
  expect(validValues(schema)).toHaveLength(60)
})

test('recursive values end, and some are nested', () => {
  const tree: Schema = {
    $ref: '#/$defs/tree',
    $defs: {
      tree: {
        type: 'object',
        required: ['children'],
        properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      },
    },
  }
  const depths = validValues(tree).map((value) => JSON.stringify(value).split('children').length)
  expect(Math.max(...depths)).toBeGreaterThan(3)
})

test('lengths count code points, and both bounds are reached', () => {
  const lengths = validValues({ type: 'string', minLength: 3, maxLength: 300 }, {}, 300).map(
    (value) => [...String(value)].length,
  )
  expect(new Set(lengths)).toContain(300)
  expect(Math.min(...lengths)).toBe(3)
})

test('unknown properties appear only on request', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'integer' } } }
  const keys = (options: CompileOptions) =>
    new Set(validValues(schema, options).flatMap((value) => Object.keys(value as object)))
  expect([...keys({})]).toEqual(['a'])
  expect(keys({ extraProperties: true }).size).toBeGreaterThan(3)
})

test.each<[string, Schema]>([
  ['unsatisfiable', false],
  ['unsatisfiable', { type: 'integer', minimum: 2, maximum: 1 }],
  ['unsatisfiable', { type: 'object', required: ['a'], properties: { a: false } }],
  [
    'unsatisfiable',
    { $ref: '#/$defs/n', $defs: { n: { type: 'object', required: ['n'], properties: { n: { $ref: '#/$defs/n' } } } } },
  ],
  ['pattern', { type: 'string', pattern: '(?=x)y' }],
  ['format', { type: 'string', format: 'acs-unknown' }],
  ['$ref', { $ref: '#/$defs/nowhere' }],
  ['nullable', { type: 'string', nullable: true }],
])('what cannot be made is named: %s', (keyword, schema) => {
  const { support } = compileSchema(schema)
  expect(support.supported ? [] : support.unsupported.map((one) => one.keyword)).toContain(keyword)
  expect(() => arbitraryFromSchema(schema)).toThrow(UnsupportedSchema)
})

test('an unsupported keyword deep inside is named with its pointer', () => {
  const { support } = compileSchema({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', pattern: '(?!x)[^]*(?<=y)' } },
  })
  expect(support).toMatchObject({ supported: false, unsupported: [{ keyword: 'pattern', pointer: '/properties/a' }] })
})

test('an alternative that cannot be made is reported, and the others are made', () => {
  const { support, arbitrary } = compileSchema({ anyOf: [{ type: 'integer' }, { type: 'string', pattern: '(?=x)y' }] })
  expect(support).toMatchObject({ supported: true, narrowed: [{ keyword: 'pattern' }] })
  expect(sample(arbitrary, { seed: 1, count: 20 }).every((value) => typeof value === 'number')).toBe(true)
})

test('ajv checks each value, and rejected ones are counted', () => {
  const { arbitrary, guard } = compileSchema({ type: 'array', items: { type: 'integer' }, contains: { const: 4 } })
  const before = guard.seen
  sample(arbitrary, { seed: 1, count: 50 })
  expect(guard.seen - before).toBe(50)
  expect(guard.rejected).toBe(0)
})

test('a counterexample shrinks to a small value that is still valid', () => {
  const schema: Schema = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 1000 }, minItems: 1 }
  const property = fc.property(arbitraryFromSchema(schema), (value) => (value as number[]).every((item) => item < 500))
  const { counterexample } = fc.check(property, { seed: 3, numRuns: 500 })
  expect(validatorOf(schema).accepts(counterexample?.[0] ?? null)).toBe(true)
  expect(JSON.stringify(counterexample?.[0]).length).toBeLessThan(12)
})
