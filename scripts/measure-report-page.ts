/**
 * Measures the HTML report: weight, height at 1440 and 390, elements, and the longest browser task while it is used.
 * Pages of a gate run without and with 40 faults, and of 5,000 exchanges. The bars of weight and height are in
 * test/reports/report-page-size.test.ts; here no task over 100 ms. `node scripts/measure-report-page.ts`
 */
import type { Page } from 'playwright-core'
import { type Report, renderHtml } from '../reports/index.ts'
import { startBrowser } from '../test/reports/browser.ts'
import { gateReport } from '../test/reports/gate-reports.ts'
import { bigReport } from '../test/reports/sample-report.ts'

const longestTaskMs = 100

const watchTasks = `window.longTasks = []; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
}).observe({ type: 'longtask', buffered: true })`

const longest = async (page: Page): Promise<number> => {
  await page.waitForTimeout(300)
  return page.evaluate<number>(
    '(() => { const longest = Math.max(0, ...window.longTasks); window.longTasks = []; return longest })()',
  )
}

await using browser = await startBrowser()

/** Tasks over 50 ms, by what a person does. */
const tasksOf = async (url: string): Promise<Readonly<Record<string, number>>> => {
  const { page } = await browser.open('<title>warm</title>')
  await page.addInitScript(watchTasks)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(url)
  const tasks: Record<string, number> = { open: await longest(page) }
  await page.getByRole('searchbox', { name: 'Search exchanges' }).pressSequentially('thread_not')
  tasks.searchExchanges = await longest(page)
  await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('')
  await page.getByLabel('Kind').selectOption('rejected')
  await page.getByLabel('Kind').selectOption('')
  tasks.filterExchanges = await longest(page)
  await page.getByRole('searchbox', { name: 'Search rules, failures and gaps' }).pressSequentially('message')
  tasks.searchRules = await longest(page)
  await page.evaluate('document.querySelector(".exchange-list").scrollTop = 80000')
  tasks.scroll = await longest(page)
  await page.evaluate('location.hash = "#E420"')
  await page.getByRole('dialog').waitFor()
  tasks.openExchange = await longest(page)
  await page.context().close()
  return tasks
}

const measure = async (name: string, report: Report): Promise<number> => {
  const html = renderHtml(report)
  const sizes: string[] = []
  let url = ''
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await browser.open(html, { viewport })
    await page.locator('.exchange-list a').first().waitFor()
    sizes.push(`${await page.evaluate<number>('document.documentElement.scrollHeight')} px at ${viewport.width}`)
    url = page.url()
    await page.context().close()
  }
  const tasks = await tasksOf(url)
  console.log(
    `${name}: ${report.exchanges.length} exchanges, ${Math.round(html.length / 1000)} kB, ${sizes.join(', ')}`,
  )
  for (const [action, ms] of Object.entries(tasks)) console.log(`  ${action.padEnd(16)} ${Math.round(ms)} ms`)
  return Math.max(...Object.values(tasks))
}

const worst = [
  await measure('green', await gateReport(0)),
  await measure('40 faults', await gateReport(40)),
  await measure('big', bigReport(5000)),
]
process.exitCode = worst.some((ms) => ms > longestTaskMs) ? 1 : 0
