/** Comparing two reports: what a CI gate may conclude, and what it may not. */
import { expect, test } from 'vitest'
import type { Verdict } from '../../conformance/index.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import type { Report } from '../report.ts'
import { compareReports } from './compare-reports.ts'
import { renderComparisonHtml } from './comparison-page.ts'
import { renderComparisonMarkdown, renderComparisonText } from './comparison-text.ts'

const base = sampleReport({ green: true })

const verdict = (name: string, outcome: Verdict['outcome'], changes: Partial<Verdict> = {}): Verdict => ({
  requirement: `threads.${name}`,
  operation: 'runThread',
  facet: null,
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: outcome === 'violated',
  outcome,
  witnesses: 1,
  exchanges: [],
  ...changes,
})

const withVerdicts = (...verdicts: readonly Verdict[]): Report => ({ ...base, verdicts, observations: [] })
const names = (changes: readonly { readonly requirement: string }[]) =>
  changes.map(({ requirement }) => requirement.slice('threads.'.length))

const before = withVerdicts(
  verdict('a', 'violated'),
  verdict('b', 'upheld'),
  verdict('c', 'violated'),
  verdict('d', 'violated'),
  verdict('e', 'upheld'),
  verdict('f', 'unexercised'),
)
const after = withVerdicts(
  verdict('a', 'upheld'),
  verdict('b', 'violated'),
  verdict('c', 'violated'),
  verdict('d', 'unexercised'),
  verdict('e', 'unexercised'),
  verdict('f', 'upheld'),
  verdict('g', 'violated'),
)

test('each obligation that changed for the worse or the better is told once', () => {
  const comparison = compareReports(before, after)
  const told = Object.fromEntries(
    (['fixed', 'broken', 'new', 'still', 'unproven', 'lost'] as const).map((kind) => [kind, names(comparison[kind])]),
  )
  expect(told).toEqual({ fixed: ['a'], broken: ['b'], new: ['g'], still: ['c'], unproven: ['d'], lost: ['e'] })
})

test('only what fails a run and was not there before fails the comparison', () => {
  expect(compareReports(before, after).exitCode).toBe(1)
  expect(compareReports(before, before).exitCode).toBe(0)
  expect(
    compareReports(
      withVerdicts(verdict('a', 'upheld')),
      withVerdicts(verdict('a', 'violated', { level: 'should', blocking: false })),
    ).exitCode,
  ).toBe(0)
  expect(compareReports(withVerdicts(verdict('a', 'violated')), withVerdicts(verdict('a', 'violated'))).exitCode).toBe(
    0,
  )
})

test('reports of another target, contract or tier say so', () => {
  const other = {
    ...after,
    run: { ...after.run, target: 'https://b.example', contractDigest: 'sha256:0', tier: 'smoke' },
  }
  expect(compareReports(before, other).caveats).toEqual([
    'Another target: http://127.0.0.1:4010 and https://b.example.',
    'Another contract: requirements may have come or gone.',
    'Another tier: gate and smoke.',
  ])
  expect(compareReports(before, after).caveats).toEqual([])
})

test('another answer to a gap is told with both answers', () => {
  const answer = (value: string): Report => ({
    ...base,
    verdicts: [],
    observations: [{ gap: 'streams.line-end', value, consistent: true, exchanges: [] }],
  })
  expect(compareReports(answer('LF'), answer('CRLF')).answers).toEqual([
    { gap: 'streams.line-end', before: 'LF', after: 'CRLF' },
  ])
})

test('the text names every change and its last line counts', () => {
  expect(renderComparisonText(compareReports(before, after))).toMatchInlineSnapshot(`
    "broken  failed now, not before
      threads.b runThread  passed → failed

    new  failed, and not judged before
      threads.g runThread  not judged → failed

    still  failed before and now
      threads.c runThread  failed → failed

    unproven  failed before, not tested now
      threads.d runThread  failed → not tested

    lost  passed before, not tested now
      threads.e runThread  passed → not tested

    fixed  failed before, passed now
      threads.a runThread  failed → passed

    1 broken, 1 new, 1 still, 1 unproven, 1 lost, 1 fixed
    "
  `)
})

test('the Markdown has a row for each change', () => {
  const markdown = renderComparisonMarkdown(compareReports(before, after))
  expect(markdown.match(/^\| (broken|new|still|unproven|lost|fixed) \|/gm)).toHaveLength(6)
  expect(markdown).toContain('## ❌ 1 broken, 1 new')
})

test('the page of a comparison names each change by its kind, and says whether it fails a run', () => {
  const broken = compareReports(withVerdicts(verdict('x', 'upheld')), withVerdicts(verdict('x', 'violated')))
  const page = renderComparisonHtml(broken)
  expect(page).toContain('<h1>New blocking failures</h1>')
  expect(page).toMatch(/<section id="broken">.*<code>threads\.x runThread<\/code>.*passed.*failed.*blocking/s)
  expect(page).not.toContain('<section id="fixed">')
  const none = compareReports(base, base)
  expect(renderComparisonHtml(none)).toContain('<h1>No new blocking failure</h1>')
})

test('lost cover of a rule that blocks fails the comparison only where that was asked for, and is not called mild', () => {
  const old = withVerdicts(verdict('a', 'upheld'), verdict('b', 'upheld', { level: 'should' }))
  const hard = withVerdicts(verdict('a', 'unexercised'))
  const mild = withVerdicts(verdict('b', 'unexercised', { level: 'should' }))
  expect(compareReports(old, hard).exitCode).toBe(0)
  expect(compareReports(old, hard, { failOn: 'lost' }).exitCode).toBe(1)
  expect(compareReports(old, mild, { failOn: 'lost' }).exitCode).toBe(0)
  expect(renderComparisonText(compareReports(old, hard))).toMatch(/^ {2}threads\.a runThread {2}passed → not tested$/m)
})
