/** Tests the listener with a certificate, and the admin API for pages of a named origin. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMock } from '../mock.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A certificate of its own for this machine. */
function certificate(): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1'
  const alternative = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]
  const made = spawnSync('openssl', [...words.split(' '), ...alternative], { encoding: 'utf8' })
  expect(made.status, made.stderr).toBe(0)
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

const headers = { 'api-key': 'acs-demo-primary', 'user-id': 'u' }

function asked(url: string, ca: string, body?: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers, ca }, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('with a certificate the mock speaks HTTPS, streams and signed URLs included', async () => {
  const tls = certificate()
  await using mock = await createMock()
  await using listener = await mock.listen({ tls })
  expect(listener.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const grant = await asked(`${listener.url}/v1/files/signed-url?filename=a.txt`, tls.cert)
  expect(JSON.parse(grant.text).file_url.startsWith(`${listener.url}/v1/uploads/`)).toBe(true)
  const assistant = mock.scenario.tenants[0]?.assistants[0]?.id
  const body = JSON.stringify({ assistant_id: assistant, messages: [{ role: 'user', content: 'Hello' }] })
  const stream = await asked(`${listener.url}/v1/chat/completions/stream`, tls.cert, body)
  const fragments = stream.text.trimEnd().split('\n')
  expect(fragments.map((line) => JSON.parse(line).delta.content).join('')).toBe('You said: Hello')
  await expect(mock.listen({ tls: { cert: 'x', key: tls.key } })).rejects.toThrow(/PEM|no start line/)
})

/** Asks over HTTP/2; the text, and the code of the stream's end (0 for a whole one). */
function askedAtOnce(origin: string, ca: string, asks: readonly { path: string; body?: string; fault?: string }[]) {
  const session = connect(origin, { ca })
  const answers = asks.map(
    ({ path, body, fault }) =>
      new Promise<{ readonly status: number; readonly text: string; readonly code: number }>((resolve) => {
        const method = body === undefined ? 'GET' : 'POST'
        const stream = session.request({
          ...headers,
          ':path': path,
          ':method': method,
          ...(fault === undefined ? null : { 'x-acs-fault': fault }),
        })
        let [status, text] = [0, '']
        stream.on('response', (head) => {
          status = head[':status'] ?? 0
        })
        stream.on('data', (piece) => {
          text += piece
        })
        stream.on('error', () => {})
        stream.on('close', () => resolve({ status, text, code: stream.rstCode }))
        stream.end(body)
      }),
  )
  return Promise.all(answers).finally(() => session.close())
}

test('clients that offer HTTP/2 get it, with many streams on one connection', async () => {
  const tls = certificate()
  await using mock = await createMock()
  const listener = await mock.listen({ tls })
  const assistant_id = mock.scenario.tenants[0]?.assistants[0]?.id
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content: 'Hello' }] })
  const stream = { path: '/v1/chat/completions/stream', body }
  const [grant, page, broken, ...whole] = await askedAtOnce(listener.url, tls.cert, [
    { path: '/v1/files/signed-url?filename=a.txt' },
    { path: '/openapi.json' },
    { ...stream, fault: 'reset-after-chunk:1' },
    ...Array.from({ length: 20 }, () => stream),
  ])
  expect(JSON.parse(grant?.text ?? '').file_url.startsWith(`${listener.url}/v1/uploads/`)).toBe(true)
  expect(JSON.parse(page?.text ?? '').servers).toMatchObject([{ url: listener.url }])
  expect(broken?.code).not.toBe(0)
  for (const fault of ['cut-after-chunk:1', 'cut-in-line', 'reset-before-headers']) {
    const [ended] = await askedAtOnce(listener.url, tls.cert, [{ ...stream, fault }])
    expect([fault, ended?.code]).not.toEqual([fault, 0])
  }
  for (const { status, text, code } of whole) {
    const fragments = text.trimEnd().split('\n')
    expect(fragments.map((line) => JSON.parse(line).delta.content).join('')).toBe('You said: Hello')
    expect([status, code]).toEqual([200, 0])
  }
  const [entry] = mock.main.journal.query({ operation: 'streamChatCompletion' })
  const names = Object.keys(entry?.headers ?? {})
  expect(names).toContain('host')
  expect(names.filter((name) => name.startsWith(':'))).toEqual([])
  await listener.close()
})

test('pages of a named origin may call the admin API when the user says so, and no others', async () => {
  await using mock = await createMock()
  const ask = async (url: string, origin: string, method = 'GET') => {
    const asking = { origin, 'sec-fetch-site': 'cross-site', 'access-control-request-method': 'DELETE' }
    const answer = await fetch(`${url}/_acs/worlds`, { method, headers: asking })
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }
  const app = 'http://app.example'
  await using open = await mock.listen({ corsOrigin: app, adminCors: true })
  expect(await ask(open.url, app)).toEqual([200, app])
  expect(await ask(open.url, app, 'OPTIONS')).toEqual([204, app])
  expect((await ask(open.url, 'http://other.example'))[0]).toBe(401)
  const story = 'http://story.example'
  await using both = await mock.listen({ corsOrigin: [app, story], adminCors: true })
  expect([await ask(both.url, app), await ask(both.url, story, 'OPTIONS')]).toEqual([
    [200, app],
    [204, story],
  ])
  expect((await ask(both.url, 'http://other.example'))[0]).toBe(401)
  await using shut = await mock.listen({ corsOrigin: app })
  expect(await ask(shut.url, app)).toEqual([401, null])
  await using guarded = await mock.listen({ corsOrigin: app, adminCors: true, adminToken: 'secret' })
  expect((await ask(guarded.url, app))[0]).toBe(401)
})
