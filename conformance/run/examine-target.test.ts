/** What a target calls its assistants does not end an examination. */
import { expect, test } from 'vitest'
import { type FetchHandler, fetchClient } from '../client/fetch-client.ts'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { examineTarget } from './examine-target.ts'

test('each assistant is asked, whatever its id says', async () => {
  const asked: string[] = []
  const ids = ['not all of us', 'the second']
  const handler: FetchHandler = async (request) => {
    if (request.method === 'GET') return Response.json(ids.map((id) => ({ id, name: id, streaming: false })))
    asked.push(String(((await request.json()) as { assistant_id?: unknown }).assistant_id))
    return Response.json({ id: 'x', role: 'assistant', content: 'Hello.' })
  }
  const profile = minimalProfile('http://acs.test', { primary: { key: 'key-of-the-tenant-1' } })
  const facts = await examineTarget(profile, { modelCalls: true, client: fetchClient(handler) })
  expect(asked).toEqual(ids)
  expect(facts.filter(({ text }) => text.endsWith('answers')).map(({ text }) => text)).toEqual(
    ids.map((id) => `${id} answers`),
  )
})
