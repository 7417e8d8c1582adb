/** Laws of published schemas: what can be used, what surely cannot, and that none of them hangs the judge. */
import { expect, test } from 'vitest'
import { traceSchemas } from './live-schema.ts'

const liveSchema = traceSchemas().of
const faultIn = (schema: unknown, value: unknown) => {
  const live = liveSchema(schema)
  return live.kind === 'usable' ? live.faultIn(value) : live.why
}
const withPattern = (pattern: string) => ({ properties: { a: { anyOf: [{ pattern }] } } })
const nested = (depth: number): unknown => JSON.parse(`${'{"not":'.repeat(depth)}true${'}'.repeat(depth)}`)

test('a value fits, or the first fault is told with its place', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  expect(faultIn(schema, { a: 'x' })).toBeNull()
  expect(faultIn(schema, { a: 1 })).toEqual({ at: '/a', says: '/a must be string' })
  expect(faultIn(schema, {})).toEqual({ at: '', says: "must have required property 'a'" })
})

test('equal schemas are compiled once, whether or not they are one object', () => {
  const schema = { title: 'Once' }
  expect(liveSchema(schema)).toBe(liveSchema(schema))
  expect(liveSchema({ title: 'Once' })).toBe(liveSchema(schema))
  expect(liveSchema({ title: 'Twice' })).not.toBe(liveSchema(schema))
})

test.each([undefined, null, 7, 'object', true, []])('%j is no schema of an object', (schema) => {
  expect(liveSchema(schema)).toEqual({ kind: 'unusable', why: 'it is no JSON Schema', sure: true })
})

test.each([
  [{ type: 'text' }, true, /^it breaks the rules of JSON Schema \(\/type /],
  [{ required: 'a' }, true, /\/required must be array/],
  [{ $ref: '#/$defs/none' }, true, /can't resolve reference #/],
  [{ $ref: 'https://elsewhere.test/a' }, false, /elsewhere/],
  [withPattern('a('), true, 'the pattern a( is no regular expression'],
  [{ title: 'x'.repeat(256 * 1024) }, false, 'it is too large or too deep to be judged'],
  [nested(100_000), false, 'it is too large or too deep to be judged'],
])('a schema that cannot be used says why, and whether any reader could', (schema, sure, why) => {
  const live = liveSchema(schema)
  expect(live).toMatchObject({ kind: 'unusable', sure })
  expect(live.kind === 'unusable' && live.why).toMatch(why)
})

test.each(['(?i)abc', '(?P<name>a)', 'a++', '[[:alpha:]]', '\\Aabc\\z'])(
  'the pattern %s of another dialect is passed over',
  (pattern) => {
    expect(liveSchema(withPattern(pattern)).kind).toBe('usable')
  },
)

test('own keywords, unknown formats and an id are no matter', () => {
  expect(faultIn({ $id: 'https://acs.test/a', 'x-own': 1, format: 'own', default: undefined }, 'x')).toBeNull()
})

test.each([
  ['http://json-schema.org/draft-04/schema#', 'usable'],
  ['http://json-schema.org/draft-07/schema#', 'usable'],
  ['https://json-schema.org/draft/2019-09/schema', 'usable'],
  ['https://json-schema.org/draft/2020-12/schema', 'unusable'],
  [undefined, 'unusable'],
])('by %s a list of items is a schema or is none', ($schema, kind) => {
  expect(liveSchema({ $schema, items: [{ type: 'string' }] }).kind).toBe(kind)
})

test('every pattern is applied to its own field', () => {
  const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b#$' } } }
  expect(faultIn(schema, { a: 'a', b: 'b#' })).toBeNull()
  expect(faultIn(schema, { a: 'b#', b: 'b#' })).toEqual({ at: '/a', says: '/a must match pattern "^a$"' })
  expect(faultIn(schema, { a: 'a', b: 'a' })).toEqual({ at: '/b', says: '/b must match pattern "^b#$"' })
})

test('a pattern is applied however it could run in a backtracking engine', () => {
  const fits = (pattern: string, text: string): unknown => faultIn({ type: 'string', pattern }, text) === null
  for (const pattern of ['^(a+)+$', '^(a|b)*$', '^(ab*c){9}$', '^(a*){2}$', '^[a-z]+$', '^((a|a))*$'])
    expect(fits(pattern, `${'a'.repeat(5_000)}!`)).toBe(false)
  expect(fits('^((a|a))*$', 'a'.repeat(5_000))).toBe(true)
})

test.each(['(?=a)a', '^(a)\\1$', `^${'a'.repeat(2_000)}$`, '(?i)abc', '^.{1,4000}$'])(
  'where the pattern %s would decide, nothing is decided',
  (pattern) => {
    expect(faultIn({ type: 'string', pattern }, 'b')).toBe('undecided')
    expect(faultIn({ not: { type: 'string', pattern } }, 'b')).toBe('undecided')
    expect(faultIn({ type: 'string', pattern }, 7)).toMatchObject({ says: 'must be string' })
  },
)

const doubling = (keyword: string, count: number) => {
  const $defs = Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, { [keyword]: [next, next] }]
    }),
  )
  return { $defs: { ...$defs, [`d${count}`]: { type: 'object' } }, $ref: '#/$defs/d0' }
}
const polynomial = `^${'a*b?'.repeat(10)}$`
const deepTree = { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }
const deepValue = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

test.each([
  [{ properties: { a: { pattern: '^((a|a))*$' } } }, { a: `${'a'.repeat(40)}!` }, { at: '/a' }],
  [{ properties: { a: { pattern: polynomial } } }, { a: `${'a'.repeat(5_000)}!` }, { at: '/a' }],
  [{ patternProperties: { [polynomial]: false } }, { [`${'a'.repeat(5_000)}!`]: 1 }, null],
  [doubling('allOf', 40), {}, 'undecided'],
  [doubling('oneOf', 40), {}, 'undecided'],
  [doubling('allOf', 8), {}, null],
  [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, {}, 'its references lead too deep'],
  [{ allOf: [{ type: 'object' }, { $ref: '#' }] }, {}, 'undecided'],
  [deepTree, deepValue(40), 'undecided'],
  [deepTree, deepValue(5), null],
  [{}, deepValue(10_000), 'undecided'],
  [{ uniqueItems: true }, Array.from({ length: 30_000 }, (_, at) => ({ at })), 'undecided'],
  [{ format: 'email' }, 'a'.repeat(100_000), 'undecided'],
])('the work of schema %# has a limit that no clock decides', (schema, value, outcome) => {
  const found = faultIn(schema, value)
  if (typeof outcome === 'object' && outcome !== null) expect(found).toMatchObject(outcome)
  else expect(found).toBe(outcome)
})

test('a chain of references that is too long for the stack is not judged', () => {
  expect(liveSchema(doubling('allOf', 1_000))).toMatchObject({ kind: 'unusable', sure: false })
})

test.each(['patternProperties', 'properties'])('patterns that are long together are not compiled in %s', (keyword) => {
  const patterns = Array.from({ length: 300 }, (_, at) => `^(?:a?){400}${at}$`)
  const entries = patterns.map((pattern) => (keyword === 'properties' ? [pattern, { pattern }] : [pattern, true]))
  expect(liveSchema({ [keyword]: Object.fromEntries(entries) })).toMatchObject({ kind: 'unusable', sure: false })
})

test('all schemas of a trace share one allowance', () => {
  const schemas = traceSchemas(2_100_000)
  expect(schemas.of({ title: 'one' }).kind).toBe('usable')
  expect(schemas.of({ title: 'two' }).kind).toBe('usable')
  expect(schemas.of({ title: 'two' }).kind).toBe('usable')
  expect(schemas.of({ title: 'three' })).toMatchObject({ kind: 'unusable', sure: false, why: /too much work/ })
})

test('values share the allowance of their trace', () => {
  const { of } = traceSchemas()
  const allowance = { steps: 300 }
  const schema = of({ properties: { a: { type: 'string' } } })
  const outcomes = Array.from({ length: 100 }, () => (schema.kind === 'usable' ? schema.faultIn({}, allowance) : 0))
  expect(outcomes[0]).toBeNull()
  expect(outcomes.at(-1)).toBe('undecided')
})
