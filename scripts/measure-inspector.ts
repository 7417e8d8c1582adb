/**
 * Measures the inspector under 1,000 exchanges a second for five seconds, beside an empty page.
 * `node scripts/measure-inspector.ts` prints frames a second, and the browser's tasks in processor time, which other work
 * on the machine does not lengthen; what the empty page drops, the machine drops.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createMock, type Mock } from '../mock-server/index.ts'
import { launchChromium } from '../test/support/chromium.ts'
import { tasksDuring } from './browser-tasks.ts'

const rate = 1000
const total = 5 * rate

/** Sends so many requests a second as the machine lets it; seconds that it took. */
const sendAll = async (mock: Mock): Promise<number> => {
  const headers = { 'api-key': 'acs-demo-primary' }
  const get = async () => void (await (await mock.fetch('/v1/assistants', { headers })).text())
  const startedMs = performance.now()
  for (let sent = 0; sent < total; ) {
    const wanted = Math.min(total, Math.floor(((performance.now() - startedMs) / 1000) * rate))
    await Promise.all(Array.from({ length: wanted - sent }, get))
    sent = wanted
    await pause(1)
  }
  return (performance.now() - startedMs) / 1000
}

/** Sends all while a page draws; what it drew, and how long its tasks took. */
const drawn = async (page: Page, mock: Mock): Promise<{ seconds: number; text: string }> => {
  await page.evaluate(
    'window.frames = 0; const count = () => { frames += 1; requestAnimationFrame(count) }; requestAnimationFrame(count)',
  )
  let [seconds, frames] = [0, 0]
  const tasksMs = await tasksDuring(page, async () => {
    seconds = await sendAll(mock)
    frames = await page.evaluate<number>('frames')
  })
  const over = (ms: number) => tasksMs.filter((task) => task > ms).length
  const longest = `longest task ${Math.max(...tasksMs).toFixed(1)} ms, ${over(16)} over 16 ms, ${over(50)} over 50 ms`
  return { seconds, text: `${Math.round(frames / seconds)} frames a second; ${longest}` }
}

await using mock = await createMock()
const { url } = await mock.listen()
const browser = await launchChromium()
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const empty = await drawn(page, mock)
await page.goto(`${url}/_acs/ui`)
await page.getByText('live').waitFor()
const { seconds, text } = await drawn(page, mock)
const rows = await page.evaluate<string>('document.querySelector(".filter output").textContent')
await browser.close()
console.log(`empty page: ${empty.text}`)
console.log(`inspector, ${total} exchanges in ${seconds.toFixed(1)} s: ${text}; ${rows} rows`)
