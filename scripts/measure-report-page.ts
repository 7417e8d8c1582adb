/**
 * Measures the HTML report with 5,000 exchanges: rendering time, and the longest browser task while it is used.
 * Used means opened, searched, filtered, scrolled, and an exchange opened. Bars: 2 s to render, no task over 200 ms.
 * `node scripts/measure-report-page.ts [exchanges]`
 */
import { renderHtml } from '../reports/index.ts'
import { startBrowser } from '../test/reports/browser.ts'
import { bigReport } from '../test/reports/sample-report.ts'

const exchanges = Number(process.argv[2] ?? 5000)
const barMs = { render: 2000, task: 200 }

const watchTasks = `window.longTasks = []; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
}).observe({ type: 'longtask', buffered: true })`

const report = bigReport(exchanges)
const startedMs = performance.now()
const html = renderHtml(report)
const renderMs = performance.now() - startedMs

await using browser = await startBrowser()
const { page } = await browser.open('<title>warm</title>')
await page.addInitScript(watchTasks)
const longest = async (): Promise<number> => {
  await page.waitForTimeout(300)
  return page.evaluate<number>(
    '(() => { const longest = Math.max(0, ...window.longTasks); window.longTasks = []; return longest })()',
  )
}

const { page: opened } = await browser.open(html)
const url = opened.url()
await opened.context().close()
await page.goto(url)
const figures: Record<string, number> = { render: Math.round(renderMs), open: await longest() }
await page.getByRole('searchbox', { name: 'Search exchanges' }).pressSequentially('thread_not')
figures.searchExchanges = await longest()
await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('')
await page.getByLabel('Kind').selectOption('rejected')
await page.getByLabel('Kind').selectOption('')
figures.filterExchanges = await longest()
await page.getByRole('searchbox', { name: 'Search rules, failures and gaps' }).pressSequentially('message')
figures.searchRules = await longest()
await page.evaluate('document.querySelector(".exchange-list").scrollTop = 80000')
figures.scroll = await longest()
await page.evaluate('location.hash = "#E4200"')
await page.getByRole('dialog').waitFor()
figures.openExchange = await longest()

console.log(`${exchanges} exchanges, ${(html.length / 1e6).toFixed(1)} MB of HTML`)
for (const [name, ms] of Object.entries(figures)) {
  console.log(`${name.padEnd(16)} ${Math.round(ms)} ms${name === 'render' ? '' : ' longest task over 50 ms'}`)
}
const { render = 0, ...tasks } = figures
process.exitCode = render > barMs.render || Object.values(tasks).some((ms) => ms > barMs.task) ? 1 : 0
