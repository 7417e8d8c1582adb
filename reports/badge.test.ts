/** The badge: an image that says what was granted and nothing else. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { renderBadge } from './badge.ts'
import type { ReportRun } from './report.ts'

const badge = (changes: Partial<ReportRun>): string => {
  const report = sampleReport({ green: true })
  return renderBadge({ ...report, run: { ...report.run, ...changes } })
}

test('a badge says the outcome, and for a conformant run the granted levels', () => {
  expect(badge({})).toMatch(/<title>ACS: core · streaming · events · threads · tools · files<\/title>/)
  expect(badge({ outcome: 'nonconformant' })).toContain('<title>ACS: not conformant</title>')
  expect(badge({ outcome: 'incomplete' })).toContain('<title>ACS: incomplete</title>')
  expect(badge({ outcome: 'invalid' })).toContain('<title>ACS: no verdict</title>')
})

test('a run of some rules alone gets no badge that looks like a grant', () => {
  const part = badge({ granted: [], only: 'threads.*' })
  expect(part).toContain('<title>ACS: only threads.*</title>')
  expect(part).not.toContain('1c6e45')
  expect(badge({ outcome: 'nonconformant', only: 'threads.*' })).toContain('<title>ACS: not conformant</title>')
})

test('a badge neither loads nor runs anything', () => {
  const svg = badge({ granted: ['<script>alert(1)</script>'] })
  expect(svg).not.toMatch(/<script|href|url\((?!#)|<image|on\w+=/)
})

test('the same report gives the same bytes', () => {
  expect(badge({})).toBe(badge({}))
})
