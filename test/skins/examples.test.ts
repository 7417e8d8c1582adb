/** Runs every example and every block of docs/frontends.md: bundled as a user would, in a real Chromium. */
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorldHandle } from '../../mock-server/index.ts'
import { buildBrowserMock } from '../../scripts/bundle-mock.ts'
import { blocksOf } from '../docs/page.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { freePort } from '../support/nginx.ts'
import { sampleOf } from '../support/samples.ts'
import { serveHandler } from '../support/serve-handler.ts'
import { slowTest } from '../support/slow-test.ts'
import { type StaticSite, serveFolder } from '../support/static-site.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'acs-examples-'))
const built = join(folder, 'node_modules/acs-kit/dist/browser')
let browser: Browser
let site: StaticSite

beforeAll(async () => {
  await buildBrowserMock(built)
  writeFileSync(join(folder, 'react.ts'), react)
  for (const name of ['msw', 'storybook'])
    writeFileSync(join(folder, `${name}-block.ts`), blockWith(`'acs-kit/${name}'`))
  await bundle('react-msw/main.tsx', 'playwright/main.tsx', 'storybook/preview.ts', 'storybook/chat.stories.tsx')
  for (const example of ['react-msw', 'playwright'])
    cpSync(join(root, 'examples/react-msw/index.html'), join(folder, example, 'index.html'))
  copyFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), join(folder, 'mockServiceWorker.js'))
  site = await serveFolder(folder)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const react = `export { createElement } from 'react'
export { createRoot } from 'react-dom/client'`

/** The block of the page that holds the text. */
const blockWith = (text: string): string =>
  blocksOf(join(root, 'docs/frontends.md')).find((block) => block.text.includes(text))?.text ?? ''

/** Bundles for browsers; `acs-kit/mock` is the build that the package gives to browsers. */
async function bundle(...files: readonly string[]): Promise<void> {
  await build({
    entryPoints: [
      ...files.map((file) => ({ in: join(root, 'examples', file), out: file.replace(/\.tsx?$/, '') })),
      ...['react', 'msw-block', 'storybook-block'].map((name) => ({ in: join(folder, `${name}.ts`), out: name })),
    ],
    nodePaths: [join(root, 'node_modules')],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
    alias: {
      'acs-kit/mock': join(built, 'mock.js'),
      'acs-kit/client': join(root, 'spec/client/index.ts'),
      'acs-kit/msw': join(root, 'mock-server/skins/msw.ts'),
      'acs-kit/storybook': join(root, 'mock-server/skins/storybook.ts'),
    },
  })
}

/** What the page shows while an answer arrives, each text once. */
const watchAnswer = (page: Page) =>
  page.evaluate(`{
    globalThis.seen = []
    new MutationObserver(() => {
      const text = document.querySelector('output')?.textContent
      if (text && seen.at(-1) !== text) seen.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)

test('the first page of the documentation shows an answer', async () => {
  writeFileSync(join(folder, 'index.html'), blockWith('<title>First answer'))
  const opened = await browser.newPage()
  await opened.goto(`${site.url}/index.html`)
  await opened.getByText('"content":"You said').waitFor()
})

/** Uses the chat as somebody would; `globalThis.acs` is the mock or world that answers. */
async function useChat(page: Page): Promise<void> {
  const say = async (text: string) => {
    await page.getByLabel('Message').fill(text)
    await page.getByText('Send').click()
  }
  const inMock = <Result>(act: (acs: WorldHandle) => Result) =>
    page.evaluate(`(${act.toString()})(globalThis.acs)`) as Promise<Awaited<Result>>
  await page.getByText('Send').waitFor()
  await watchAnswer(page)

  const long = 'one two three four five six seven '.repeat(6)
  await say(long)
  await page.getByRole('listitem').nth(1).waitFor()
  expect(await page.getByRole('listitem').nth(1).textContent()).toContain(long.trim())
  expect(await page.evaluate('seen.length')).toBeGreaterThan(2)

  await inMock((acs) => void acs.faults.add({ fault: 'stall:ms=600000,after=1', times: 1 }))
  await say(long)
  await page.locator('output', { hasText: /./ }).waitFor()
  await page.getByText('Stop').click()
  expect(await page.getByRole('alert').textContent()).toBe('stopped')
  const outcomes = await inMock(async (acs) =>
    (await acs.journal.wait({ operation: 'streamChatCompletion' }, { count: 2 })).map(({ outcome }) => outcome),
  )
  expect(outcomes).toEqual(['read-all', 'left'])

  await page.getByLabel('File').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await page.getByText('uploaded a.txt').waitFor()
  await page.getByLabel('File').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('hello') })
  await page.getByText('validation_error').waitFor()
  await inMock((acs) => void acs.faults.add({ fault: 'rate_limit_gateway', times: 1 }))
  await say('too much')
  await page.getByText('rate_limit_gateway').waitFor()
  await inMock((acs) => void acs.faults.add({ fault: 'reset-before-headers', times: 1 }))
  await say('broken')
  await page.getByText('TypeError').waitFor()
}

slowTest(
  'React with Mock Service Worker: chunks come one by one, a stop is seen, uploads and refusals work',
  async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${site.url}/react-msw/index.html`)
    await useChat(page)
  },
)

test('the blocks for Mock Service Worker and Storybook do as they are printed', async () => {
  const page = await (await browser.newContext()).newPage()
  const asked = `fetch('https://api.acs.example/v1/assistants', { headers: { 'api-key': 'acs-demo-primary' } })`
  const status = `${asked}.then(({ status }) => status)`
  await page.goto(`${site.url}/`)
  expect(await page.evaluate(`import('/msw-block.js').then(() => ${status})`)).toBe(200)
  await page.goto(`${site.url}/other`)
  const loaded = `import('/storybook-block.js').then(({ loaders: [load] }) => load({ parameters: {} }))`
  expect(
    await page.evaluate(`${loaded}.then(({ acs }) => ${status}.then((code) => [code, acs.journal.total()]))`),
  ).toEqual([200, 1])
})

test('Storybook: each story has a world of its own, in the state that it asks for, and the chat works in it', async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${site.url}/`)
  // As Storybook does: load, then render with what was loaded.
  const show = async (story: string) => {
    await page.evaluate(`(async () => {
      const [{ loaders }, stories, { createElement, createRoot }] = await Promise.all([
        import('/storybook/preview.js'), import('/storybook/chat.stories.js'), import('/react.js'),
      ])
      const { parameters = {} } = stories['${story}']
      globalThis.loaded = Object.assign({}, ...(await Promise.all(loaders.map((load) => load({ parameters })))))
      document.body.innerHTML = '<div id="root"></div>'
      createRoot(document.querySelector('#root')).render(createElement(stories.default.component, stories.default.args))
    })()`)
  }
  const greet = async () => {
    await page.getByLabel('Message').fill('Hello')
    await page.getByText('Send').click()
  }
  await show('InTrouble')
  await greet()
  await page.getByText('api_timeout_error').waitFor()
  await show('Answering')
  await greet()
  await page.getByText('You said: Hello').waitFor()
  expect(await page.evaluate('loaded.acs.journal.total()')).toBe(1)
  await show('Answering')
  await page.evaluate('globalThis.acs = loaded.acs')
  await useChat(page)
})

const exampleSpecs = [
  ['playwright', '4 passed'],
  ['ssr', '2 passed'],
] as const
const ownTools = 'examples and printed blocks with tools of their own'

test.each(sampleOf(ownTools, exampleSpecs))(
  'Playwright: the specs of the example %s pass',
  async (example, passed) => {
    const env = { ...process.env, CHROMIUM: await chromiumPath(), APP_URL: `${site.url}/playwright/index.html` }
    const ports = { APP_PORT: String(await freePort()), MOCK_PORT: String(await freePort()) }
    const printed = await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--output', join(folder, 'results')],
      { cwd: join(root, 'examples', example), env: { ...env, ...ports } },
    ).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
    expect(printed).toContain(passed)
  },
  480_000,
)

const printedFor = [
  ['Playwright', ['@playwright/test/cli.js', 'test', '--output', join(folder, 'printed')], /1 passed/],
  ['vitest, and that of the README,', ['vitest/vitest.mjs', 'run'], /Tests\s+2 passed/],
] as const

test.each(sampleOf(ownTools, printedFor))(
  'the block for %s passes as it is printed',
  async (_, [tool, ...args], passed) => {
    const app = await serveHandler(async ({ url }) => {
      const { pathname } = new URL(url)
      return fetch(
        `${site.url}${pathname.startsWith('/chunk') ? '' : '/playwright'}${pathname === '/' ? '/index.html' : pathname}`,
      )
    })
    const home = mkdtempSync(join(root, 'examples', '.printed-'))
    const use = { baseURL: app.url, launchOptions: { executablePath: await chromiumPath(), args: ['--no-sandbox'] } }
    const readme = blocksOf(join(root, 'README.md')).find(({ kind }) => kind === 'ts')?.text ?? ''
    const inTest = readme.replace(
      /(?<=\n\n)[\s\S]*/,
      (body) =>
        `import { expect, test } from 'vitest'\ntest('it', async () => {\n${body}\nexpect(response.status).toBe(200)\n})\n`,
    )
    const alias = { 'acs-kit/mock': join(root, 'mock-server/index.ts'), 'acs-kit/vitest': join(root, 'vitest.ts') }
    const files = {
      'page.spec.ts': blockWith("'acs-kit/playwright'"),
      'playwright.config.mjs': `export default ${JSON.stringify({ reporter: 'line', testMatch: '*.spec.ts', use })}`,
      'page.test.ts': blockWith("'acs-kit/vitest'"),
      'readme.test.ts': inTest,
      'vitest.config.mjs': `export default ${JSON.stringify({ resolve: { alias }, test: { reporters: ['default'], include: ['*.test.ts'] } })}`,
    }
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
      const printed = await promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...args], {
        cwd: home,
        env: { ...process.env, NO_COLOR: '1' },
      }).then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }) => `${stdout}${stderr}`,
      )
      expect(printed).toMatch(passed)
    } finally {
      await app.close()
      rmSync(home, { recursive: true })
    }
  },
  480_000,
)
