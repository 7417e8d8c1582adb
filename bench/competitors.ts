/**
 * Starts each competitor of a benchmark: our mock, the bare servers, and the peers as their authors ship them.
 * Their logs are off, because ours writes none.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type ChildServer, freePort, scriptPath, startServer } from './child-server.ts'
import type { WireRequest } from './load/request-bytes.ts'
import type { AcsMockFacts, AcsMockOptions } from './servers/acs-mock.ts'
import type { BareJsonOptions } from './servers/bare-json.ts'
import type { BareStreamOptions } from './servers/bare-stream.ts'

export interface AcsMock extends AsyncDisposable {
  readonly server: ChildServer
  readonly facts: AcsMockFacts
  readonly headers: Readonly<Record<string, string>>
}

/** Our mock in a process of its own. */
export const startAcsMock = async (options: AcsMockOptions = {}): Promise<AcsMock> => {
  const args = ['--max-old-space-size=6000', scriptPath('servers/acs-mock.ts'), JSON.stringify(options)]
  const server = await startServer({ args })
  const facts = JSON.parse(server.output) as AcsMockFacts
  return {
    server,
    facts,
    headers: { 'api-key': facts.key },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** node:http that answers a JSON body of a size. */
export const startBareJson = (options: BareJsonOptions): Promise<ChildServer> =>
  startServer({ args: [scriptPath('servers/bare-json.ts'), JSON.stringify(options)] })

/** node:http that writes ready-made lines. */
export const startBareStream = (options: BareStreamOptions): Promise<ChildServer> =>
  startServer({ args: [scriptPath('servers/bare-stream.ts'), JSON.stringify(options)] })

/** Bare Node with a server of one line, the least that can start and answer. */
export const startBareNode = (): Promise<ChildServer> => startServer({ args: ['-e', oneLineServer] })

const oneLineServer = `const s = require('node:http').createServer((q, r) => r.end('ok')).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + s.address().port))`

/** A mock server of somebody else, which answers a posted message. */
interface Peer {
  readonly name: string
  readonly start: () => Promise<ChildServer>
  /** A message posted to it, in the shape that it serves. */
  readonly request: WireRequest
}

const content = 'May I record a phone call without telling the other side about that?'

/** The request that ours, the bare server and the peers of our shape get. */
export const postMessage = (threadId: string, headers: Readonly<Record<string, string>>): WireRequest => ({
  method: 'POST',
  path: `/v1/threads/${threadId}/messages`,
  headers,
  body: { role: 'user', content },
})

const root = join(import.meta.dirname, '..')
const peersFolder = scriptPath('peers')
const anyThread = postMessage('5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01', { 'api-key': 'any' })

/** Stoplight Prism on our own document, static examples. */
const prism: Peer = {
  name: 'prism',
  async start() {
    const port = await freePort()
    const bin = binOf(root, '@stoplight/prism-cli', 'prism')
    const args = [bin, 'mock', '-h', '127.0.0.1', '-p', String(port), '-v', 'silent', join(root, 'spec/openapi.yaml')]
    return startServer({ args, port, probe: { path: '/v1/assistants', headers: { 'api-key': 'any' } } })
  },
  request: anyThread,
}

/** CopilotKit aimock: a fixture hit in the shape of chat completions, which is the shape that it knows. */
const aimock: Peer = {
  name: 'aimock',
  async start() {
    const port = await freePort()
    const bin = binOf(peersFolder, '@copilotkit/aimock', 'llmock')
    const args = [bin, '-p', String(port), '-f', join(peersFolder, 'aimock.json'), '--log-level', 'silent']
    return startServer({ args, port })
  },
  request: {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer any' },
    body: { model: 'gpt-4o', messages: [{ role: 'user', content }] },
  },
}

/** Mockoon with one route and a fixed body. */
const mockoon: Peer = {
  name: 'mockoon',
  async start() {
    const port = await freePort()
    const bin = binOf(peersFolder, '@mockoon/cli', 'mockoon-cli')
    const data = join(peersFolder, 'mockoon.json')
    const where = ['-d', data, '-p', String(port), '-l', '127.0.0.1']
    return startServer({ args: [bin, 'start', ...where, '-X', '--disable-admin-api'], port })
  },
  request: anyThread,
}

/** All peers that can be had here, and why the others cannot. */
export const availablePeers = (
  say: (text: string) => void,
): { readonly peers: readonly Peer[]; readonly missing: ReadonlyMap<string, string> } => {
  const reason = installPeers(say)
  return reason === null
    ? { peers: [prism, aimock, mockoon], missing: new Map() }
    : { peers: [prism], missing: new Map([aimock, mockoon].map(({ name }) => [name, reason])) }
}

/** Installs the heavy peers on first use, apart from the repository's own dependencies. */
const installPeers = (say: (text: string) => void): string | null => {
  if (existsSync(join(peersFolder, 'node_modules', '@mockoon', 'cli'))) return null
  say('installing the peers (once)')
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: peersFolder, stdio: 'pipe', timeout: 300_000 })
    return null
  } catch (error) {
    const reason = `npm ci in bench/peers failed: ${String(error).split('\n')[0]}`
    say(reason)
    return reason
  }
}

/** The script behind a package's command. */
const binOf = (folder: string, packageName: string, command: string): string => {
  const manifestPath = join(folder, 'node_modules', packageName, 'package.json')
  const manifest = createRequire(manifestPath)(manifestPath) as { readonly bin: Readonly<Record<string, string>> }
  return join(dirname(manifestPath), manifest.bin[command] ?? '')
}
