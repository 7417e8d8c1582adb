/** What the implementation does where the contract is silent, with text that the contract could adopt; and the notices. */
import type { Notice, Observation } from '../../conformance/index.ts'
import type { Report } from '../report.ts'
import { exchangeLinks } from './failure-section.ts'
import { html, type Markup } from './markup.ts'

/** One entry for each observed gap. */
export function gapSection(report: Report): Markup | null {
  const { observations } = report
  if (observations.length === 0) return null
  return html`<section id="gaps" aria-labelledby="gaps-title"><h2 id="gaps-title">What your implementation does where the contract is silent <small data-shown="gaps">${observations.length}</small></h2>
<p class="hint">None of this fails a run. Where answers differ between implementations, clients have to guess; each entry can become a sentence of the contract.</p>
<div class="gaps">${observations.map((observation) => gapItem(observation, report))}</div><p class="empty-note" data-empty="gaps" hidden>No gap fits the search.</p></section>`
}

function gapItem(observation: Observation, report: Report): Markup {
  const text = report.questions[observation.gap]
  const other = text !== undefined && text.mockAnswer !== observation.value
  return html`<article class="gap" id="gap-${observation.gap}" data-search="${observation.gap} ${text?.question ?? ''} ${observation.value}"><h3>${text?.question ?? observation.gap}</h3>
<p class="section"><code>${observation.gap}</code> · ${text?.mark ?? ''} · ${text?.section ?? ''}</p>
<dl><div><dt>Answer</dt><dd><code>${observation.value}</code> ${observation.consistent ? null : html`<span class="tag warn">not always the same</span>`}${declaredTag(observation)}</dd></div>
${other ? html`<div><dt>Mock</dt><dd><code>${text.mockAnswer}</code></dd></div>` : null}
${observation.exchanges.length === 0 ? null : html`<div><dt>Seen in</dt><dd>${exchangeLinks(observation.exchanges, 4)}</dd></div>`}
</dl>${observation.proposal === undefined ? null : html`<details class="proposal"><summary>Text that the contract could adopt</summary><blockquote>${observation.proposal}</blockquote></details>`}</article>`
}

function declaredTag({ declared }: Observation): Markup | null {
  if (declared === undefined) return null
  return declared.met
    ? html`<span class="tag good">as declared</span>`
    : html`<span class="tag warn">declared ${declared.value}</span>`
}

/** Notices: worth telling, failing nobody. */
export function noticeSection(notices: readonly Notice[]): Markup | null {
  if (notices.length === 0) return null
  return html`<section id="notices" aria-labelledby="notices-title"><h2 id="notices-title">Notices <small>${notices.length}</small></h2>
<ul class="notices">${notices.map(({ code, text, exchanges }) => html`<li><code>${code}</code> ${text} ${exchanges.length === 0 ? null : html`<span class="detail">${exchangeLinks(exchanges, 4)}</span>`}</li>`)}</ul></section>`
}
