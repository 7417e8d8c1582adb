/** Tests the limit of what clients that do not read may hold. */
import { afterEach, expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'
import { heldBytes, stalledLimitBytes, stalledStreams } from './stalled-streams.ts'

const key = {}
afterEach(() => stalledStreams.drop(key))

test('beyond the limit those that wait longest are broken off, and no other', () => {
  const gone: number[] = []
  const held = heldBytes(8)
  const keys = [{}, {}, {}]
  const wait = (index: number, bytes: number) =>
    held.note(keys[index] ?? {}, { bytes, breakOff: () => gone.push(index) })
  wait(0, 3)
  wait(1, 3)
  // A reader that has read in the meantime starts a new wait.
  wait(0, 3)
  wait(2, 3)
  expect(gone).toEqual([1])
  held.drop(keys[0] ?? {})
  expect(held.bytes()).toBe(3)
  wait(1, 9)
  expect([gone, held.bytes()]).toEqual([[1, 2, 1], 0])
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
  expect(stalledStreams.bytes()).toBeGreaterThan(5 * content.length)
  stalledStreams.note(key, { bytes: stalledLimitBytes, breakOff: () => {} })
  const [entry] = mock.journal.query({ operation: 'streamChatCompletion' })
  expect(entry?.outcome).toBe('broken-off')
  await expect(response.text()).rejects.toThrow()
  stalledStreams.drop(key)
  expect(stalledStreams.bytes()).toBe(0)
})

test('a stream that is read to its end, or cancelled, is no longer counted', async () => {
  await using mock = await createMock()
  expect((await (await unreadStream(mock)).text()).length).toBeGreaterThan(content.length)
  expect(stalledStreams.bytes()).toBe(0)
  await (await unreadStream(mock)).body?.cancel()
  expect(stalledStreams.bytes()).toBe(0)
})
