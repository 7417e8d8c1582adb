/** Gathers what a page in a test complains about: console lines, errors, dialogs. */
import type { Page } from 'playwright-core'

/** A list that grows with each complaint. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  return complaints
}
