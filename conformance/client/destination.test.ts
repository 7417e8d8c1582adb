/** A key goes to the profile's origin and nowhere else, in whatever form another address is given. */
import { expect, test } from 'vitest'
import { rawServer, respond } from '../../test/hostile-target/raw-server.ts'
import { recordingClient } from '../../test/hostile-target/recording-client.ts'
import { UnsendableRequest } from './unsendable.ts'

const key = 'key-of-primary-1'
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const get = { method: 'GET', credential: 'primary', operation: null, intent: null } as const

test.each([
  ['an absolute URL', (host: string) => `http://${host}/steal`],
  ['an absolute URL with a user name', (host: string) => `http://user:word@${host}/steal`],
  ['an absolute URL with a backslash', (host: string) => `http://${host}\\@target.test/steal`],
  ['a path that looks like an authority', (host: string) => `@${host}/steal`],
  ['a path that looks like a port', (host: string) => `:${host.split(':')[1]}/steal`],
])('no key reaches another host by %s', async (_, pathOf) => {
  await using target = await rawServer(respond(answer))
  await using thief = await rawServer(respond(answer))
  const { client, seen } = recordingClient(target.url)
  await using __ = client
  const path = pathOf(new URL(thief.url).host)
  const headers = [
    ['API-KEY', key],
    ['authorization', `Bearer ${key}`],
  ] as const
  await client.send({ ...get, path, headers })
  await client.sendRaw({ ...get, path, headers }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(UnsendableRequest)
  })
  expect(thief.received()).not.toContain(key)
  const [first] = seen
  const isForeign = !first?.request.url.startsWith(target.url)
  expect(first?.credential).toBe(isForeign ? null : 'primary')
  expect(target.received().includes(key)).toBe(!isForeign)
})

test('a path never changes the authority of the base URL', async () => {
  await using target = await rawServer(respond(answer))
  const { client } = recordingClient(target.url)
  await using _ = client
  for (const path of ['@evil.test/', ':1/', '.evil.test/', '\\@evil.test', 'evil', '?x=1', '']) {
    const { request } = await client.send({ ...get, path })
    expect(new URL(request.url).origin).toBe(target.url)
  }
})

test('the key goes to the own origin by an absolute URL too', async () => {
  await using target = await rawServer(respond(answer))
  const { client } = recordingClient(target.url)
  await using _ = client
  await client.send({ ...get, path: `${target.url}/v1/assistants` })
  expect(target.received()).toContain(key)
})

test.each([
  'ftp://store.test/file',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://a b/',
  'http://[::1/x',
  'http://127.0.0.1:99999/x',
  'http://127.0.0.1/a b.txt',
  'http://127.0.0.1/a\r\nx: y',
  'http://127.0.0.1/\ud800',
  'http://',
])('the URL %j is refused before anything is sent', async (path) => {
  await using target = await rawServer(respond(answer))
  const { client, seen } = recordingClient(target.url)
  await using _ = client
  await expect(client.send({ ...get, path })).rejects.toBeInstanceOf(UnsendableRequest)
  expect(seen).toEqual([])
})
