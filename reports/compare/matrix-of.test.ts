/** Implementations side by side, in Markdown and as a page. */
import { expect, test } from 'vitest'
import { hostileText } from '../../test/reports/hostile-text.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { matrixOf } from './matrix-of.ts'
import { matrixForms } from './matrix-page.ts'
import { renderMatrixMarkdown } from './matrix-text.ts'

const green = sampleReport({ green: true })
const matrix = matrixOf([
  { name: 'mock', report: green },
  { name: `other ${hostileText}`, report: sampleReport({ text: hostileText }) },
])

test('a row has the worst outcome of each implementation', () => {
  expect(matrix.rows.find(({ requirement }) => requirement === 'threads.run-needs-user-message')?.outcomes).toEqual([
    'upheld',
    'violated',
  ])
  expect(matrix.rows).toHaveLength(new Set(green.verdicts.map(({ requirement }) => requirement)).size)
})

test('what was not tested beside what passed is counted, and makes no rule untested', () => {
  const [first] = green.verdicts.filter(({ requirement }) => requirement === 'auth.key-required')
  if (first === undefined) throw new Error('the sample lost its rule')
  const as = (outcomes: readonly (typeof first)['outcome'][]) => ({
    name: outcomes.join(' '),
    report: { ...green, verdicts: outcomes.map((outcome) => ({ ...first, outcome })) },
  })
  const { rows } = matrixOf([
    as(['unexercised', 'upheld', 'unexercised']),
    as(['unexercised', 'inapplicable']),
    as(['unexercised', 'violated', 'upheld']),
  ])
  expect(rows).toMatchObject([{ outcomes: ['upheld', 'unexercised', 'violated'], untested: [2, 0, 1] }])
  const page = matrixForms.html(matrixOf([as(['unexercised', 'upheld'])]))
  expect(page).toContain('✓ passed</span> <small>1 not tested</small>')
  expect(page).toContain('<th scope="row">passed of tested</th><td>1/1</td>')
})

test('an implementation without a verdict has an empty place, not a green one', () => {
  const rows = matrixOf([
    { name: 'a', report: green },
    { name: 'b', report: { ...green, verdicts: [] } },
  ]).rows
  expect(rows.map(({ outcomes }) => outcomes[1]).every((outcome) => outcome === null)).toBe(true)
})

test('answers to gaps stand side by side, and where they differ is said', () => {
  const same = matrixOf([
    { name: 'a', report: green },
    { name: 'b', report: green },
  ])
  expect(same.answers.every(({ agreed }) => agreed)).toBe(true)
  expect(matrix.answers.some(({ agreed }) => !agreed)).toBe(true)
  expect(renderMatrixMarkdown(matrix)).toContain('**differs**')
})

test('a name or an answer can neither break a table nor a page', () => {
  const lines = renderMatrixMarkdown(matrix)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  expect(new Set(lines.map((line) => line.split('|').length))).toEqual(new Set([5]))
  const page = matrixForms.html(matrix)
  expect(page).not.toMatch(/<img|<script>document/)
  expect(page).toContain('&lt;script&gt;')
  expect(page).toContain('default-src &#39;none&#39;')
})

test('the page has totals by chapter, and rows that the address filters', () => {
  const page = matrixForms.html(matrix)
  const chapters = new Set(matrix.rows.map(({ requirement }) => requirement.split('.', 1)[0]))
  expect(page.match(/<tr class="chapter">/g)).toHaveLength(chapters.size)
  expect(page).toMatch(/<th scope="rowgroup">auth<\/th><td>\d+\/\d+<\/td><td>\d+\/\d+<\/td>/)
  const failing = matrix.rows.filter(({ outcomes }) => outcomes.includes('violated')).length
  expect(page.match(/<tr id="[^"]+" class="requirement[^"]* failing/g)).toHaveLength(failing)
  for (const filter of ['differs', 'failing', 'untested']) expect(page).toContain(`href="#${filter}"`)
})

test('cells link into the reports that stand beside the matrix', () => {
  const linked = matrixOf([{ name: 'a', report: green, href: 'a%20b/report.html' }])
  expect(matrixForms.html(linked)).toContain('<a href="a%20b/report.html#auth.key-required">')
  expect(matrixForms.html(matrix)).not.toContain('report.html#')
})
