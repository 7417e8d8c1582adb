/** Annotations name the broken rules, and a target cannot write one of its own. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { renderAnnotations } from './github-annotations.ts'

test('each failing rule is one error line', () => {
  const lines = renderAnnotations(sampleReport()).trimEnd().split('\n')
  expect(lines[0]).toMatch(/^::error title=[\w.-]+::/)
  expect(lines.length).toBeLessThanOrEqual(10)
})

test('text of the target stays inside its line', () => {
  const text = 'a\n::error title=forged::b%0Ac'
  const lines = renderAnnotations(sampleReport({ text })).trimEnd().split('\n')
  expect(lines.every((line) => /^::(error|warning) title=/.test(line) && !line.includes('title=forged::b%0A'))).toBe(
    true,
  )
})

test('a run without a violation has no annotation', () => {
  expect(renderAnnotations(sampleReport({ green: true }))).toBe('')
})
