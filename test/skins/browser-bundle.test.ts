/** Tests the build of the mock for browsers: what it imports, what it weighs, and that it answers in Chromium. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as MockDoor from '../../mock-server/index.ts'
import { buildBrowserMock } from '../../scripts/bundle-mock.ts'
import { launchChromium } from '../support/chromium.ts'
import { type StaticSite, serveFolder } from '../support/static-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-browser-mock-'))
const gzipLimit = 150_000
let page: Page
let browser: Browser
let site: StaticSite

beforeAll(async () => {
  await buildBrowserMock(folder)
  site = await serveFolder(folder)
  browser = await launchChromium()
  page = await browser.newPage()
  await page.goto(site.url)
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Output → outputs that are loaded with it, at once. */
const loadedWith = ({ outputs }: Metafile, output: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(output)) return known
  known.add(output)
  for (const { path, kind } of outputs[output]?.imports ?? []) {
    if (kind === 'import-statement') loadedWith({ outputs, inputs: {} }, path, known)
  }
  return known
}

test('a bundler for browsers takes it without any plugin, finds nothing of Node, and a page loads at most 150 kB', async () => {
  writeFileSync(join(folder, 'page.js'), `export { createMock } from './mock.js'`)
  const options = { bundle: true, splitting: true, minify: true, metafile: true, write: false } as const
  const made = { outdir: join(folder, 'page'), absWorkingDir: folder, format: 'esm', platform: 'browser' } as const
  const { metafile, outputFiles } = await build({ entryPoints: ['page.js'], ...options, ...made })
  const foreign = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true),
  )
  expect(foreign).toEqual([])
  const entry = Object.keys(metafile.outputs).find((output) => metafile.outputs[output]?.entryPoint === 'page.js') ?? ''
  const loaded = loadedWith(metafile, entry)
  const bytes = outputFiles
    .filter(({ path }) => [...loaded].some((output) => path.endsWith(output.replace(/^.*\//, '/'))))
    .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0)
  expect(loaded.size).toBeGreaterThan(1)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(gzipLimit)
})

test('the licences of what is bundled go along', () => {
  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8')
  for (const name of ['@noble/hashes', 'immutable', 'ajv', 'yaml']) expect(licences).toContain(`${name}\n\n`)
})

/** Runs in the page, where the module of the mock is `/mock.js`. */
const inPage = <Result>(act: (door: typeof MockDoor) => Promise<Result>): Promise<Result> =>
  page.evaluate(`import('/mock.js').then(${act.toString()})`) as Promise<Result>

test('in Chromium a stream arrives chunk by chunk, and a reader who leaves is journaled as left', async () => {
  const seen = await inPage(async ({ createMock }) => {
    const mock = await createMock({ clock: { mode: 'stepped' } })
    const headers = { 'api-key': 'acs-demo-primary' }
    const assistant = mock.scenario.tenants[0]?.assistants.find(({ name }) => name === 'Slow echo')
    const messages = [{ role: 'user', content: 'one two three four five six' }]
    const body = JSON.stringify({ assistant_id: assistant?.id, messages })
    const controller = new AbortController()
    const init = { method: 'POST', headers, body, signal: controller.signal }
    const asked = mock.fetch('/v1/chat/completions/stream', init)
    const step = async () => {
      while (!mock.clock.advanceToNext()) await new Promise((resolve) => setTimeout(resolve))
    }
    await step()
    const response = await asked
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
    const lines: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const [{ value }] = await Promise.all([reader.read(), ...(count === 0 ? [] : [step()])])
      lines.push(new TextDecoder().decode(value))
    }
    controller.abort()
    const ended = await reader.read().catch((cause: Error) => cause.name)
    const [entry] = await mock.journal.wait({ operation: 'streamChatCompletion' })
    return { lines, ended, outcome: entry?.outcome, status: response.status }
  })
  expect(seen).toMatchObject({ status: 200, ended: 'AbortError', outcome: 'left' })
  expect(seen.lines.map((text) => text.split('\n').length)).toEqual([2, 2])
})

test('in Chromium worlds, faults, uploads, scenarios and the admin API work, and what needs Node says so', async () => {
  const seen = await inPage(async ({ createMock, loadScenario, scenarioYaml, defaultScenario }) => {
    const mock = await createMock({
      scenario: await loadScenario(await scenarioYaml(defaultScenario), { file: 'mine.yaml' }),
    })
    const world = mock.world({ name: 'mine' })
    const headers = { 'api-key': 'acs-demo-primary', 'user-id': 'me' }
    world.faults.add({ fault: 'rate_limit_gateway', times: 1 })
    const faulty = await world.fetch('/v1/tenants/my-api-keys', { headers })
    const granted = await world.fetch('/v1/files/signed-url?filename=a.txt', { headers })
    const grant = (await granted.json()) as { readonly file_url: string }
    const upload = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: new Blob(['hello']) }
    const uploaded = await world.fetch(grant.file_url, upload)
    const worlds = await (await mock.fetch('/_acs/worlds')).json()
    const document = (await (await mock.fetch('/openapi.yaml')).json()) as { readonly openapi: string }
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (cause: Error) => cause.message,
      )
    return {
      statuses: [faulty.status, uploaded.status],
      worlds: JSON.stringify(worlds).includes('"mine"'),
      document: document.openapi,
      listen: await refusal(mock.listen()),
      stateDir: await refusal(createMock({ stateDir: 'x' })),
      wrong: await refusal(loadScenario('assistants: 1', { file: 'wrong.yaml' })),
    }
  })
  expect(seen.statuses).toEqual([429, 200])
  expect(seen).toMatchObject({ worlds: true, document: '3.1.0' })
  expect(seen.listen).toContain('listen() needs Node')
  expect(seen.stateDir).toContain('stateDir needs Node')
  expect(seen.wrong).toContain('wrong.yaml:1:')
})
