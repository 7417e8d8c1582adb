/** The transport of a command line reaches every command that sends. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acs } from '../test/acs-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-transport-'))
const seen: (string | undefined)[] = []
/** A service that lets nobody in, behind a gateway. */
const server = createServer((request, response) => {
  seen.push(`${request.headers['x-gateway']} ${request.headers['user-agent']}`)
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error_code":"unauthorized","detail":"no"}')
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const environment = { ACS_API_KEY: 'key-of-a-tenant', GATEWAY: 'gate-way-77' }
const transport = ['-H', 'x-gateway: ${GATEWAY}', '--user-agent', 'team/1']

test.each([
  ['test', ['--out', join(folder, 'out')]],
  ['init', ['--out', join(folder, 'profile.yaml')]],
  ['doctor', []],
])('acs %s carries the headers of the command line', async (command, options) => {
  seen.length = 0
  const { code, err } = await acs([command, url, ...options, ...transport], environment)
  expect({ code, told: err.includes('rejects') }).toEqual({ code: 3, told: true })
  expect(new Set(seen)).toEqual(new Set(['gate-way-77 team/1']))
})

test.each([
  [['-H', 'no colon'], 64, 'write it like'],
  [['-H', 'api-key: abc'], 78, 'keys belong under tenants'],
  [['-H', 'x-a: ${NOWHERE}'], 78, 'needs the environment variable NOWHERE'],
  [['--ca', join(folder, 'none.pem')], 78, 'cannot be read (ENOENT)'],
  [['--ca', join(import.meta.dirname, 'app.ts'), '--client-cert', 'a'], 78, 'belong together'],
  [['--proxy', 'ftp://p'], 78, 'is not the URL of an http or https proxy'],
])('%j ends with exit code %i before anything is sent', async (options, expected, message) => {
  seen.length = 0
  const { code, err } = await acs(['test', url, ...options], environment)
  expect({ code, err }).toEqual({ code: expected, err: expect.stringContaining(message) })
  expect(seen).toEqual([])
})

test('the help of a command names the options of the transport in a group, after its own options', async () => {
  for (const command of ['init', 'doctor', 'test', 'replay', 'certify']) {
    const { out } = await acs([command, '--help'])
    expect(out, command).toMatch(/\nOptions:[\s\S]*Transport:[\s\S]*--ca <file>[\s\S]*--no-http2/)
  }
  expect(readFileSync(new URL('../docs/profile.md', import.meta.url), 'utf8')).toContain('`--client-cert`')
})
