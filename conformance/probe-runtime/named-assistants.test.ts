/** Tests when a target counts as one that does not read which assistant a run names. */
import { expect, test } from 'vitest'
import { createNamedAssistants, notStreaming } from './named-assistants.ts'
import type { Answer } from './probe-response.ts'

const answer = (outcome: Answer['outcome']): Answer => ({ outcome }) as Answer

test('a stream of an assistant that does not stream shows it, and no other request does', () => {
  const named = createNamedAssistants()
  named.learn(answer('rejected'), 'streamThreadRun', { purpose: notStreaming })
  named.learn(answer('accepted'), 'streamThreadRun', {})
  named.learn(answer('accepted'), 'streamChatCompletion', { purpose: notStreaming })
  expect(named.areIgnored()).toBe(false)
  named.learn(answer('accepted'), 'streamThreadRun', { purpose: notStreaming })
  expect(named.areIgnored()).toBe(true)
})
