/** Runs axe, a checker of accessibility, in a page of a test. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds; `impacts` leaves out what is of another impact. */
export async function axeFaults(page: Page, impacts?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const violations = await page.evaluate<readonly AxeViolation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
  )
  return violations
    .filter(({ impact }) => impacts?.includes(impact) !== false)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
