/** Tests what the inspector's page is: small, built of its sources, closed to strings of clients, usable by everybody. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createMock, createRecording, type Mock } from '../../mock-server/index.ts'
import { inspectorAssets } from '../../scripts/build-inspector.ts'
import { hostileText } from '../reports/hostile-text.ts'
import { axeFaults } from '../support/axe.ts'
import { chromiumIfAny } from '../support/chromium.ts'
import { sampleOf } from '../support/samples.ts'
import { eventually, openInspector } from './inspector-page.ts'

const browser = await chromiumIfAny()
afterAll(() => browser?.close())
const key = { 'api-key': 'acs-demo-primary' }
const views = ['exchanges', 'threads', 'chat', 'faults', 'scenario', 'api']

test('the generated assets are those of the style and the script', async () => {
  const generated = readFileSync(
    new URL('../../mock-server/inspector/page-assets.generated.ts', import.meta.url),
    'utf8',
  )
  expect(generated.replaceAll(/\s+/g, '')).toBe((await inspectorAssets()).replaceAll(/\s+/g, ''))
})

test('the page is one file of at most 60 kB packed, under a policy that names its script and style', async () => {
  await using mock = await createMock()
  await using listener = await mock.listen({ adminToken: 'secret' })
  const response = await fetch(`${listener.url}/_acs/ui`)
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(gzipSync(html).length).toBeLessThan(60_000)
  expect(html.match(/<script|<style|<link|<img|src=|href="(?!\/_acs")/g)).toEqual(['<style', '<script'])
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self';/)
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  expect((await fetch(`${listener.url}/_acs/uix`)).status).toBe(401)
  expect((await mock.fetch('/_acs/ui')).headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('the start page and the banner lead to it', async () => {
  await using mock = await createMock()
  const start = await mock.fetch('/', { headers: { accept: 'text/html' } })
  expect(await start.text()).toContain('<a href="/_acs/ui">')
})

const inBrowser = test.skipIf(browser === null)

const open = async (...rest: Parameters<typeof openInspector> extends [unknown, ...infer Rest] ? Rest : never) => {
  if (browser === null) throw new Error('skipped without a browser')
  return openInspector(browser, ...rest)
}

const shown = (page: Page, name: string) => page.locator('.tabs').getByRole('link', { name, exact: true })

inBrowser('no text of a client runs, becomes an element, or is loaded', async () => {
  await using inspector = await open()
  const { mock, page, url, complaints } = inspector
  const { id } = mock.main.seedThread({
    assistant: 'Echo',
    messages: [{ role: 'user', content: hostileText.toWellFormed() }],
  })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).origin))
  await fetch(`${url}/v1/threads/${id}/run`, {
    method: 'POST',
    headers: { ...key, 'x-note': '<img src=x onerror=alert(1)>' },
  })
  await fetch(`${url}/v1/%3Cimg%20src=x%20onerror=alert(1)%3E`, { headers: key })
  await page.locator('.rows a').first().click()
  await page
    .getByText(/headers/)
    .first()
    .click()
  await page.getByRole('region', { name: 'Response body' }).waitFor()
  await page.locator('.rows a').last().click()
  await page.goto(`${url}/_acs/ui#view=threads&world=default&item=${id}`)
  await eventually(() => page.getByRole('article').count()).toBe(2)
  expect(await page.locator('img, iframe, object, embed, base, [onerror], a[href^="javascript"]').count()).toBe(0)
  expect(await page.locator('script').count()).toBe(1)
  expect(new Set(requests)).toEqual(new Set([url]))
  expect(complaints).toEqual([])
})

for (const colorScheme of sampleOf('themes of pages in a browser', ['light', 'dark'] as const)) {
  for (const width of [1440, 390]) {
    inBrowser(
      `axe finds nothing in the ${colorScheme} theme at ${width} px, and nothing runs over the edge`,
      async () => {
        const viewport = { width, height: 844 }
        await using inspector = await open('', { browser: { viewport, colorScheme } })
        const { mock, page, url } = inspector
        mock.faults.add({ fault: 'late-headers:1', match: { world: 'default', operation: 'runThread' } })
        const { id } = mock.main.seedThread({
          assistant: 'Weather desk',
          messages: [{ role: 'user', content: 'weather' }],
        })
        for (const _ of [1, 2]) await fetch(`${url}/v1/threads/${id}/run`, { method: 'POST', headers: key, body: '{}' })
        await fetch(`${url}/v1/threads/${id}/run/stream`, { method: 'POST', headers: key, body: '{}' })
        const places = [...views.map((view) => `view=${view}`), 'item=1', 'item=2', `view=threads&item=${id}`]
        for (const place of places) {
          await page.goto(`${url}/_acs/ui#${place}&world=default`)
          await page.locator('main > *').waitFor()
          expect([place, await axeFaults(page)]).toEqual([place, []])
          expect([place, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([place, width])
        }
      },
    )
  }
}

inBrowser('with an admin token the page asks for it, again while it is wrong, and then works', async () => {
  await using inspector = await open('', { listen: { adminToken: 'secret' } })
  const { page, mock } = inspector
  await mock.fetch('/v1/assistants', { headers: key })
  const dialog = page.getByRole('dialog', { name: 'Admin token' })
  for (const token of ['wrong', 'secret']) {
    await dialog.getByLabel('Token').fill(token)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: token === 'secret' ? 'detached' : 'visible' })
  }
  await eventually(() => page.locator('.rows a').count()).toBe(1)
  await page.getByText('live').waitFor()
  await page.reload()
  await eventually(() => page.locator('.rows a').count()).toBe(1)
})

inBrowser('everything is reached with the keyboard alone', async () => {
  await using inspector = await open()
  const { page, url } = inspector
  for (const path of ['assistants', 'nowhere']) await fetch(`${url}/v1/${path}`, { headers: key })
  await eventually(() => page.locator('.rows a').count()).toBe(2)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  // A list that is drawn anew meanwhile loses the focus.
  await eventually(async () => {
    await page.locator('.rows a').first().focus()
    await page.keyboard.press('ArrowDown')
    return page.evaluate("document.activeElement === document.querySelectorAll('.rows a')[1]")
  }).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByLabel('Why').getByText('unknown-route').waitFor()
  await page.getByRole('button', { name: 'curl' }).focus()
  await page.keyboard.press('Space')
  await eventually(() => inspector.copied()).toContain('/v1/nowhere')
  await shown(page, 'Chat').focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Message').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('You said: Hello').waitFor()
})

inBrowser('the page goes on after the mock was away', async () => {
  const first = await createMock()
  const listener = await first.listen()
  await using inspector = await open()
  const { page } = inspector
  await page.goto(`${listener.url}/_acs/ui`)
  await page.getByText('live').waitFor()
  await first.close()
  await page.getByText('not connected').waitFor()
  await using second = await createMock()
  await second.listen({ port: listener.port })
  await page.getByText('live').waitFor()
  await second.fetch('/v1/assistants', { headers: key })
  await eventually(() => page.locator('.rows a').count()).toBe(1)
})

inBrowser('a recorded stream can be stepped and lose a chunk, and the page says why it cannot be changed', async () => {
  const recorder = await createMock({ clock: { mode: 'frozen' } })
  const ask = { method: 'POST', headers: key, body: JSON.stringify(await slowQuestion(recorder)) }
  await (await recorder.fetch(streamPath, ask)).text()
  const [header, ...records] = recorder.journal
    .export('trace')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const recording = await createRecording({ header, exchanges: records.filter(({ kind }) => kind === 'exchange') })
  await using inspector = await open('', { mock: { clock: { mode: 'stepped' }, recording } })
  const { page, url } = inspector
  const played = fetch(url + streamPath, ask).then((response) => response.text())
  const lines = (text = '') => text.trimEnd().split('\n')
  await page.locator('.rows a', { hasText: '···' }).click()
  await page.getByText('A recorded stream: its chunks cannot be changed.').waitFor()
  expect(await page.getByRole('button', { name: 'Insert' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Send next' }).click()
  const frames = page.getByRole('table', { name: 'Frames of the stream' }).locator('tbody tr')
  await eventually(() => frames.count()).toBe(1)
  const dropped = page.waitForResponse((response) => response.url().includes('/running/'))
  await page.getByRole('button', { name: 'Drop next' }).click()
  await dropped
  inspector.mock.clock.adjust({ mode: 'frozen' })
  const whole = lines(recorder.journal.query({ operation: 'streamChatCompletion' })[0]?.responseText())
  expect(lines(await played)).toEqual(whole.filter((_, index) => index !== 1))
})

const streamPath = '/v1/chat/completions/stream'

const slowQuestion = async (mock: Mock) => {
  const assistants = (await (await mock.fetch('/v1/assistants', { headers: key })).json()) as {
    id: string
    name: string
  }[]
  const slow = assistants.find(({ name }) => name === 'Slow echo')
  return { assistant_id: slow?.id, messages: [{ role: 'user', content: 'one two three four five six' }] }
}
