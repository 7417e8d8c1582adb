/** Tests the limit of what clients that do not read may hold. */
import { afterEach, expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { noteResumed, noteStalled, stalledBytes, stalledLimitBytes } from './stalled-streams.ts'

const keys = [{}, {}, {}]
afterEach(() => {
  for (const key of keys) noteResumed(key)
})

test('beyond the limit the streams that wait longest are broken off, and no other', () => {
  const gone: number[] = []
  const stall = (index: number, parts: number) =>
    noteStalled(keys[index] ?? {}, { bytes: (stalledLimitBytes / 8) * parts, breakOff: () => gone.push(index) })
  stall(0, 3)
  stall(1, 3)
  // Whoever read in the meantime waits anew.
  stall(0, 3)
  stall(2, 3)
  expect(gone).toEqual([1])
  noteResumed(keys[0] ?? {})
  expect(stalledBytes()).toBe((stalledLimitBytes / 8) * 3)
  stall(1, 9)
  expect([gone, stalledBytes()]).toEqual([[1, 2, 1], 0])
})

const content = 'x'.repeat(900_000)

async function unreadStream(mock: Mock): Promise<Response> {
  const { main } = mock
  const body = JSON.stringify({
    assistant_id: mockClient(main, mock).assistant('Echo'),
    messages: [{ role: 'user', content }],
  })
  return mock.fetch('/v1/chat/completions/stream', { method: 'POST', headers: { 'api-key': 'acs-demo-primary' }, body })
}

test('a stream that nobody reads counts with its request, its answer and what was sent, and can be broken off', async () => {
  await using mock = await createMock()
  const response = await unreadStream(mock)
  expect(stalledBytes()).toBeGreaterThan(5 * content.length)
  noteStalled(keys[0] ?? {}, { bytes: stalledLimitBytes, breakOff: () => {} })
  const [entry] = mock.journal.query({ operation: 'streamChatCompletion' })
  expect(entry?.outcome).toBe('broken-off')
  await expect(response.text()).rejects.toThrow()
  noteResumed(keys[0] ?? {})
  expect(stalledBytes()).toBe(0)
})

test('a stream that is read to its end, or left, counts no more', async () => {
  await using mock = await createMock()
  expect((await (await unreadStream(mock)).text()).length).toBeGreaterThan(content.length)
  expect(stalledBytes()).toBe(0)
  await (await unreadStream(mock)).body?.cancel()
  expect(stalledBytes()).toBe(0)
})
