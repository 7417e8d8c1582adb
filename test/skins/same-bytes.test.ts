/** The same seed and the same requests give the same bytes, however the requests reach the mock. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { setupServer } from 'msw/node'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { acsHandlers } from '../../mock-server/skins/msw.ts'
import { routeToWorld } from '../../mock-server/skins/playwright.ts'
import { acsLoader } from '../../mock-server/skins/storybook.ts'
import { buildBrowserMock } from '../../scripts/bundle-mock.ts'
import { acsTest } from '../../vitest.ts'
import { launchChromium } from '../support/chromium.ts'
import { sampleCount, sampling } from '../support/samples.ts'
import { type StaticSite, serveFolder } from '../support/static-site.ts'
import { type DrawnRequest, drawnMock, drawnOrigin, drawnWorld, drawRequests, requestOf } from './drawn-requests.ts'

const root = join(import.meta.dirname, '..', '..')

/** Against hanging: ten thousand requests through Playwright's routes take a quarter of an hour on a busy machine. */
const hangLimitMs = 2_400_000

let requests: readonly DrawnRequest[] = []
let expected: readonly string[] = []
let browser: Browser
let site: StaticSite
/** The build for browsers is in `kit`. */
const folder = mkdtempSync(join(tmpdir(), 'acs-same-bytes-'))

const worldOfAll = async () => {
  const mock = await createMock(drawnMock)
  return { mock, world: mock.world({ name: drawnWorld }) }
}

const answerOf = async (response: Response): Promise<string> =>
  `${response.status} ${response.headers.get('x-acs-reason')} ${Buffer.from(await response.arrayBuffer()).toString('base64')}`

/** One after the other, as the drawing did. */
const answersBy = async (send: (one: DrawnRequest) => Promise<Response>): Promise<readonly string[]> => {
  const answers: string[] = []
  for (const one of requests) answers.push(await answerOf(await send(one)))
  return answers
}

/** Runs in a page: sends with the function that `make` gives, and answers as `answerOf`. */
const inPage = `async ({ make, requests }) => {
  const send = await (globalThis.acsSend ??= eval(make)())
  const answers = []
  for (const { method, target, headers, body } of requests) {
    const bytes = body === null ? null : Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    const response = await send('${drawnOrigin}' + target, { method, headers, body: bytes })
    const received = new Uint8Array(await response.arrayBuffer())
    let text = ''
    for (const byte of received) text += String.fromCharCode(byte)
    answers.push(response.status + ' ' + response.headers.get('x-acs-reason') + ' ' + btoa(text))
  }
  return answers
}`

/** So many go into a page at once. */
const batch = 250

const answersInPage = async (page: { evaluate(script: string): Promise<unknown> }, make: string) => {
  const answers: string[] = []
  for (let from = 0; from < requests.length; from += batch) {
    const argument = JSON.stringify({ make, requests: requests.slice(from, from + batch) })
    answers.push(...((await page.evaluate(`(${inPage})(${argument})`)) as string[]))
  }
  return answers
}

beforeAll(async () => {
  requests = await drawRequests(sampling.seed, sampleCount('requests through every skin'))
  const { mock, world } = await worldOfAll()
  expected = await answersBy((one) => world.fetch(requestOf(one)))
  await mock.close()
  await buildBrowserMock(join(folder, 'kit'))
  site = await serveFolder(folder)
  browser = await launchChromium()
}, hangLimitMs)

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** An empty page, in a profile of its own. */
async function openPage() {
  const page = await (await browser.newContext()).newPage()
  await page.goto(site.url)
  return page
}

test('the requests meet answers of every kind, so that equal bytes mean something', () => {
  const statuses = new Set(expected.map((answer) => answer.slice(0, 3)))
  expect([...statuses]).toEqual(expect.arrayContaining(['200', '201', '400', '404', '422']))
  expect(new Set(expected).size).toBeGreaterThan(requests.length / 5)
})

test(
  'over HTTP',
  async () => {
    const { mock } = await worldOfAll()
    await using listener = await mock.listen()
    const beside = { 'x-acs-world': drawnWorld, 'x-forwarded-host': new URL(drawnOrigin).host }
    const answers = await answersBy((one) => {
      const request = requestOf({ ...one, headers: { ...one.headers, ...beside } })
      return fetch(new Request(request.url.replace(drawnOrigin, listener.url), request))
    })
    expect(answers).toEqual(expected)
  },
  hangLimitMs,
)

test(
  'through Mock Service Worker in Node',
  async () => {
    const { mock, world } = await worldOfAll()
    const server = setupServer(...acsHandlers(drawnOrigin, world))
    server.listen({ onUnhandledRequest: 'error' })
    try {
      expect(await answersBy((one) => fetch(requestOf(one)))).toEqual(expected)
    } finally {
      server.close()
      await mock.close()
    }
  },
  hangLimitMs,
)

test(
  'in the build for browsers',
  async () => {
    const page = await openPage()
    const make = `async () => {
    const { createMock } = await import('/kit/mock.js')
    return (await createMock(${JSON.stringify(drawnMock)})).world({ name: '${drawnWorld}' }).fetch
  }`
    expect(await answersInPage(page, make)).toEqual(expected)
  },
  hangLimitMs,
)

test(
  'through Mock Service Worker in a browser',
  async () => {
    await bundleWorkerPage()
    const page = await openPage()
    const make = `async () => (await import('/page.js')).intercept(${JSON.stringify(drawnMock)}, '${drawnWorld}', '${drawnOrigin}')`
    expect(await answersInPage(page, make)).toEqual(expected)
  },
  hangLimitMs,
)

const workerPage = `import { createMock } from 'acs-kit/mock'
import { acsHandlers } from 'acs-kit/msw'
import { setupWorker } from 'msw/browser'
export async function intercept(options, name, origin) {
  const mock = await createMock(options)
  const worker = setupWorker(...acsHandlers(origin, mock.world({ name })))
  await worker.start({ onUnhandledRequest: 'error', quiet: true })
  return fetch
}`

/** A page of its own with the worker of the package. */
async function bundleWorkerPage(): Promise<void> {
  await build({
    stdin: { contents: workerPage, resolveDir: root },
    outfile: join(folder, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    alias: { 'acs-kit/mock': join(folder, 'kit/mock.js'), 'acs-kit/msw': join(root, 'mock-server/skins/msw.ts') },
  })
  copyFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), join(folder, 'mockServiceWorker.js'))
}

acsTest(createMock(drawnMock), { origin: drawnOrigin })(
  'behind the global fetch of a vitest test',
  async ({ acs }) => {
    expect(acs.name).toBe(drawnWorld)
    expect(await answersBy((one) => fetch(requestOf(one)))).toEqual(expected)
  },
  hangLimitMs,
)

test(
  'behind the global fetch of a story',
  async () => {
    const before = globalThis.fetch
    const { acs } = await acsLoader(createMock(drawnMock), drawnOrigin)({ parameters: {} })
    expect(acs.name).toBe(drawnWorld)
    try {
      expect(await answersBy((one) => fetch(requestOf(one)))).toEqual(expected)
    } finally {
      globalThis.fetch = before
    }
  },
  hangLimitMs,
)

test(
  'from a page whose requests Playwright leads to the mock',
  async () => {
    const { mock, world } = await worldOfAll()
    await using listener = await mock.listen()
    const page = await browser.newPage()
    await routeToWorld(page as never, drawnOrigin, { listener, world })
    await page.goto(site.url)
    expect(await answersInPage(page, 'async () => fetch')).toEqual(expected)
  },
  hangLimitMs,
)
