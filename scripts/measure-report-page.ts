/**
 * Measures the HTML report: weight, height at 1440 and 390, and the longest browser task while it is used.
 * Pages of a gate run without and with 40 faults, and of 5,000 exchanges. The bars of weight and height are in
 * test/reports/report-page-size.test.ts; here no task over 100 ms. `node scripts/measure-report-page.ts`
 */
import type { Page } from 'playwright-core'
import { type Report, renderHtml } from '../reports/index.ts'
import { startBrowser } from '../test/reports/browser.ts'
import { gateReport } from '../test/reports/gate-reports.ts'
import { bigReport } from '../test/reports/sample-report.ts'
import { tasksDuring } from './browser-tasks.ts'

const longestTaskMs = 100

/** Milliseconds of the longest task of the browser during an action. */
const longestTask = async (page: Page, action: () => Promise<unknown>): Promise<number> => {
  const tasks = await tasksDuring(page, async () => {
    await action()
    await page.waitForTimeout(500)
  })
  return Math.max(0, ...tasks)
}

await using browser = await startBrowser()

/** The longest task of each thing that a person does. */
const tasksOf = async (url: string): Promise<Readonly<Record<string, number>>> => {
  const { page } = await browser.open('<title>warm</title>')
  await page.setViewportSize({ width: 1440, height: 900 })
  const find = page.getByRole('searchbox', { name: 'Search exchanges' })
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    open: () => page.goto(url),
    searchExchanges: () => find.pressSequentially('thread_not'),
    clearSearch: () => find.fill(''),
    filterExchanges: () => page.getByLabel('Kind').selectOption('rejected'),
    searchRules: () => page.getByRole('searchbox', { name: /^Search rules/ }).pressSequentially('message'),
    scroll: () => page.evaluate('document.querySelector(".exchange-list").scrollTop = 80000'),
    openExchange: () => page.evaluate('location.hash = "#E420"'),
  }
  const tasks: Record<string, number> = {}
  for (const [name, action] of Object.entries(actions)) tasks[name] = await longestTask(page, action)
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
