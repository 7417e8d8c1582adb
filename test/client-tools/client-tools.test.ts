/** Tests that large tools of clients work with the mock: `npm run clients`, since their packages take 300 MB. */
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBrowserMock, buildCommonJsMock } from '../../scripts/bundle-mock.ts'
import { type ClientFolder, clientFolder } from '../clients/client-folder.ts'
import { type MockProcess, startMock } from '../mock/mock-process.ts'
import { chromiumFlags, chromiumPath } from '../support/chromium.ts'

const root = join(import.meta.dirname, '..', '..')
const wanted = process.env.ACS_CLIENTS === '1'
let folder: ClientFolder
let mock: MockProcess

beforeAll(async () => {
  if (!wanted) return
  mock = await startMock()
  folder = await clientFolder(import.meta.dirname)
}, 600_000)

afterAll(async () => {
  if (!wanted) return
  await mock.end('SIGTERM')
  folder[Symbol.dispose]()
})

const configuration = `const input = 'reference.yaml'
const baseUrl = { getBaseUrlFromSpecification: true }
export default {
  client: { input, output: { mode: 'split', client: 'fetch', target: 'orval/client.ts', baseUrl } },
  zod: { input, output: { client: 'zod', target: 'orval/zod.ts' } },
  contract: { input: 'contract.yaml', output: { mode: 'split', client: 'fetch', target: 'contract/client.ts', baseUrl } },
  contractZod: { input: 'contract.yaml', output: { client: 'zod', target: 'contract/zod.ts' } },
}`

/** The contract's own document: open where the contract is. */
const contractUse = `import type { RunRequest } from './contract/client.schemas'
import { runThread } from './contract/client'
import { RunThreadBody } from './contract/zod'
export const run: RunRequest = RunThreadBody.parse({ tools: [], more: { yes: true } })
export const answer = runThread('', { ...run, yet: 'more' })
`

test.skipIf(!wanted)(
  'a client of orval compiles and talks to the mock, and zod drops nothing of an answer',
  async () => {
    writeFileSync(join(folder.path, 'orval.config.mjs'), configuration)
    await folder.run('orval', ['--config', 'orval.config.mjs'])
    expect(await folder.conversation('orval', mock.url)).toEqual({
      answer: 'You said: Hello',
      mood: expect.any(String),
      same: true,
      roles: ['assistant 1', 'user'],
      streamed: 'You said: Hello',
      unknown: 'assistant not available to the tenant',
    })
    await folder.compiles('contract-use', contractUse)
  },
)

const hasJava = spawnSync('java', ['-version']).status === 0

test.skipIf(!wanted || !hasJava)(
  'a client of openapi-generator, from the document in OpenAPI 3.0, compiles and talks to the mock',
  async () => {
    await folder.run('openapi-generator', [
      'generate',
      '-i',
      'reference-3.0.yaml',
      '-g',
      'typescript-axios',
      '-o',
      'generated',
    ])
    expect(await folder.conversation('openapi-generator', mock.url)).toEqual({
      answer: 'You said: Hello',
      mood: expect.any(String),
      roles: ['assistant 1', 'user'],
      streamed: 'You said: Hello',
      unknown: 'assistant not available to the tenant',
    })
  },
)

test.skipIf(!wanted)(
  'newman sends all requests of a collection that is made of the document, and each succeeds',
  async () => {
    const document = await (await fetch(`${mock.url}/openapi.json`)).text()
    writeFileSync(join(folder.path, 'openapi.json'), document)
    // Without the option the converter makes up a cursor, and a cursor can only come from a page.
    const examples = 'parametersResolution=Example,enableOptionalParameters=false'
    await folder.run('openapi2postmanv2', ['-s', 'openapi.json', '-o', 'collection.json', '-O', examples])
    const key = ['--env-var', 'apiKey=acs-demo-primary']
    await folder.run('newman', ['run', 'collection.json', ...key, '-r', 'json', '--reporter-json-export', 'run.json'])
    const { run } = JSON.parse(readFileSync(join(folder.path, 'run.json'), 'utf8'))
    const answers = run.executions.map(
      ({ item, response }: { item: { name: string }; response?: { code: number } }) => [
        item.name,
        Math.floor((response?.code ?? 0) / 100),
      ],
    )
    expect(answers).toEqual(answers.map(([name]: [string]) => [name, 2]))
    expect(answers).toHaveLength(13)
  },
)

const jestTest = `const { createMock } = require('acs-kit/mock')
test('Jest requires the mock', async () => {
  const mock = await createMock({ seed: 7 })
  const response = await mock.fetch('/v1/assistants', { headers: { 'api-key': 'acs-demo-primary' } })
  expect(response.status).toBe(200)
  expect((await response.json()).map(({ name }) => name)).toContain('Echo')
  const { url } = await mock.listen()
  expect((await fetch(url + '/healthz')).status).toBe(200)
  await mock.close()
})`

test.skipIf(!wanted)('Jest takes the mock as CommonJS, without a flag', async () => {
  const installed = join(folder.path, 'modules', 'acs-kit')
  mkdirSync(installed, { recursive: true })
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  await buildCommonJsMock(join(installed, 'dist', 'commonjs'))
  writeFileSync(join(folder.path, 'mock.test.cjs'), jestTest)
  const modulePaths = [join(folder.path, 'modules'), join(root, 'node_modules')]
  const config = { rootDir: folder.path, testMatch: ['**/mock.test.cjs'], modulePaths, transform: {} }
  await folder.run('jest', ['--config', JSON.stringify(config), '--json', '--outputFile', 'jest.json'])
  const { numPassedTests } = JSON.parse(readFileSync(join(folder.path, 'jest.json'), 'utf8'))
  expect(numPassedTests).toBe(1)
})

test.skipIf(!wanted)('Storybook runs the loader: each story has its world, with its threads and faults', async () => {
  const fixture = join(import.meta.dirname, 'fixtures', 'storybook.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [fixture])
  expect(JSON.parse(stdout)).toEqual({ worlds: 2, answered: 200, inTrouble: 504 })
})

/** The packages of the repository stand for those that an application has. */
const browserConfiguration = `import { playwright } from '@vitest/browser-playwright'
const executablePath = process.env.CHROMIUM
const provider = playwright({ launchOptions: { executablePath, args: ${JSON.stringify(chromiumFlags)} } })
const browser = { enabled: true, headless: true, screenshotFailures: false, provider, instances: [{ browser: 'chromium' }] }
export default {
  resolve: {
    alias: ${JSON.stringify({
      'acs-kit/mock': './kit/mock.js',
      'acs-kit/vitest': join(root, 'mock-server/skins/vitest.ts'),
      'acs-kit/client': join(root, 'spec/client/index.ts'),
      'react-chat': join(root, 'examples/react-chat/chat.tsx'),
      'react-dom/client': join(root, 'node_modules/react-dom/client.js'),
      'react/jsx-runtime': join(root, 'node_modules/react/jsx-runtime.js'),
      'react/jsx-dev-runtime': join(root, 'node_modules/react/jsx-dev-runtime.js'),
      react: join(root, 'node_modules/react/index.js'),
    })},
  },
  server: { fs: { strict: false } },
  test: { include: ['chat.test.tsx'], testTimeout: 120_000, browser },
}`

test.skipIf(!wanted)(
  'vitest in a browser: the chat works in the world of each test',
  async () => {
    using own = await clientFolder(join(import.meta.dirname, 'vitest-browser'))
    const kit = join(own.path, 'kit')
    await buildBrowserMock(kit)
    writeFileSync(join(own.path, 'vitest.config.mjs'), browserConfiguration.replace('./kit', kit))
    cpSync(join(import.meta.dirname, 'fixtures', 'vitest-browser.test.tsx'), join(own.path, 'chat.test.tsx'))
    const reported = ['--reporter=json', '--outputFile=vitest.json']
    await own.run('vitest', ['run', ...reported], { CHROMIUM: await chromiumPath() })
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(join(own.path, 'vitest.json'), 'utf8'))
    expect([numPassedTests, numFailedTests]).toEqual([3, 0])
  },
  600_000,
)
