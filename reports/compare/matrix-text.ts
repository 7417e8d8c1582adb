/** The cross-implementation matrix as Markdown and as a page; where implementations differ comes first. */
import { html, type Markup } from '../html/markup.ts'
import { page } from '../html/page.ts'
import { markdownCell, markdownCode, markdownText } from '../markdown-text.ts'
import { cellText } from '../sanitize-text.ts'
import { outcomeSigns } from '../severity.ts'
import type { AnswerRow, Matrix, MatrixRow } from './matrix-of.ts'

/** The matrix as Markdown. */
export function renderMatrixMarkdown({ implementations, rows, answers }: Matrix): string {
  const head = (first: string): string => {
    const names = implementations.map(({ name }) => markdownCode(name))
    return `| ${[first, ...names].join(' | ')} |\n|${'---|'.repeat(names.length + 1)}`
  }
  const ruleLine = ({ requirement, outcomes }: MatrixRow): string =>
    `| ${[markdownCode(requirement), ...outcomes.map((outcome) => (outcome === null ? '' : outcomeSigns[outcome]))].join(' | ')} |`
  const answerLine = ({ question, answers: given, agreed }: AnswerRow): string =>
    `| ${[`${agreed ? '' : '**differs** '}${markdownText(question)}`, ...given.map((answer) => (answer === null ? '' : markdownCell(answer)))].join(' | ')} |`
  const standing = [
    `| outcome | ${implementations.map(({ outcome }) => outcome).join(' | ')} |`,
    `| granted | ${implementations.map(({ granted }) => markdownText(granted.join(', '))).join(' | ')} |`,
  ]
  return `${[
    '## ACS implementations',
    [head(''), ...standing].join('\n'),
    '### Requirements',
    [head('requirement'), ...rows.map(ruleLine)].join('\n'),
    '### Answers where the contract is silent',
    [head('question'), ...bySplit(answers).map(answerLine)].join('\n'),
    Object.entries(outcomeSigns)
      .map(([outcome, sign]) => `${sign} ${outcome}`)
      .join(', '),
  ].join('\n\n')}\n`
}

function bySplit(answers: readonly AnswerRow[]): readonly AnswerRow[] {
  return [...answers].sort((a, b) => Number(a.agreed) - Number(b.agreed))
}

/** The matrix as a self-contained page. */
export function renderMatrixHtml(matrix: Matrix): string {
  const { implementations, rows, answers } = matrix
  const heads = implementations.map(({ name }) => html`<th scope="col">${name}</th>`)
  return page(
    'ACS implementations compared',
    html`<header class="head"><div class="bar"><p class="brand">ACS conformance matrix</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div><h1>${implementations.length} implementations</h1></header>
<main id="content" class="compared" tabindex="-1"><section><h2>Standing</h2><div class="scroll" tabindex="0" role="region" aria-label="Standing"><table><thead><tr><td></td>${heads}</tr></thead><tbody>
<tr><th scope="row">outcome</th>${implementations.map(({ outcome }) => html`<td><span class="standing ${outcome}">${outcome}</span></td>`)}</tr>
<tr><th scope="row">granted</th>${implementations.map(({ granted }) => html`<td>${granted.join(', ')}</td>`)}</tr></tbody></table></div></section>
<section><h2>Requirements <small>${rows.length}</small></h2><div class="scroll" tabindex="0" role="region" aria-label="Requirements"><table><thead><tr><th scope="col">requirement</th>${heads}</tr></thead><tbody>${rows.map(ruleRow)}</tbody></table></div></section>
<section><h2>Answers where the contract is silent <small>${answers.length}</small></h2><div class="scroll" tabindex="0" role="region" aria-label="Answers"><table><thead><tr><th scope="col">question</th>${heads}</tr></thead><tbody>${bySplit(answers).map(answerTableRow)}</tbody></table></div></section></main>`,
  )
}

function ruleRow({ requirement, rule, outcomes }: MatrixRow): Markup {
  const cells = outcomes.map((outcome) =>
    outcome === null
      ? html`<td></td>`
      : html`<td><span class="outcome ${outcome}">${outcomeSigns[outcome]} ${outcome}</span></td>`,
  )
  return html`<tr id="${requirement}"><th scope="row"><code>${requirement}</code><small>${rule}</small></th>${cells}</tr>`
}

function answerTableRow({ gap, question, answers, agreed }: AnswerRow): Markup {
  const cells = answers.map((answer) => html`<td>${answer === null ? '' : html`<code>${cellText(answer)}</code>`}</td>`)
  return html`<tr id="gap-${gap}"><th scope="row">${question}${agreed ? null : html` <span class="tag warn">differs</span>`}</th>${cells}</tr>`
}
