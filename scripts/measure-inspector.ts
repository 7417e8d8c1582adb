/**
 * Measures the inspector under 1,000 exchanges a second, beside an empty page. `node scripts/measure-inspector.ts [seconds]`,
 * by default ten for each way to look at them. One exchange of ten is refused, and one is a stream; a stream of 200 chunks a
 * second is open in the last one. It prints frames a second, and the browser's tasks in processor time, which other work on the
 * machine does not lengthen; what the empty page drops, the machine drops.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { createMock, type Mock } from '../mock-server/index.ts'
import { chromiumIfAny } from '../test/support/chromium.ts'
import { tasksDuring } from './browser-tasks.ts'

const rate = 1000
const seconds = Number(process.argv[2] ?? 10)

const longAnswer = Array.from({ length: 200 * (2 * seconds + 10) }, (_, index) => `word ${index} `)
const meta_data_response_schema = { title: 'Nothing', type: 'object', properties: {}, required: [] }
const scenario = {
  name: 'measured',
  tenants: [{ name: 'primary', keys: [{ key: 'acs-demo-primary' }], assistants: ['Short', 'Long'] }],
  assistants: [
    { name: 'Short', streaming: true, meta_data_response_schema, turns: [{ answer: 'You said: {{user}}' }] },
    {
      name: 'Long',
      streaming: true,
      meta_data_response_schema,
      latency: { first_chunk_ms: 10, chunks_per_second: 200, jitter: 0 },
      turns: [{ chunks: longAnswer }],
    },
  ],
} as const

const headers = { 'api-key': 'acs-demo-primary', 'content-type': 'application/json' }
type Send = (number: number) => Promise<unknown>

/** Sends one of the requests of the mixture, by its number; -1 is the long stream. */
const sender = async (mock: Mock): Promise<Send> => {
  const read = async (path: string, init: RequestInit): Promise<string> => (await mock.fetch(path, init)).text()
  const assistants = JSON.parse(await read('/v1/assistants', { headers })) as readonly { readonly id: string }[]
  const stream = (assistant: number): Promise<string> => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const body = JSON.stringify({ assistant_id: assistants[assistant]?.id, messages })
    return read('/v1/chat/completions/stream', { method: 'POST', headers, body })
  }
  return (number) => {
    if (number === -1) return stream(1)
    if (number % 10 === 0) return stream(0)
    const nobody = '/v1/threads/0e0e0e0e-0e0e-4e0e-8e0e-0e0e0e0e0e0e/messages'
    return read(number % 10 === 1 ? nobody : '/v1/assistants', { headers })
  }
}

interface Load {
  /** What was sent in each second. */
  readonly perSecond: number
  readonly sent: number
}

/** Sends so many requests a second as the machine lets it. */
const sendAll = async (send: Send): Promise<Load> => {
  const startedMs = performance.now()
  const elapsedMs = (): number => performance.now() - startedMs
  const running = new Set<Promise<unknown>>()
  let sent = 0
  while (elapsedMs() < seconds * 1000) {
    for (const wanted = Math.floor((elapsedMs() / 1000) * rate); sent < wanted; sent += 1) {
      const one = send(sent).finally(() => running.delete(one))
      running.add(one)
    }
    await pause(1)
  }
  await Promise.all(running)
  return { sent, perSecond: sent / (elapsedMs() / 1000) }
}

/** Notes the time of every frame; `stopCounting()` gives the gaps between them, milliseconds. */
const startCounting = `(() => {
  const times = []
  let next
  const note = (atMs) => {
    times.push(atMs)
    next = requestAnimationFrame(note)
  }
  next = requestAnimationFrame(note)
  window.stopCounting = () => {
    cancelAnimationFrame(next)
    return times.slice(1).map((atMs, index) => atMs - times[index])
  }
})()`

/** Sends all while a page draws, and says what it drew, and how long its tasks took. */
const drawn = async (page: Page, send: Send): Promise<string> => {
  let [load, gaps]: [Load | null, readonly number[]] = [null, []]
  await page.evaluate(startCounting)
  const tasksMs = await tasksDuring(page, async () => {
    load = await sendAll(send)
    gaps = await page.evaluate<readonly number[]>('stopCounting()')
  })
  const over = (ms: number, all: readonly number[]): number => all.filter((one) => one > ms).length
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  const { sent, perSecond } = load ?? { sent: 0, perSecond: 0 }
  return [
    `${sent} exchanges, ${Math.round(perSecond)} a second`,
    `${((gaps.length * 1000) / total).toFixed(1)} frames a second, ${over(50, gaps)} of ${gaps.length} later than 50 ms`,
    `longest task ${tasksMs.reduce((most, task) => Math.max(most, task), 0).toFixed(1)} ms, ${over(16, tasksMs)} over 16 ms, ${over(50, tasksMs)} over 50 ms`,
  ].join('; ')
}

const browser = await chromiumIfAny()
if (browser !== null) {
  await using mock = await createMock({ scenario })
  const { url } = await mock.listen()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const send = await sender(mock)
  console.log(`empty page: ${await drawn(page, send)}`)
  await page.goto(`${url}/_acs/ui`)
  await page.getByText('live').waitFor()
  console.log(`at the end of the list: ${await drawn(page, send)}`)
  await page.getByPlaceholder('path, reason, fault …').fill('thread not')
  console.log(`with a filter: ${await drawn(page, send)}`)
  await page.getByPlaceholder('path, reason, fault …').fill('')
  await page.evaluate('document.querySelector(".rows").scrollTop = 9000')
  console.log(`scrolled up: ${await drawn(page, send)}`)
  const stream = send(-1).catch(() => {})
  await page.locator('.rows').press('End')
  await page.locator('.rows a.running').last().click()
  console.log(`with a long stream open: ${await drawn(page, send)}`)
  console.log(await page.locator('section[aria-label="Frames"] p').textContent())
  const rows = await page.evaluate<string>('document.querySelector(".filter output").textContent')
  const heapBytes = await page.evaluate<number>('performance.memory.usedJSHeapSize')
  console.log(`${rows} rows, ${(heapBytes / 1e6).toFixed(0)} MB of heap in the page`)
  await browser.close()
  await mock.close()
  await stream
}
