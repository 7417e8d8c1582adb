/** Opens reports in a real browser. Nothing of it may reach a network. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { complaintsOf } from '../support/page-complaints.ts'

interface OpenedPage {
  readonly page: Page
  /** Requests other than for the page itself, and everything that the page complained about. */
  readonly complaints: readonly string[]
}

export interface ReportBrowser {
  /** Opens HTML as a file, as a person would; `hash` is what stands after the file's name. */
  readonly open: (html: string, options?: BrowserContextOptions & { readonly hash?: string }) => Promise<OpenedPage>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Starts the browser. */
export async function startBrowser(): Promise<ReportBrowser> {
  const browser = await launchChromium()
  const folder = mkdtempSync(join(tmpdir(), 'acs-report-page-'))
  let files = 0
  return {
    open: async (html, { hash = '', ...options } = {}) => {
      files += 1
      const file = join(folder, `${files}.html`)
      writeFileSync(file, html)
      return openFile(browser, `${pathToFileURL(file).href}${hash}`, options)
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openFile(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints = complaintsOf(page)
  page.on('request', (request) => {
    if (request.url() !== url.replace(/#.*/, '')) complaints.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, complaints }
}
