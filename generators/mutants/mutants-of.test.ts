/** Tests value mutants on a schema like that of a completion. */
import { expect, test } from 'vitest'
import { validatorOf } from '../schema/schema-validator.ts'
import { mutantMaker } from './mutants-of.ts'

const uuid = { type: 'string', format: 'uuid' }
const completion = {
  type: 'object',
  required: ['assistant_id', 'messages'],
  properties: {
    assistant_id: uuid,
    user_id: uuid,
    messages: {
      type: 'array',
      minItems: 1,
      items: { $ref: '#/$defs/message' },
      contains: { properties: { role: { const: 'user' } } },
    },
  },
  $defs: {
    message: {
      type: 'object',
      required: ['content', 'role'],
      properties: {
        content: { type: 'string', minLength: 1 },
        role: { type: 'string', enum: ['user', 'assistant', 'system', 'tool'] },
      },
    },
  },
} as const
const valid = {
  assistant_id: '11111111-2222-4333-8444-555555555555',
  user_id: '66666666-7777-4888-9999-aaaaaaaaaaaa',
  messages: [
    { role: 'system', content: 'short answers' },
    { role: 'user', content: 'hello' },
  ],
}

test('every mutant is invalid, differs on the wire and has its fault at the predicted place', () => {
  const judge = validatorOf(completion)
  const mutants = mutantMaker(completion).mutantsOf(valid)
  expect(mutants.length).toBeGreaterThan(60)
  for (const mutant of mutants) {
    expect(JSON.stringify(mutant.value)).not.toBe(JSON.stringify(valid))
    expect(judge.faults(mutant.value)).toContainEqual({ pointer: mutant.pointer, keyword: mutant.keyword })
  }
})

test('each part of the schema that applies to the value is reached', () => {
  const cells = new Set(
    mutantMaker(completion)
      .mutantsOf(valid)
      .map(({ pointer, keyword }) => `${pointer} ${keyword}`),
  )
  expect([...cells].sort()).toMatchInlineSnapshot(`
    [
      " type",
      "/assistant_id format",
      "/assistant_id required",
      "/assistant_id type",
      "/messages contains",
      "/messages minItems",
      "/messages required",
      "/messages type",
      "/messages/0 type",
      "/messages/0/content minLength",
      "/messages/0/content required",
      "/messages/0/content type",
      "/messages/0/role enum",
      "/messages/0/role required",
      "/messages/0/role type",
      "/messages/1 type",
      "/messages/1/content minLength",
      "/messages/1/content required",
      "/messages/1/content type",
      "/messages/1/role required",
      "/user_id format",
      "/user_id type",
    ]
  `)
})

test('a prediction that ajv does not confirm is discarded and counted', () => {
  const maker = mutantMaker({ type: ['string', 'number', 'boolean', 'null', 'array', 'object'], minLength: 2 })
  const mutants = maker.mutantsOf('ab')
  expect(mutants.map(({ operator, value }) => [operator, value])).toEqual([['N-LENGTH', 'a']])
  expect(maker.discarded.get('N-NULL type')).toBe(1)
})

test('a mutant inside a branch of anyOf is kept if only its own place is wrong', () => {
  const schema = { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] }
  const cells = mutantMaker(schema)
    .mutantsOf('ab')
    .map(({ operator, keyword }) => `${operator} ${keyword}`)
  expect(cells).toContain('N-ROOT type')
})
