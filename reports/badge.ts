/** The badge: what was granted, in words. No percentage, since denominators move and invite haggling about weights. */
import { makeBadge } from 'badge-maker'
import type { Report } from './report.ts'
import { visibleLine } from './sanitize-text.ts'

const colors = { conformant: '#1c6e45', nonconformant: '#ad241c', incomplete: '#8a5a00', invalid: '#5a606b' } as const

/** The report as an SVG badge. */
export function renderBadge({ run }: Report): string {
  const words = {
    conformant: run.granted.length === 0 ? 'conformant' : run.granted.join(' · '),
    nonconformant: 'not conformant',
    incomplete: 'incomplete',
    invalid: 'no verdict',
  }[run.outcome]
  return makeBadge({ label: 'ACS', message: visibleLine(words, 120), color: colors[run.outcome] })
}
