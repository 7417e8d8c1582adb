/** Tests that overridden and faithful mocks send the same bytes. */
import { expect, test } from 'vitest'
import { createMock, type Mock } from '../mock.ts'
import type { HookName, HookOverride } from './hooks.ts'

const hookNames = ['timestamp', 'select', 'body', 'payload', 'chunks', 'chunk', 'line'] as const
/** Overrides that change nothing, and lead every answer over the paths of overridden mocks. */
const passing = hookNames.map((hook: HookName) => ({ hook, wrap: (next: unknown) => next }) as unknown as HookOverride)
const keys = { 'api-key': 'acs-demo-primary' }
type Send = (path: string, init: RequestInit) => Promise<Response>

async function answersOf(mock: Mock, send: Send): Promise<readonly string[]> {
  const contents = Array.from({ length: 150 }, (_, index) => `"${index}" \\ \u{1f600} é\n${'x'.repeat(index * 20)}`)
  const thread = mock.main.seedThread({ messages: contents.map((content) => ({ role: 'user', content })) })
  const get = async (path: string) => (await send(path, { headers: keys })).text()
  const post = async (path: string, body: unknown) =>
    (await send(path, { method: 'POST', headers: keys, body: JSON.stringify(body) })).text()
  const messages = `/v1/threads/${thread.id}/messages`
  const answers = [await get(`${messages}?limit=100`)]
  answers.push(await get(`${messages}?limit=7&cursor=${encodeURIComponent(JSON.parse(answers[0] ?? '').cursor)}`))
  answers.push(await post(`/v1/threads/${thread.id}/run/stream`, {}))
  for (const assistant of mock.scenario.tenants[0]?.assistants ?? []) {
    const asked = { assistant_id: assistant.id, messages: [{ role: 'user', content: 'é \u{1f600} "quoted"' }] }
    for (const path of ['', '/stream', '/events/stream']) answers.push(await post(`/v1/chat/completions${path}`, asked))
  }
  answers.push(await get(messages))
  const sent = mock.journal.query().map((entry) => Buffer.concat(entry.responsePieces).toString())
  expect(sent).toEqual(answers)
  return answers
}

test('pages, documents and stream lines have the same bytes on every path', async () => {
  const clock = { mode: 'frozen' } as const
  await using overridden = await createMock({ clock, deviations: passing })
  await using plain = await createMock({ clock })
  await using served = await createMock({ clock })
  await using listener = await served.listen()
  const proven = await answersOf(overridden, overridden.fetch)
  expect(proven.length).toBeGreaterThan(10)
  expect(await answersOf(plain, plain.fetch)).toEqual(proven)
  expect(await answersOf(served, (path, init) => fetch(listener.url + path, init))).toEqual(proven)
})
