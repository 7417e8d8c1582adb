/** Unpacks the browser before the first test: two files that did so at once would start half a binary. */
import { chromiumPath } from './chromium.ts'

/** Called by vitest once for each run. Where no browser can be unpacked, the tests that need one say so. */
export async function setup(): Promise<void> {
  await chromiumPath().catch(() => undefined)
}
