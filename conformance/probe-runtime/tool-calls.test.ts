/** Tool calls in the profile's own shape. */
import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { askingMessage, callIdsIn, nearMisses, newCallIds, resultMessage } from './tool-calls.ts'

const mapping = {
  callIds: '/tool_requests/*/call_id',
  resultField: 'answers',
  assistantMessage: { tool_requests: [{ call_id: '{{tool_call_id}}', input: {} }], kind: 'ask' },
}

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
  expect([mapping, single].map((one) => newCallIds(seededRandom(1, 'calls'), 3, one).length)).toEqual([3, 1])
})

test('a profile without a template writes no asking message', () => {
  const { callIds, resultField } = mapping
  expect(askingMessage(['a'], 'x', { callIds, resultField })).toBeNull()
})

test('a result names its call in the field of the profile, or in the one of the contract', () => {
  expect(resultMessage('a', 'done', mapping)).toEqual({ role: 'tool', content: 'done', answers: 'a' })
  expect(resultMessage('a', 'done', null)).toEqual({ role: 'tool', content: 'done', tool_call_id: 'a' })
})

test('ids that resemble a call are others', () => {
  for (const call of ['call_a1b2', 'call_a1bb', 'toolu_0112'])
    for (const runNumber of [2, 3]) {
      const ids = nearMisses(call, { ...seededRandom(1, 'calls'), runNumber })
      expect(new Set([call, ...ids]).size).toBe(3)
    }
  const swapped = nearMisses('call_a1bb', { ...seededRandom(1, 'calls'), runNumber: 3 })[1]
  expect(swapped).toBe('call_ab1b')
})
