/** Tests that clients generated from our documents compile strictly and hold a conversation with the mock. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Listener, type Mock } from '../../mock-server/index.ts'
import { sampleOf } from '../support/samples.ts'
import { type ClientFolder, clientFolder } from './client-folder.ts'

const clientsPage = join(import.meta.dirname, '..', '..', 'docs', 'clients.md')

let folder: ClientFolder
let mock: Mock
let listener: Listener

beforeAll(async () => {
  mock = await createMock()
  listener = await mock.listen()
  folder = await clientFolder(import.meta.dirname)
}, 240_000)

afterAll(async () => {
  await mock.close()
  folder[Symbol.dispose]()
})

const talked = {
  answer: 'You said: Hello',
  mood: expect.any(String),
  roles: ['assistant 1', 'user'],
  thought: true,
  unknown: 'assistant not available to the tenant',
}

/** The contract's own document: open where the contract is, and no error is `never`. */
const heyContract = `import { listAssistants, type RunRequest } from './hey-contract'
export const run: RunRequest = { tools: [], more: { yes: true } }
export const told = listAssistants().then(({ error }) => error)
type Told = Awaited<typeof told>
export const isTold: [Told] extends [never] ? false : true = true
`

const generators = {
  'openapi-typescript and openapi-fetch': async () => {
    await folder.run('openapi-typescript', ['reference.yaml', '-o', 'schema.d.ts'])
    await folder.run('openapi-typescript', ['contract.yaml', '-o', 'contract.d.ts'])
    const [, documented = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(clientsPage, 'utf8')) ?? []
    expect(documented).toContain("from 'openapi-fetch'")
    await folder.compiles('documented', documented)
    expect(await folder.conversation('openapi-fetch', listener.url)).toEqual({
      ...talked,
      streamed: 'You said: Hello',
      invalid: expect.stringContaining('messages'),
      refused: expect.stringContaining('unauthorized'),
      open: ['tools', 'more'],
      message: true,
    })
  },
  '@hey-api/openapi-ts': async () => {
    const args = ['-i', 'reference.yaml', '-o', 'hey', '-c', '@hey-api/client-fetch', '--silent']
    await folder.run('openapi-ts', args)
    expect(await folder.conversation('hey-api', listener.url)).toEqual(talked)
    await folder.run('openapi-ts', ['-i', 'contract.yaml', '-o', 'hey-contract', ...args.slice(4)])
    await folder.compiles('hey-contract-use', heyContract)
  },
} as const satisfies Readonly<Record<string, () => Promise<void>>>

const names = Object.keys(generators) as (keyof typeof generators)[]

const sampled = process.env.ACS_CLIENTS === '1' ? names : sampleOf('generators of clients', names)

test.for(sampled)('a client of %s compiles and talks to the mock', (name) => generators[name]())
