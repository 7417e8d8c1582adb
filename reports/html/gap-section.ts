/**
 * The behaviour of the implementation where the contract is silent, with text that the contract could adopt; and the
 * notices.
 */
import type { Notice, Observation } from '../../conformance/index.ts'
import { answerText } from '../answer-text.ts'
import type { Report } from '../report.ts'
import { exchangeLinks } from './failure-section.ts'
import { html, type Markup } from './markup.ts'

/** One entry for each observed gap; those that the reference mock answers alike are folded. */
export function gapSection(report: Report): Markup | null {
  const { observations, questions } = report
  if (observations.length === 0) return null
  const isOrdinary = ({ gap, value, consistent, declared }: Observation): boolean =>
    questions[gap]?.mockAnswer === value && consistent && declared?.met !== false
  const ordinary = observations.filter(isOrdinary).map((one) => gapItem(one, report))
  const odd = observations.filter((one) => !isOrdinary(one)).map((one) => gapItem(one, report))
  return html`<section id="gaps" aria-labelledby="gaps-title"><h2 id="gaps-title">Where the contract is silent <small data-shown="gaps">${observations.length}</small></h2>
<p class="hint">None of this fails a run: it records what your implementation does. Each entry can become a sentence of the contract. <i>not stated</i> and <i>not shown</i> are the contract’s own marks; <i>silent</i>: it does not mention the question.</p>
<div class="gaps">${odd}</div>${ordinary.length === 0 ? null : html`<details data-group><summary>${ordinary.length} answered as the reference mock does</summary><div class="gaps">${ordinary}</div></details>`}<p class="empty-note" data-empty="gaps" hidden>No gap fits the search.</p></section>`
}

function gapItem(observation: Observation, report: Report): Markup {
  const text = report.questions[observation.gap]
  const other = text !== undefined && text.mockAnswer !== observation.value
  return html`<article class="gap" id="gap-${observation.gap}"><h3>${text?.question ?? observation.gap}</h3>
<p class="section"><code>${observation.gap}</code> · ${text?.mark ?? ''} · ${text?.section ?? ''}</p>
<p><code>${answerText(observation.value)}</code> ${observation.consistent ? null : html`<span class="tag warn">inconsistent</span> `}${declaredTag(observation)}${other ? html`<span class="detail">the mock: <code>${text.mockAnswer}</code></span> ` : null}${exchangeLinks(observation.exchanges, 4)}</p>
${observation.proposal === undefined ? null : html`<details class="proposal"><summary>Question and observed answer, as a note for the contract</summary><blockquote>${observation.proposal}</blockquote></details>`}</article>`
}

function declaredTag({ declared }: Observation): Markup | null {
  if (declared === undefined) return null
  return declared.met
    ? html`<span class="tag good">as declared</span> `
    : html`<span class="tag warn">declared ${declared.value}</span> `
}

/** Notices: observations that fail no run. */
export function noticeSection(notices: readonly Notice[]): Markup | null {
  if (notices.length === 0) return null
  return html`<section id="notices" aria-labelledby="notices-title"><h2 id="notices-title">Notices <small>${notices.length}</small></h2>
<ul class="notices">${notices.map(({ code, text, exchanges }) => html`<li><code>${code}</code> ${text} ${exchanges.length === 0 ? null : html`<span class="detail">${exchangeLinks(exchanges, 4)}</span>`}</li>`)}</ul></section>`
}
