/** Tests that a narrowed deviation acts on one operation, or one field of it, and that its rows are sound. */
import { expect, test } from 'vitest'
import { requirementOf } from '../../../spec/index.ts'
import type { Deviation, Hooks } from '../../exchange/hooks.ts'
import { deviationOf } from '../deviations.ts'
import { narrow } from './narrow.ts'
import { narrowedDeviations } from './narrowed-deviations.ts'
import { takeField } from './take-field.ts'

const spoiled: Deviation = {
  id: 'http.spoiled',
  requirement: 'http.json-response',
  description: 'Spoils both fields.',
  hook: 'body',
  wrap: () => () => ({ id: 'other', role: 'other' }),
}

const exchangeOf = (operation: string) => ({ request: {}, operation }) as unknown as Parameters<Hooks['body']>[1]

const bodyOf = (deviation: Deviation, operation: string): unknown => {
  if (deviation.hook !== 'body') throw new Error('another hook')
  return deviation.wrap((json) => json, { seed: 1 })({ id: 'a', role: 'b' }, exchangeOf(operation))
}

test('a narrowed deviation changes its operation and leaves every other one faithful', () => {
  const narrowed = narrow(spoiled, { operation: 'createMessage' })
  expect(narrowed.id).toBe('http.spoiled@createMessage')
  expect(bodyOf(narrowed, 'createMessage')).toEqual({ id: 'other', role: 'other' })
  expect(bodyOf(narrowed, 'listMessages')).toEqual({ id: 'a', role: 'b' })
})

test('a deviation narrowed to a field changes no other field', () => {
  const narrowed = narrow(spoiled, { operation: 'createMessage', field: 'role' })
  expect(narrowed.id).toBe('http.spoiled@createMessage.role')
  expect(bodyOf(narrowed, 'createMessage')).toEqual({ id: 'a', role: 'other' })
})

test('the end of a run belongs to the operation that began it', () => {
  const stored: Deviation = { ...spoiled, hook: 'message', wrap: () => () => ({ id: 'other' }) }
  const narrowed = narrow(stored, { operation: 'runThread' })
  const messageOf = (operation: string): unknown => {
    if (narrowed.hook !== 'message') throw new Error('another hook')
    const context = { command: { operation: 'finishRun', run: { operation } } }
    return narrowed.wrap((json) => json, { seed: 1 })({ id: 'a' }, context as Parameters<Hooks['message']>[1])
  }
  expect(messageOf('runThread')).toEqual({ id: 'other' })
  expect(messageOf('streamThreadRun')).toEqual({ id: 'a' })
})

test('a field is taken by its name, below the containers of records', () => {
  const page = { items: [{ id: 'a', sources: [{ content: 'b' }] }], cursor: null }
  const altered = { items: [{ id: 'c', sources: [{}] }], cursor: 'd' }
  expect(takeField(page, altered, 'id')).toEqual({ ...page, items: [{ id: 'c', sources: [{ content: 'b' }] }] })
  expect(takeField(page, altered, 'cursor')).toEqual({ ...page, cursor: 'd' })
  expect(takeField({ sources: [{ content: 'b' }] }, { sources: [{}] }, 'content')).toEqual({ sources: [{}] })
})

test('a hook without JSON has no field to take', () => {
  const refused: Deviation = { ...spoiled, hook: 'authorize', wrap: (next) => next }
  expect(() => narrow(refused, { operation: 'createMessage', field: 'id' })).toThrow('returns no JSON')
})

test('narrowed deviations have ids of their own and operations that owe their requirement', () => {
  const ids = narrowedDeviations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { id, requirement } of narrowedDeviations) {
    const [operation = ''] = id.slice(id.indexOf('@') + 1).split('.')
    expect([id, Object.keys(requirementOf(requirement)?.owedBy ?? {})]).toEqual([
      id,
      expect.arrayContaining([operation]),
    ])
    expect(deviationOf(id)).toBeUndefined()
  }
})
