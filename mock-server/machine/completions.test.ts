/** Tests where the faults of a completion's messages are placed. */
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'

test('a fault inside a message of a completion is placed in that message', async () => {
  const mock = await createMock({ clock: { mode: 'frozen' } })
  const client = mockClient(mock.main, mock)
  const assistant_id = client.assistant('Echo')
  const placesOf = async (message: object) => {
    const messages = [{ role: 'user', content: 'x' }, message]
    const { json } = await client.post('/v1/chat/completions', { assistant_id, messages })
    return json.detail.map(({ loc }: { loc: readonly unknown[] }) => loc.join('/'))
  }
  const unknown = ['5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01', '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c02']
  expect(await placesOf({ role: 'user', content: 'y', file_ids: unknown })).toEqual([
    'body/messages/1/file_ids/0',
    'body/messages/1/file_ids/1',
  ])
  expect(await placesOf({ role: 'tool', content: 'y', tool_call_id: 'z' })).toEqual(['body/messages/1/tool_call_id'])
})
