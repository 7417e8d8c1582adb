/** Opens the inspector of a mock in a browser, and gathers everything that the page complains about. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createMock, type Listener, type ListenOptions, type Mock, type MockOptions } from '../../mock-server/index.ts'
import { complaintsOf } from '../support/page-complaints.ts'

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
  const complaints = complaintsOf(page)
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
