/** Tests the HTML report in a real browser: what a person can do, and that a target cannot attack it. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matrixForms, matrixOf, renderHtml } from '../../reports/index.ts'
import { pageAssets } from '../../scripts/build-report-page.ts'
import { axeFaults } from '../support/axe.ts'
import { sampleOf } from '../support/samples.ts'
import { type ReportBrowser, startBrowser } from './browser.ts'
import { hostileText } from './hostile-text.ts'
import { bigReport, fewChapters, sampleReport } from './sample-report.ts'

let browser: ReportBrowser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser[Symbol.asyncDispose]())

const plain = renderHtml(sampleReport())
const small = renderHtml(fewChapters(sampleReport(), ['http', 'threads', 'tools', 'errors']))
const phone = { viewport: { width: 390, height: 844 } }
const seriousFaults = (page: Page) => axeFaults(page, ['serious', 'critical'])

test('the generated assets are those of the style and the script', async () => {
  const generated = readFileSync(new URL('../../reports/html/page-assets.generated.ts', import.meta.url), 'utf8')
  expect(generated.replaceAll(/\s+/g, '')).toBe((await pageAssets()).replaceAll(/\s+/g, ''))
})

test('a page loads nothing and logs no error, and no text of a target runs or becomes an element', async () => {
  const { page, complaints } = await browser.open(renderHtml(sampleReport({ text: hostileText })), { hash: '#E4' })
  await page.getByRole('button', { name: 'Next' }).click()
  for (const tab of await page.getByRole('tab').all()) await tab.click()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('E9')
  expect(complaints).toEqual([])
  expect(await page.title()).toBe('Not conformant · http://127.0.0.1:4010 · ACS conformance')
  expect(
    await page
      .locator('img, iframe, object, embed, base, [onerror], [onmouseover], a[href^="javascript"], a[href^="http"]')
      .count(),
  ).toBe(0)
  expect(await page.locator('script:not([type="text/plain"])').count()).toBe(1)
})

test('the content security policy stops an injected script', async () => {
  const { page, complaints } = await browser.open(
    plain.replace('<main ', '<script>document.title = "owned"</script><main '),
  )
  expect(await page.title()).not.toBe('owned')
  expect(complaints.join()).toContain('Content Security Policy')
})

test.each(sampleOf('themes of pages in a browser', ['light', 'dark'] as const))(
  'axe finds nothing serious in the %s theme, also with an exchange open or on a phone',
  async (colorScheme) => {
    const { page } = await browser.open(small, { colorScheme })
    await page.locator('.requirement.broken > summary:visible').first().click()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto(`${page.url().replace(/#.*/, '')}#E5`)
    await page.getByRole('dialog').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('tab', { name: 'Verdicts' }).click()
    expect(await seriousFaults(page)).toEqual([])
    const pocket = await browser.open(small, { colorScheme, ...phone })
    expect(await seriousFaults(pocket.page)).toEqual([])
  },
)

test('axe finds nothing serious in the matrix of implementations', async () => {
  const matrix = matrixOf([
    { name: 'mock', report: fewChapters(sampleReport({ green: true }), ['http']) },
    { name: 'other', report: fewChapters(sampleReport(), ['threads']) },
  ])
  const { page, complaints } = await browser.open(matrixForms.html(matrix))
  expect(await seriousFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('the address filters the matrix, whose head stays in sight', async () => {
  const matrix = matrixOf([
    { name: 'mock', report: sampleReport({ green: true }) },
    { name: 'other', report: sampleReport() },
  ])
  const failing = matrix.rows.filter(({ outcomes }) => outcomes.includes('violated')).length
  const { page } = await browser.open(matrixForms.html(matrix), { hash: '#failing' })
  const rows = page.locator('tr.requirement:visible')
  expect(await rows.count()).toBe(failing)
  await page.getByRole('link', { name: /^all / }).click()
  expect(await rows.count()).toBe(matrix.rows.length)
  await rows.last().scrollIntoViewIfNeeded()
  expect(await page.getByRole('columnheader', { name: /^mock/ }).first().isVisible()).toBe(true)
  const box = await page.getByRole('columnheader', { name: /^mock/ }).first().boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
})

test('on a phone the names of the matrix leave room for the results of two implementations', async () => {
  const matrix = matrixOf([
    { name: 'mock', report: fewChapters(sampleReport({ green: true }), ['http']) },
    { name: 'other', report: fewChapters(sampleReport(), ['http']) },
  ])
  const { page } = await browser.open(matrixForms.html(matrix), phone)
  const result = await page.locator('tr.requirement td').nth(1).boundingBox()
  expect(result?.x).toBeLessThan(phone.viewport.width - 100)
})

test('no part of the page gets another height when it comes into sight', async () => {
  const { page } = await browser.open(small)
  const guessed = `[...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).contentVisibility === 'auto').length`
  expect(await page.evaluate(guessed)).toBe(0)
})

test('a link to a requirement opens its row; a link to an exchange opens it', async () => {
  const { page } = await browser.open(plain, { hash: '#threads.run-needs-user-message' })
  const row = page.locator('details[id="threads.run-needs-user-message"]')
  expect(await row.getAttribute('open')).not.toBeNull()
  expect(await row.locator('.inside .rule').textContent()).toBe(
    'A run on a thread without any user message is rejected.',
  )
  await row.getByRole('link', { name: 'E3', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: /^E3 · POST .*run → 200$/ }).waitFor()
  expect(page.url()).toMatch(/#threads.run-needs-user-message\?exchange=E3$/)
  await page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(0)
  expect(page.url()).toMatch(/#threads.run-needs-user-message$/)
  expect(await page.evaluate('document.activeElement.textContent')).toBe('E3')
})

test('the address holds filters, the open exchange and its tab', async () => {
  const { page } = await browser.open(plain, {
    hash: '#rules?query=user+message&outcome=violated&exchange=E5&tab=verdicts',
  })
  await page.getByRole('heading', { name: /^E5 / }).waitFor()
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Verdicts')
  expect(await page.getByRole('searchbox', { name: 'Search rules, failures and gaps' }).inputValue()).toBe(
    'user message',
  )
  expect(await page.locator('.requirement:visible').count()).toBeGreaterThan(0)
  await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('E9')
  await page.locator('[data-shown=exchanges]', { hasText: '1 of 9' }).waitFor()
  await page.waitForURL(/find=E9/)
  const { page: again } = await browser.open(plain, { hash: new URL(page.url()).hash })
  await again.locator('[data-shown=exchanges]', { hasText: '1 of 9' }).waitFor()
})

test('an exchange says what it proves, and a stream is a table beside the stored message', async () => {
  const { page } = await browser.open(plain, { hash: '#E3' })
  await page.getByRole('tab', { name: 'Verdicts' }).click()
  const proven = page.locator('.drawer .verdicts li')
  expect(await proven.first().textContent()).toContain('failed')
  expect(await proven.first().textContent()).toContain('threads.run')
  await page.evaluate('location.hash = "#E5?tab=stream"')
  await page.getByRole('heading', { name: /^E5 / }).waitFor()
  expect(await page.locator('.lines tbody tr').count()).toBe(20)
  expect(await page.locator('.drawer-body').innerText()).toMatch(/\d+ bytes are left out here/)
  expect(await page.locator('.lines thead').innerText()).toMatch(/\+ms\s+Δms\s+bytes\s+delta/)
})

test('keys go to the search, through failures and through exchanges', async () => {
  const { page } = await browser.open(plain)
  await page.locator('.exchange-list a').first().waitFor()
  const cards = page.locator('.card')
  for (const [pressed, card] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(pressed)
    const id = await cards.nth(card).getAttribute('id')
    await expect.poll(() => page.url(), { timeout: 20_000 }).toContain(`#${id}`)
  }
  await page.keyboard.press('?')
  expect(await page.locator('[data-keys]').isVisible()).toBe(true)
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.name')).toBe('query')
  await page.evaluate('document.activeElement.blur(); location.hash = "#E1"')
  await page.getByRole('heading', { name: /^E1 / }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: /^E2 / }).waitFor()
})

test('search and filters show what matches and say how much', async () => {
  const { page } = await browser.open(plain)
  const shown = page.locator('.requirement:visible')
  const all = await page.locator('.requirement').count()
  await page.locator('.toggle', { hasText: 'failed' }).click()
  await page.locator('[data-shown=rules]', { hasText: 'of' }).waitFor()
  const violated = await shown.count()
  expect(violated).toBeLessThan(all)
  expect(await page.locator('[data-shown=rules]').textContent()).toBe(`${violated} of ${all}`)
  await page.getByRole('searchbox', { name: 'Search rules, failures and gaps' }).fill('user message')
  await page.locator('[data-shown=rules]', { hasText: new RegExp(`^(?!${violated} ).* of ${all}$`) }).waitFor()
  expect(await shown.locator('summary code').allInnerTexts()).toContain('threads.run-needs-user-message')
  await page.getByRole('searchbox', { name: 'Search rules, failures and gaps' }).fill('no such words')
  await page.getByText('No rule fits the filter.').waitFor()
})

test('every control works by keyboard', async () => {
  const { page } = await browser.open(plain)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.locator('.chapter:not([open]) > summary').first().focus()
  await page.keyboard.press('Enter')
  const row = page.locator('.requirement:visible').first()
  await row.locator('summary').focus()
  await page.keyboard.press('Enter')
  expect(await row.getAttribute('open')).not.toBeNull()
  await page.locator('.exchange-list a').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('heading', { name: /^E3 / }).waitFor()
})

test('a phone needs no sideways scrolling', async () => {
  for (const html of [plain, renderHtml(sampleReport({ text: hostileText }))]) {
    const { page } = await browser.open(html, phone)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
})

test('without a script the verdict, the failures and the rules are all there', async () => {
  const { page } = await browser.open(plain, { javaScriptEnabled: false })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not conformant')
  expect(await page.locator('.fix-first li').first().isVisible()).toBe(true)
  expect(await page.locator('.card .command pre', { hasText: 'acs replay' }).first().isVisible()).toBe(true)
  expect(await page.locator('.card .excerpt mark').first().isVisible()).toBe(true)
  expect(await page.locator('.gap').first().isVisible()).toBe(true)
  expect(await page.locator('noscript p').isVisible()).toBe(true)
  await page.locator('.requirement.broken > summary:visible').first().click()
  expect(await page.locator('.requirement.broken .inside').first().isVisible()).toBe(true)
  expect(await page.locator('.filters').first().isVisible()).toBe(false)
})

test('print leaves out what cannot be used on paper', async () => {
  const { page } = await browser.open(plain)
  await page.emulateMedia({ media: 'print' })
  for (const unusable of ['nav', '.filters', '.exchange-list', '[data-copy]']) {
    expect(await page.locator(`${unusable}:visible`).count()).toBe(0)
  }
  expect(await page.locator('.card').first().isVisible()).toBe(true)
})

test('the theme follows the button and is remembered', async () => {
  const { page } = await browser.open(plain)
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  const button = page.getByRole('button', { name: /^Theme/ })
  await button.click()
  await button.click()
  expect(await button.textContent()).toBe('Theme: dark')
  expect(await background()).not.toBe(light)
  await page.reload()
  expect(await button.textContent()).toBe('Theme: dark')
})

test('what to fix first is in sight at once, also on a phone', async () => {
  for (const viewport of [{ width: 1440, height: 900 }, phone.viewport]) {
    const { page } = await browser.open(plain, { viewport })
    const box = await page.locator('.fix-first li p').first().boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(viewport.height)
  }
})

test('an invalid run shows its cause, the attempts and the command, and nothing else', async () => {
  const { run, ...rest } = sampleReport({ green: true })
  const invalid = {
    ...rest,
    run: { ...run, outcome: 'invalid', exitCode: 3, incompleteReason: 'no key fits' },
  } as const
  const { page } = await browser.open(renderHtml(invalid))
  expect(await page.getByText('No key fits. This run proves nothing').isVisible()).toBe(true)
  expect(await page.locator('.attempts li').count()).toBeGreaterThan(0)
  expect(await page.locator('.command pre').innerText()).toContain('acs test http://127.0.0.1:4010')
  expect(await page.locator('.levels, .chapter, .exchange-list, .gap, nav').count()).toBe(0)
})

test('a page of five thousand exchanges has few elements and draws only the visible part of the list', async () => {
  const { page } = await browser.open(renderHtml(bigReport(5000)))
  const rows = page.locator('.exchange-list a')
  // Rows are drawn with the next frame; until then the list has nothing to scroll.
  await rows.first().waitFor()
  expect(await rows.count()).toBeLessThan(60)
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(20_000)
  await page.evaluate('document.querySelector(".exchange-list").scrollTop = 1e6')
  await page.getByRole('link', { name: /^E5000/ }).waitFor()
  expect(await rows.count()).toBeLessThan(60)
  await page.getByRole('searchbox', { name: 'Search exchanges' }).fill('E4321')
  await page.getByText('1 of 5000', { exact: true }).waitFor()
})
