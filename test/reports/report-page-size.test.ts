/** The page is as long as what is wrong, and light enough to be sent around. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderHtml } from '../../reports/index.ts'
import { type ReportBrowser, startBrowser } from './browser.ts'
import { gateReport } from './gate-reports.ts'
import { bigReport } from './sample-report.ts'

let browser: ReportBrowser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser[Symbol.asyncDispose]())

/** Half a megabyte for the 418 exchanges that a gate run had when this was set; what a shorter run leaves out saves no script. */
const mostBytesOf = (exchanges: number): number => 500_000 * Math.max(1, exchanges / 418)

/** Pixels of the page at a width of 1440. */
const heightOf = async (html: string): Promise<number> => {
  const { page } = await browser.open(html, { viewport: { width: 1440, height: 900 } })
  await page.locator('.exchange-list a').first().waitFor()
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.context().close()
  return height
}

test('a gate run without failures is a page of 3,000 pixels and half a megabyte at most', async () => {
  const report = await gateReport(0)
  expect(report.exchanges.length).toBeGreaterThan(500)
  const html = renderHtml(report)
  expect(html.length).toBeLessThan(400_000)
  expect(await heightOf(html)).toBeLessThan(3_000)
})

test('forty faults are a page of about 8,000 pixels, the answer to what first above all', async () => {
  const report = await gateReport(40)
  expect(report.verdicts.filter(({ outcome }) => outcome === 'violated').length).toBeGreaterThan(30)
  const html = renderHtml(report)
  expect(html.length).toBeLessThan(mostBytesOf(report.exchanges.length))
  expect(await heightOf(html)).toBeLessThan(8_200)
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await browser.open(html, { viewport })
    const box = await page.locator('.fix-first li p').first().boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(viewport.height)
  }
})

test('five thousand exchanges weigh less than 2.5 MB', () => {
  expect(renderHtml(bigReport(5000)).length).toBeLessThan(2_500_000)
})
