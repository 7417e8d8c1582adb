/** The badge: the level granted, in words. No percentage, since a percentage depends on how requirements are counted. */
import { badgen } from 'badgen'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'

const colors = { conformant: '1c6e45', nonconformant: 'ad241c', incomplete: '8a5a00', invalid: '5a606b' } as const

/** The report as an SVG badge. */
export function renderBadge({ run }: Report): string {
  const words = {
    conformant:
      run.only !== undefined ? `only ${run.only}` : run.granted.length === 0 ? 'conformant' : run.granted.join(' · '),
    nonconformant: 'not conformant',
    incomplete: 'incomplete',
    invalid: 'no verdict',
  }[run.outcome]
  const isPart = run.outcome === 'conformant' && run.only !== undefined
  const color = isPart ? colors.invalid : colors[run.outcome]
  // The other style has random ids, and the same report must give the same bytes.
  return badgen({ label: 'ACS', status: visibleLine(words, 120), color, style: 'flat' })
}
