/** Tests the OpenAPI 3.0 rendering: it says the same of answers, in the keywords of 3.0. */
import { expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { toOpenApi30 } from './openapi-3-0.ts'

const rendered = (schema: JsonObject) =>
  (toOpenApi30({ openapi: '3.1.0', info: {}, schema }) as { readonly schema: unknown }).schema

test.for<readonly [string, JsonObject, JsonObject]>([
  ['null is no type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'several types are a choice',
    { description: 'One.', type: ['string', 'object'], additionalProperties: true },
    { description: 'One.', anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] },
  ],
  ['a constant is an enumeration', { type: 'string', const: 'text' }, { type: 'string', enum: ['text'] }],
  ['a bound is told to be exclusive', { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
  ['contains is left out', { type: 'array', contains: { const: 1 } }, { type: 'array' }],
  ['words beside a reference are left out', { $ref: '#/a', description: 'A.' }, { $ref: '#/a' }],
  ['properties leave an object open', { additionalProperties: true, properties: {} }, { properties: {} }],
  ['an object without properties says that it is open', { additionalProperties: true }, { additionalProperties: true }],
  ['examples are data', { example: { const: 1 } }, { example: { const: 1 } }],
])('%s', ([, schema, expected]) =>
  expect(rendered({ properties: { it: schema } })).toEqual({ properties: { it: expected } }),
)
