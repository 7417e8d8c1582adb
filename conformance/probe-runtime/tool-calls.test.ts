/** Tool calls in the profile's own shape. */
import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { areUuids, askingMessage, callIdsIn, nearMisses, newCallIds, resultMessage } from './tool-calls.ts'

const mapping = {
  callIds: '/tool_requests/*/call_id',
  resultField: 'answers',
  assistantMessage: { tool_requests: [{ call_id: '{{tool_call_id}}', input: {} }], kind: 'ask' },
}

const source = (needsUuids: boolean) => ({ random: seededRandom(1, 'calls'), needsUuidCalls: () => needsUuids })

test('call ids are read where the profile points', () => {
  expect(callIdsIn({ tool_requests: [{ call_id: 'a' }, { call_id: 'b' }, { id: 3 }] }, mapping)).toEqual(['a', 'b'])
})

test('two calls of one message join the lists of the template', () => {
  expect(askingMessage(['a', 'b'], 'One moment.', mapping)).toEqual({
    role: 'assistant',
    content: 'One moment.',
    tool_requests: [
      { call_id: 'a', input: {} },
      { call_id: 'b', input: {} },
    ],
    kind: 'ask',
  })
})

test('a message gets one call where the pointer of the profile names no list', () => {
  const single = { callIds: '/tool_call_id', resultField: 'tool_call_id' }
  expect([mapping, single].map((one) => newCallIds(source(false), 3, one).length)).toEqual([3, 1])
})

test('a profile without a template writes no asking message', () => {
  const { callIds, resultField } = mapping
  expect(askingMessage(['a'], 'x', { callIds, resultField })).toBeNull()
})

test('a result names its call in the field of the profile, or in the one of the contract', () => {
  expect(resultMessage('a', 'done', mapping)).toEqual({ role: 'tool', content: 'done', answers: 'a' })
  expect(resultMessage('a', 'done', null)).toEqual({ role: 'tool', content: 'done', tool_call_id: 'a' })
})

test('a target that takes UUIDs alone gets them, and near misses of a UUID are UUIDs', () => {
  expect(areUuids(newCallIds(source(false), 3, mapping))).toBe(false)
  const ids = newCallIds(source(true), 3, mapping)
  expect(areUuids(ids.flatMap((id) => [id, ...nearMisses(id, source(true).random)]))).toBe(true)
})

test('ids that resemble a call are others', () => {
  for (const call of ['call_a1b2', 'call_a1bb', 'toolu_0112', '0192d3a4-5b6c-4d7e-8f90-a1b2c3d4e5f6'])
    for (const runNumber of [2, 3]) {
      const ids = nearMisses(call, { ...seededRandom(1, 'calls'), runNumber })
      expect(new Set([call, ...ids]).size).toBe(3)
    }
  const swapped = nearMisses('call_a1bb', { ...seededRandom(1, 'calls'), runNumber: 3 })[1]
  expect(swapped).toBe('call_ab1b')
})
