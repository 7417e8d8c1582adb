/** Tests the skins that need no browser: what they hand through, what they leave alone, and what they clean up. */
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type WorldHandle } from '../../mock-server/index.ts'
import { acsHandlers } from '../../mock-server/skins/msw.ts'
import { acsLoader } from '../../mock-server/skins/storybook.ts'
import { acsTest } from '../../vitest.ts'

const api = 'https://api.acs.example'
const headers = { 'api-key': 'acs-demo-primary', 'user-id': 'me' }
const mock = await createMock({ clock: { mode: 'frozen' } })
const originalFetch = globalThis.fetch

const ask = (world: WorldHandle, fault: string, signal: AbortSignal | null = null) => {
  const assistant = mock.scenario.tenants[0]?.assistants.find(({ name }) => name === 'Echo')
  const messages = [{ role: 'user', content: 'one two three four five' }]
  const body = JSON.stringify({ assistant_id: assistant?.id, messages })
  const named = { ...headers, ...world.headers, 'x-acs-fault': fault }
  return fetch(`${api}/v1/chat/completions/stream`, { method: 'POST', headers: named, body, signal })
}

test('Mock Service Worker: a reader who leaves is journaled, what breaks is a network error, uploads come back', async () => {
  const world = mock.world()
  const server = setupServer(...acsHandlers(`${api}/`, world))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    const controller = new AbortController()
    const response = await ask(world, 'stall:ms=600000,after=1', controller.signal)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    controller.abort()
    const [left] = await world.journal.wait({ operation: 'streamChatCompletion' })
    expect(left?.outcome).toBe('left')
    await expect(ask(world, 'reset-before-headers')).rejects.toThrow(TypeError)
    await expect(ask(world, 'reset-after-chunk:1').then((broken) => broken.text())).rejects.toThrow(TypeError)
    const granted = await fetch(`${api}/v1/files/signed-url?filename=a.txt`, { headers })
    const { file_url } = (await granted.json()) as { readonly file_url: string }
    expect(file_url.startsWith(api)).toBe(true)
    const upload = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'hello' }
    expect((await fetch(file_url, upload)).status).toBe(200)
  } finally {
    server.close()
  }
})

test('Storybook: the world of a story replaces that of the story before', async () => {
  const load = acsLoader(mock, api)
  const before = mock.worlds().length
  const messages = [{ role: 'user', content: 'Hello' }] as const
  const first = await load({ parameters: { acs: { threads: [{ assistant: 'Echo', messages }] } } })
  const target = `${api}/v1/threads/${first.threads[0]?.id}/messages`
  expect((await fetch(target, { headers })).status).toBe(200)
  await load({ parameters: {} })
  expect((await fetch(target, { headers })).status).toBe(404)
  expect(mock.worlds()).toHaveLength(before + 1)
  await expect(fetch('data:text/plain,hello').then((response) => response.text())).resolves.toBe('hello')
  globalThis.fetch = originalFetch
})

const names: string[] = []
const withWorld = acsTest(mock, { origin: api, world: { seed: 5 } })

beforeAll(() => {
  expect(names).toEqual([])
})

for (const turn of ['first', 'second']) {
  withWorld(`vitest: the ${turn} test has a world of its own, also behind the global fetch`, async ({ acs }) => {
    names.push(acs.name)
    expect((await fetch(`${api}/v1/threads`, { method: 'POST', headers, body: '{}' })).status).toBe(201)
    expect(acs.journal.query({ operation: 'createThread' })).toHaveLength(1)
    expect(acs.seed).toBe(5)
  })
}

afterAll(() => {
  expect(new Set(names).size).toBe(2)
  expect(names.map((name) => mock.find(name))).toEqual([undefined, undefined])
  expect(globalThis.fetch).toBe(originalFetch)
})
