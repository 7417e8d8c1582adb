/** Tests answers without a socket: they look like those of fetch. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { bodyLimits } from '../exchange/request.ts'
import { createMock } from '../mock.ts'

const headers = { 'api-key': 'acs-demo-primary' }

test('a request whose signal is aborted already rejects and has no effect', async () => {
  const mock = await createMock()
  const signal = AbortSignal.abort()
  for (const send of [mock.fetch, mock.main.fetch]) {
    await expect(send('/v1/threads', { method: 'POST', headers, body: '{}', signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  }
  expect(mock.journal.total()).toBe(0)
  expect(mock.main.snapshot().state.threads.size).toBe(0)
})

test('an answer has the URL and the status text that a socket would give it', async () => {
  const mock = await createMock()
  const found = await mock.fetch('https://api.example/v1/assistants?x=1#part', { headers })
  expect(found).toMatchObject({ url: 'https://api.example/v1/assistants?x=1', statusText: 'OK' })
  const unknown = await mock.fetch('/v1/assistants')
  expect(unknown).toMatchObject({ url: 'http://acs.mock/v1/assistants', statusText: 'Unauthorized' })
})

test('a connection that breaks before the headers rejects as fetch does', async () => {
  const mock = await createMock()
  const sent = mock.fetch('/v1/assistants', { headers: { ...headers, 'x-acs-fault': 'reset-before-headers' } })
  await expect(sent).rejects.toThrow(new TypeError('fetch failed'))
})

test('where a request has no stream of its body, as in Firefox, the body counts all the same', async () => {
  const mock = await createMock()
  class RequestOfFirefox extends Request {
    override readonly body = undefined as unknown as null
  }
  vi.stubGlobal('Request', RequestOfFirefox)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const reasonOf = async (body: string | null = null) =>
    (await mock.fetch('/v1/threads', { method: 'POST', headers, body })).headers.get('x-acs-reason')
  expect(await reasonOf()).toBe(null)
  expect(await reasonOf('{')).toBe('body-not-json')
  expect(await reasonOf(' '.repeat(bodyLimits.jsonBytes + 1))).toBe('body-too-large')
})
