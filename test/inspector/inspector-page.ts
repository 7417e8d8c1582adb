/** Opens the inspector of a mock in a browser, and gathers everything that the page complains about. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createMock, type Listener, type ListenOptions, type Mock, type MockOptions } from '../../mock-server/index.ts'

export interface OpenInspector extends AsyncDisposable {
  readonly mock: Mock
  readonly url: string
  readonly page: Page
  /** Errors, console lines and dialogs of the page. */
  readonly complaints: readonly string[]
  /** What was copied last. */
  copied(): Promise<string>
}

interface InspectorOptions {
  readonly mock?: MockOptions
  readonly listen?: ListenOptions
  readonly browser?: BrowserContextOptions
}

/** A mock, and its inspector at `hash`. */
export async function openInspector(
  browser: Browser,
  hash = '',
  options: InspectorOptions = {},
): Promise<OpenInspector> {
  const mock = await createMock({ examples: true, ...options.mock })
  const listener: Listener = await mock.listen(options.listen)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options.browser })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: listener.url })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  await page.goto(`${listener.url}/_acs/ui${hash}`)
  return {
    mock,
    url: listener.url,
    page,
    complaints,
    copied: () => page.evaluate<string>('navigator.clipboard.readText()'),
    async [Symbol.asyncDispose]() {
      await context.close()
      await mock.close()
    },
  }
}

/** An expectation of what a page will show, however busy the machine is. */
export function eventually<T>(read: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(read, { timeout: 60_000 })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds, of any impact. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const violations = await page.evaluate<readonly AxeViolation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
