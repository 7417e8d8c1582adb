/** Tests references inside a document. */
import { expect, test } from 'vitest'
import { brokenReference, dereferenced, resolveReference } from './references.ts'

const document = {
  paths: { '/a/{b}': { get: { $ref: '#/components/x' } } },
  components: { x: { $ref: '#/components/y~z' }, 'y~z': { found: true } },
}

test('a reference follows the escapes of JSON pointer and URI fragment', () => {
  expect(resolveReference(document, '#/paths/~1a~1%7Bb%7D/get')).toEqual({ $ref: '#/components/x' })
  expect(resolveReference(document, '#/components/y~0z')).toEqual({ found: true })
})

test('a reference reaches neither prototypes nor other documents', () => {
  expect(resolveReference(document, '#/components/constructor')).toBeUndefined()
  expect(resolveReference(document, 'other.yaml#/components/x')).toBeUndefined()
})

test('a chain of references is followed to its end; a circle gives an empty object', () => {
  const chain = { a: { $ref: '#/b' }, b: { $ref: '#/c' }, c: { end: true } }
  expect(dereferenced(chain, { $ref: '#/a' })).toEqual({ end: true })
  expect(dereferenced(chain, undefined)).toEqual({})
  expect(dereferenced({ a: { $ref: '#/b' }, b: { $ref: '#/a' } }, { $ref: '#/a' })).toEqual({})
})

test('the first broken reference is found, but not inside the data of an example', () => {
  expect(brokenReference(document)).toBeNull()
  expect(brokenReference({ ...document, schemas: [{ items: { $ref: '#/nowhere' } }] })).toBe('#/nowhere')
  expect(brokenReference({ examples: { a: { value: { $ref: 'x' } } } })).toBeNull()
})
