/** Laws of published schemas: what can be used, what surely cannot, and that none of them hangs the judge. */
import { expect, test } from 'vitest'
import { liveSchema } from './live-schema.ts'

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

test('a pattern is applied unless it could take for ever', () => {
  const fits = (pattern: string, text: string): boolean => faultIn({ type: 'string', pattern }, text) === null
  expect(fits('^a$', 'b')).toBe(false)
  expect(fits(`^${'a'.repeat(498)}$`, 'b')).toBe(false)
  expect(fits(`^${'a'.repeat(499)}$`, 'b')).toBe(true)
  expect(fits('^a$', 'b'.repeat(10_000))).toBe(false)
  expect(fits('^a$', 'b'.repeat(10_001))).toBe(true)
  for (const risky of ['^(a+)+$', '^(a|b)*$', '^(ab*c){9}$', '^a+b*+$', '^(a*){2}$'])
    expect(fits(risky, '!')).toBe(true)
  for (const plain of ['^[a-z]+$', '^(ab)+$', '^a+b+$', '^(a)(b)*c$']) expect(fits(plain, '!')).toBe(false)
})
