/**
 * The cross-implementation matrix as a self-contained page: chapters with totals, rows that can be filtered, links into reports.
 * A filter is the fragment of the address, and the style sheet hides the other rows, so it works without a script.
 */

import { chapterOf, countText, groupBy } from '../../spec/index.ts'
import { html, type Markup } from '../html/markup.ts'
import { page } from '../html/page.ts'
import { cellText } from '../sanitize-text.ts'
import { outcomeSigns, outcomeWords, type RuleStanding } from '../severity.ts'
import type { AnswerRow, Matrix, MatrixRow } from './matrix-of.ts'
import { bySplit, renderMatrixMarkdown } from './matrix-text.ts'

/** The filters by their fragment, and which rows each one shows. */
const filters: Readonly<Record<string, (row: MatrixRow) => boolean>> = {
  differs: ({ outcomes }) => new Set(outcomes).size > 1,
  failing: ({ outcomes }) => outcomes.includes('violated'),
  untested: ({ outcomes, untested }) =>
    outcomes.some((outcome, index) => outcome === null || outcome === 'unexercised' || untested[index] !== 0),
}

/** The addresses of the pages of single rows, if any. */
interface RowLinks {
  readonly requirement: (id: string) => string
  readonly gap: (id: string) => string
}

/** The matrix as a self-contained page. */
function renderMatrixHtml(matrix: Matrix, links?: RowLinks): string {
  const { implementations, rows, answers } = matrix
  return page(
    'ACS implementations compared',
    html`<header class="head"><div class="bar"><p class="brand">ACS conformance matrix</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div><h1>${countText(implementations.length, 'implementation')}</h1></header>
<main id="content" class="compared" tabindex="-1">${Object.keys(filters).map((id) => html`<span class="filter" id="${id}"></span>`)}
<section><h2>Requirements <small>${rows.length}</small></h2>${filterLinks(rows)}<div class="scroll" tabindex="0" role="region" aria-label="Requirements"><table><thead><tr><th scope="col">requirement</th>${implementations.map(columnHead)}</tr></thead>
<tbody class="totals"><tr><th scope="row">passed of tested</th>${totalCells(rows, implementations.length)}</tr></tbody>${chaptersOf(rows).map((group) => chapterBody(group, matrix, links))}</table></div></section>
<section><h2>Answers where the contract is silent <small>${answers.length}</small></h2><div class="scroll" tabindex="0" role="region" aria-label="Answers"><table><thead><tr><th scope="col">question</th>${implementations.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${bySplit(answers).map((row) => answerRow(row, links))}</tbody></table></div></section></main>`,
  )
}

function filterLinks(rows: readonly MatrixRow[]): Markup {
  const links = Object.entries(filters).map(
    ([id, shows]) => html`<a href="#${id}">${id} <small>${rows.filter(shows).length}</small></a> `,
  )
  return html`<p class="filters"><a href="#content">all <small>${rows.length}</small></a> ${links}</p>`
}

/** Name, outcome, date, and granted levels. */
function columnHead(run: Matrix['implementations'][number]): Markup {
  const { name, href, outcome, granted, startedAt, tier, suiteVersion } = run
  const title = href === undefined ? html`${name}` : html`<a href="${href}">${name}</a>`
  return html`<th scope="col">${title} <span class="standing ${outcome}">${outcome}</span><small>${startedAt.slice(0, 10)}, ${String(tier)}, suite ${suiteVersion}</small><small>${granted.length === 0 ? 'granted: none' : `granted: ${granted.join(', ')}`}</small></th>`
}

/** The rows of each chapter, in their order. */
function chaptersOf(rows: readonly MatrixRow[]): readonly (readonly [string, readonly MatrixRow[]])[] {
  return [...groupBy(rows, ({ requirement }) => chapterOf(requirement))]
}

function chapterBody(
  [chapter, rows]: readonly [string, readonly MatrixRow[]],
  matrix: Matrix,
  links: RowLinks | undefined,
): Markup {
  return html`<tbody><tr class="chapter"><th scope="rowgroup">${chapter}</th>${totalCells(rows, matrix.implementations.length)}</tr>${rows.map((row) => requirementRow(row, matrix, links))}</tbody>`
}

/** `20/23`: how many of the tested requirements passed, for each implementation. */
function totalCells(rows: readonly MatrixRow[], implementations: number): readonly Markup[] {
  return Array.from({ length: implementations }, (_, index) => {
    const outcomes = rows.map((row) => row.outcomes[index])
    const passed = outcomes.filter((outcome) => outcome === 'upheld').length
    const failed = outcomes.filter((outcome) => outcome === 'violated').length
    return html`<td>${`${passed}/${passed + failed}`}</td>`
  })
}

function requirementRow(row: MatrixRow, { implementations }: Matrix, links: RowLinks | undefined): Markup {
  const { requirement, rule, outcomes, untested } = row
  const classes = Object.keys(filters).filter((id) => filters[id]?.(row))
  const cells = outcomes.map((outcome, index) =>
    cell({ outcome, untested: untested[index] ?? 0 }, requirement, implementations[index]?.href),
  )
  return html`<tr id="${requirement}" class="${['requirement', ...classes].join(' ')}"><th scope="row">${linked(html`<code>${requirement}</code>`, links?.requirement(requirement))}<small>${rule}</small></th>${cells}</tr>`
}

function linked(content: Markup, href: string | undefined): Markup {
  return href === undefined ? content : html`<a href="${href}">${content}</a>`
}

function cell({ outcome, untested }: RuleStanding, requirement: string, href: string | undefined): Markup {
  if (outcome === null) return html`<td></td>`
  const sign = html`<span class="outcome ${outcome}">${outcomeSigns[outcome]} ${outcomeWords[outcome]}</span>`
  const linkedSign = href === undefined ? sign : html`<a href="${href}#${requirement}">${sign}</a>`
  return html`<td>${linkedSign}${untested === 0 ? null : html` <small>${untested} not tested</small>`}</td>`
}

function answerRow({ gap, question, answers, agreed }: AnswerRow, links: RowLinks | undefined): Markup {
  const cells = answers.map((answer) => html`<td>${answer === null ? '' : html`<code>${cellText(answer)}</code>`}</td>`)
  return html`<tr id="gap-${gap}"><th scope="row">${linked(html`${question}`, links?.gap(gap))}${agreed ? null : html` <span class="tag warn">differs</span>`}</th>${cells}</tr>`
}

/** The forms of a matrix. */
export const matrixForms = { markdown: renderMatrixMarkdown, html: renderMatrixHtml } as const
