/** A wrong key ends every command that sends with one sentence, and is never a verdict about the service. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { generateSigningKeys } from '../reports/index.ts'
import { acs } from '../test/acs-in-process.ts'

const right = 'the-right-key-1'

/** A server that knows one key, and the keys that it was shown. */
const strictServer = async () => {
  const shown: string[] = []
  const server = createServer((request, response) => {
    const key = request.headers['api-key']
    if (typeof key === 'string') shown.push(key)
    response.writeHead(key === right ? 200 : 401, { 'content-type': 'application/json' })
    response.end(key === right ? '[]' : '{"error_code":"unauthorized","detail":"Missing or unknown API key"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, shown, [Symbol.asyncDispose]: async () => void server.close() }
}

const folder = mkdtempSync(join(tmpdir(), 'acs-keys-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const profileFile = (url: string, secondary = ''): string => {
  const file = join(folder, `target-${Math.abs(url.length * 7 + secondary.length)}.yaml`)
  writeFileSync(file, `baseUrl: ${url}\ntenants:\n  primary: { key: "\${ACS_API_KEY}" }\n${secondary}`)
  return file
}

const signingKeyFile = (): string => {
  const file = join(folder, 'signing.key')
  writeFileSync(file, generateSigningKeys().privateKey)
  return file
}

test.each([
  ['test', (url: string) => ['test', url]],
  ['test with a profile', (url: string) => ['test', '--target', profileFile(url)]],
  ['init', (url: string) => ['init', url, '--out', join(folder, 'new.yaml')]],
  ['watch', (url: string) => ['watch', '--upstream', url, '--target', profileFile(url)]],
  ['certify', (url: string) => ['certify', '--target', profileFile(url), '--key', signingKeyFile()]],
])('%s ends with exit code 3 for a key that is refused', async (_, argv) => {
  await using server = await strictServer()
  const files = argv(server.url)
  const before = readdirSync(folder).length
  const { code, out, err } = await acs(files, { ACS_API_KEY: 'a-mistyped-key' })
  expect({ code, out }).toEqual({ code: 3, out: '' })
  expect(err).toMatch(/rejects tenants\.primary\.key \(ACS_API_KEY\) \(401 unauthorized\), so nothing was judged/)
  expect(server.shown.length).toBeLessThanOrEqual(2)
  expect(readdirSync(folder).length).toBeLessThanOrEqual(before + 1)
})

test('a run that cannot begin leaves its reason as JUnit XML, and no empty trace', async () => {
  await using server = await strictServer()
  const out = join(folder, 'unjudged')
  const { code } = await acs(['test', server.url, '--out', out], { ACS_API_KEY: 'a-mistyped-key' })
  expect([code, readdirSync(out)]).toEqual([3, ['junit.xml']])
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(
    /<testsuites .*errors="1".*\n.*\n.*\n +<error message="[^"]*rejects/,
  )
})

test('equal keys are refused before the first request', async () => {
  await using server = await strictServer()
  const keys = { ACS_API_KEY: right, ACS_SECONDARY_API_KEY: right }
  const { code, err } = await acs(['test', server.url], keys)
  expect(code).toBe(78)
  expect(err).toContain(
    'tenants.primary.key (ACS_API_KEY) and tenants.secondary.key (ACS_SECONDARY_API_KEY) contain the same key',
  )
  expect(server.shown).toEqual([])
})

test('a URL without a key is refused, and no demo key goes to a stranger', async () => {
  await using server = await strictServer()
  const { code, err } = await acs(['test', server.url])
  expect(code).toBe(78)
  expect(err).toContain('export ACS_API_KEY')
  expect(server.shown).toEqual([])
})
