/** A comparison of two reports as a self-contained page. */
import { html, type Markup } from '../html/markup.ts'
import { page } from '../html/page.ts'
import { cellText } from '../sanitize-text.ts'
import type { Change, Comparison } from './compare-reports.ts'
import {
  changeKinds,
  changeMeanings,
  comparisonSummary,
  outcomeText,
  renderComparisonMarkdown,
  renderComparisonText,
} from './comparison-text.ts'

/** The comparison as a page: each kind of change with its obligations, the worst first. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { exitCode, caveats, answers } = comparison
  const title = exitCode === 0 ? 'No new blocking failure' : 'New blocking failures'
  const kinds = changeKinds.filter((kind) => comparison[kind].length > 0)
  return page(
    `ACS reports compared: ${comparisonSummary(comparison)}`,
    html`<header class="head"><div class="bar"><p class="brand">ACS reports compared</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div><h1>${title}</h1><p>${comparisonSummary(comparison)}</p></header>
<main id="content" class="compared" tabindex="-1">${caveats.map((caveat) => html`<p class="caveat">${caveat}</p>`)}${kinds.map(
      (kind) =>
        html`<section id="${kind}"><h2>${kind} <small>${comparison[kind].length}, ${changeMeanings[kind]}</small></h2>${table(kind, ['obligation', 'before', 'after', ''], comparison[kind].map(changeRow))}</section>`,
    )}${answers.length === 0 ? null : html`<section id="answers"><h2>Different answers where the contract is silent <small>${answers.length}</small></h2>${table('Answers', ['gap', 'before', 'after'], answers.map(answerRow))}</section>`}</main>`,
  )
}

function table(label: string, heads: readonly string[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function changeRow({ obligation, before, after, blocking }: Change): Markup {
  const word = (outcome: Change['before']): Markup =>
    outcome === null
      ? html`${outcomeText(null)}`
      : html`<span class="outcome ${outcome}">${outcomeText(outcome)}</span>`
  return html`<tr><th scope="row"><code>${obligation}</code></th><td>${word(before)}</td><td>${word(after)}</td><td>${blocking ? 'blocking' : 'non-blocking'}</td></tr>`
}

function answerRow({ gap, before, after }: Comparison['answers'][number]): Markup {
  const answer = (value: string | null): Markup =>
    value === null ? html`not seen` : html`<code>${cellText(value)}</code>`
  return html`<tr><th scope="row"><code>${gap}</code></th><td>${answer(before)}</td><td>${answer(after)}</td></tr>`
}

/** The forms of a comparison. */
export const comparisonForms = {
  text: renderComparisonText,
  markdown: renderComparisonMarkdown,
  html: renderComparisonHtml,
} as const
