/** Tests what an overlay action selects, merges and removes. */
import { expect, test } from 'vitest'
import type { JsonObject } from './json.ts'
import { applyOverlay, type OverlayAction } from './overlay.ts'

const document: JsonObject = {
  paths: {
    '/a': { get: { operationId: 'readA', tags: ['x'], responses: { '2XX': { description: 'ok' } } } },
    '/b': { post: { operationId: 'writeB', tags: [], responses: { '2XX': { description: 'ok' } } } },
  },
  list: [1, 2, 3],
}

const applied = (...actions: OverlayAction[]): JsonObject => {
  const result = applyOverlay(document, actions)
  if (!result.ok) throw new Error(result.fault.reason)
  return result.document
}

const fault = (...actions: OverlayAction[]) => {
  const result = applyOverlay(document, actions)
  return result.ok ? null : result.fault
}

test('an update merges into every node that the target selects', () => {
  const { paths } = applied({ target: '$.paths.*.*.responses', update: { '401': { description: 'no key' } } })
  expect(paths).toMatchObject({
    '/a': { get: { responses: { '2XX': { description: 'ok' }, '401': { description: 'no key' } } } },
    '/b': { post: { responses: { '2XX': { description: 'ok' }, '401': { description: 'no key' } } } },
  })
})

test('a target can filter by operationId', () => {
  const { paths } = applied({ target: "$.paths.*[?@.operationId=='writeB']", update: { summary: 'Write' } })
  expect(paths).toMatchObject({
    '/a': { get: expect.not.objectContaining({ summary: 'Write' }) },
    '/b': { post: { summary: 'Write' } },
  })
})

test('an update of an array appends, whether it is one entry or several, or nested in an object', () => {
  expect(applied({ target: '$.list', update: 4 }).list).toEqual([1, 2, 3, 4])
  expect(applied({ target: '$.list', update: [4, 5] }).list).toEqual([1, 2, 3, 4, 5])
  expect(applied({ target: '$', update: { list: [9] } }).list).toEqual([1, 2, 3, 9])
})

test('a plain value is replaced', () => {
  expect(applied({ target: '$.paths["/a"].get', update: { operationId: 'a' } }).paths).toMatchObject({
    '/a': { get: { operationId: 'a' } },
  })
})

test('a removal deletes every selected node, including several elements of one array', () => {
  expect(applied({ target: '$.list[0, 2]', remove: true }).list).toEqual([2])
  expect(applied({ target: "$.paths.*.*.responses['2XX']", remove: true }).paths).toMatchObject({
    '/a': { get: { responses: {} } },
    '/b': { post: { responses: {} } },
  })
})

test('actions apply in order, so that a structure can be removed and written anew', () => {
  const actions = [
    { target: '$.list', remove: true },
    { target: '$', update: { list: { first: 1 } } },
  ]
  expect(applied(...actions).list).toEqual({ first: 1 })
})

test('the document and the overlay stay unchanged, and targets do not share merged objects', () => {
  const before = structuredClone(document)
  const update = { extra: { list: [1] } }
  const merged = applied(
    { target: '$.paths.*.*', update },
    { target: "$.paths['/a'].get", update: { extra: { list: [2] } } },
  )
  expect(document).toEqual(before)
  expect(update).toEqual({ extra: { list: [1] } })
  expect(merged.paths).toMatchObject({
    '/a': { get: { extra: { list: [1, 2] } } },
    '/b': { post: { extra: { list: [1] } } },
  })
})

test('a key named __proto__ becomes a field and reaches no prototype', () => {
  const merged = applied({ target: '$', update: JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject })
  expect(Object.hasOwn(merged, '__proto__')).toBe(true)
  expect((merged as { polluted?: unknown }).polluted).toBeUndefined()
})

test('a target that selects nothing is a fault', () => {
  expect(fault({ target: '$.paths', update: {} }, { target: '$.path', update: {} })).toMatchObject({
    action: 1,
    field: 'target',
    reason: 'target selects nothing: $.path',
  })
})

test('a target that is not a JSONPath is a fault', () => {
  expect(fault({ target: 'paths', remove: true })).toMatchObject({ action: 0, field: 'target' })
  expect(fault({ target: '$.paths[?', remove: true })?.reason).toMatch(/^target is not a JSONPath: /)
})

test('an action without update and remove is a fault', () => {
  expect(fault({ target: '$.list' })?.reason).toBe('the action has neither update nor remove')
})

test('the whole document cannot be removed', () => {
  expect(fault({ target: '$', remove: true })?.field).toBe('remove')
})

test('a merge of different kinds is a fault that names the field', () => {
  expect(fault({ target: "$.paths['/a']", update: { get: { tags: { x: 1 } } } })?.reason).toBe(
    '/get/tags is of kind array, not object',
  )
  expect(fault({ target: '$.paths', update: ['x'] })?.reason).toBe('an object can only be updated with an object')
  expect(fault({ target: '$.list[0]', update: 2 })?.reason).toBe('target selects a plain value')
})
