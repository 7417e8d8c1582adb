/** Tests that the inspector's list can be worked with while many exchanges come. */
import { afterAll, expect, test } from 'vitest'
import type { Mock } from '../../mock-server/index.ts'
import { chromiumIfAny } from '../support/chromium.ts'
import { mockClient } from '../support/mock-client.ts'
import { eventually, type OpenInspector, openInspector } from './inspector-page.ts'

const browser = await chromiumIfAny()
afterAll(() => browser?.close())
const inBrowser = test.skipIf(browser === null)

const open = (...rest: Parameters<typeof openInspector> extends [unknown, ...infer R] ? R : never) => {
  if (browser === null) throw new Error('skipped without a browser')
  return openInspector(browser, ...rest)
}

/** Sends so many lists, and waits until the page has counted them. */
const sendLists = async ({ mock, page }: OpenInspector, count: number): Promise<void> => {
  const client = mockClient(mock.main, mock)
  const counted = async (): Promise<number> => Number(await page.locator('.filter output').textContent())
  const before = await counted()
  for (let sent = 0; sent < count; sent += 1) await client.get('/v1/assistants')
  await eventually(counted).toBeGreaterThan(Math.min(before + count - 1, 1999))
}

/** A stream that waits until somebody moves the clock. */
const waitingStream = (mock: Mock): Promise<unknown> => {
  const client = mockClient(mock.main, mock)
  const messages = [{ role: 'user', content: 'one two three four' }]
  return client.stream('/v1/chat/completions/stream', { assistant_id: client.assistant('Slow echo'), messages })
}

inBrowser('a row in sight keeps its element and the focus while others come', async () => {
  await using inspector = await open('')
  const { page } = inspector
  await page.getByText('live').waitFor()
  await sendLists(inspector, 1)
  const row = await page.locator('.rows a').first().elementHandle()
  await row?.focus()
  await sendLists(inspector, 10)
  expect(await row?.evaluate((link) => link.isConnected && link.matches(':focus'))).toBe(true)
  await eventually(() => page.locator('.rows a .time').count()).toBeGreaterThan(10)
})

inBrowser(
  'the list follows its end while it is given less room, and stays where somebody has scrolled to',
  async () => {
    await using inspector = await open('')
    const { page } = inspector
    await page.getByText('live').waitFor()
    await sendLists(inspector, 100)
    const fromEnd = () =>
      page.evaluate<number>(
        '(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop)(document.querySelector(".rows"))',
      )
    // It scrolls by itself, and hears of that when it is lower already.
    await page.evaluate(
      '((rows) => { rows.style.maxHeight = "300px"; rows.dispatchEvent(new Event("scroll")) })(document.querySelector(".rows"))',
    )
    await sendLists(inspector, 5)
    await eventually(fromEnd).toBeLessThan(2)
    await page.locator('.rows').hover()
    await page.mouse.wheel(0, -300)
    await eventually(fromEnd).toBeGreaterThan(250)
    await sendLists(inspector, 5)
    await eventually(fromEnd).toBeGreaterThan(400)
  },
)

inBrowser('a stream that runs stays in the list however many exchanges end after it', async () => {
  await using inspector = await open('', { mock: { clock: { mode: 'stepped' } } })
  const { mock, page } = inspector
  await page.getByText('live').waitFor()
  const stream = waitingStream(mock)
  await page.locator('.rows a.running').waitFor()
  await sendLists(inspector, 2300)
  await page.getByLabel('Kind').selectOption('running')
  await eventually(() => page.locator('.rows a').count()).toBe(1)
  await page.locator('.rows a').click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  mock.clock.adjust({ mode: 'frozen' })
  await stream
  await page.getByLabel('Kind').selectOption('streams')
  await eventually(() => page.locator('.rows a .note').textContent()).toMatch(/chunks/)
})

inBrowser('the page says when events were left out, and reads the journal when it is asked to', async () => {
  await using inspector = await open('')
  const { mock, page, url } = inspector
  await page.route('**/_acs/events', (route) => {
    const events = [
      { event: 'open', running: [], sent: [] },
      { event: 'missed', count: 3 },
    ]
    return route.fulfill({ body: events.map((event) => `${JSON.stringify(event)}\n`).join('') })
  })
  await page.goto(`${url}/_acs/ui?again`)
  await page.getByText('3 events came too fast to be shown.').waitFor()
  await page.unroute('**/_acs/events')
  await page.getByText('live').waitFor()
  await mockClient(mock.main, mock).get('/v1/assistants')
  await page.getByRole('button', { name: 'Read the journal' }).click()
  await eventually(() => page.locator('.rows a').count()).toBe(1)
})
