/** Starts a real Chromium for tests; the binary comes with an npm package. Nothing of it may reach a network. */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** What a browser in a test is started with. */
export const chromiumFlags: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The path of the binary, which is unpacked when it is first asked for. */
export const chromiumPath = (): Promise<string> => chromium.executablePath()

/** Starts the browser without a window. */
export async function launchChromium(): Promise<Browser> {
  return playwright.launch({ executablePath: await chromiumPath(), headless: true, args: [...chromiumFlags] })
}

/** The browser, or `null` with a note on stderr where none starts. */
export async function chromiumIfAny(): Promise<Browser | null> {
  return launchChromium().catch((cause: unknown) => {
    process.stderr.write(`No Chromium starts here, so these tests of a page are skipped: ${cause}\n`)
    return null
  })
}
