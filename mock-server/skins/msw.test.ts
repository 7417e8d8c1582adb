/** Laws of the handlers for Mock Service Worker: which origins they answer, and what they refuse. */
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { createMock } from '../mock.ts'
import { acsHandlers } from './msw.ts'

const key = { 'api-key': 'acs-demo-primary' }

test.each([
  ['https://acs.example', 'https://acs.example'],
  ['https://acs.example/', 'https://acs.example'],
  ['https://acs.example:443', 'https://acs.example'],
  ['http://localhost:80', 'http://localhost'],
  ['https://acs.example/acs/api', 'https://acs.example/acs/api'],
  ['https://acs.example/a(c)s.:v1/', 'https://acs.example/a(c)s.:v1'],
])('an application that calls below %s is answered, uploads too', async (origin, base) => {
  const server = setupServer(...acsHandlers(origin, createMock()))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    expect((await fetch(`${base}/v1/assistants`, { headers: key })).status).toBe(200)
    const made = await fetch(`${base}/v1/threads`, { method: 'POST', headers: key, body: '{}' })
    const { id } = (await made.json()) as { readonly id: string }
    const body = JSON.stringify({ role: 'user', content: 'Hi' })
    const said = await fetch(`${base}/v1/threads/${id}/messages`, { method: 'POST', headers: key, body })
    expect(await said.json()).toMatchObject({ content: 'Hi' })
    const grant = await fetch(`${base}/v1/files/signed-url?filename=a.txt`, { headers: { ...key, 'user-id': 'u' } })
    const { file_url } = (await grant.json()) as { readonly file_url: string }
    const put = await fetch(file_url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' })
    expect(put.status).toBe(200)
    if (base.endsWith('/api')) await expect(fetch('https://acs.example/other/v1/assistants')).rejects.toThrow()
  } finally {
    server.close()
  }
})

test('what is no base URL, mock or world is refused with what to write', async () => {
  const mock = await createMock()
  const refused = (origin: unknown, to: unknown = mock) =>
    expect(() => acsHandlers(origin as string, to as typeof mock))
  for (const [given, told] of [
    ['x.example', 'got "x.example"; write https://x.example'],
    ['x.example/acs', 'write https://x.example/acs'],
    ['localhost:4010', 'got "localhost:4010"; write http://localhost:4010'],
    ['https://x.example/acs?key=1', 'write https://x.example/acs'],
    ['ftp://x.example', 'write one such as https://api.acs.example'],
    ['', 'got ""; write one such as https://api.acs.example'],
    [undefined, 'got undefined; write one such as https://api.acs.example'],
  ] as const)
    refused(given).toThrow(
      new RegExp(`^acsHandlers: origin must be an origin or a base URL, .*${told.replace(/[?.]/g, '\\$&')}$`),
    )
  refused('x.example').toThrow(TypeError)
  refused('https://x.example', null).toThrow('acsHandlers: to must be a mock, a world or a promise of one, got null')
})
