/**
 * The report as one HTML file. All results are readable without the script; the script filters, lists and opens exchanges.
 */
import { likelyCauses } from '../diagnosis/cause-text.ts'
import { type CardOptions, type FailureCard, failureCards } from '../failure-card.ts'
import type { Report } from '../report.ts'
import { exchangeSection } from './exchange-section.ts'
import { failureSection, failuresOn } from './failure-section.ts'
import { gapSection, noticeSection } from './gap-section.ts'
import { headSection, pageTitle } from './head-section.ts'
import { invalidSection } from './invalid-section.ts'
import { type Content, html, type Markup } from './markup.ts'
import { page } from './page.ts'
import { dataBlocks, exchangeRows } from './page-data.ts'
import { rulesSection } from './rules-section.ts'

/** The self-contained page. */
export function renderHtml(report: Report, options: CardOptions = {}): string {
  if (report.run.outcome === 'invalid') {
    const section = invalidSection(report, options.targetFile)
    const head = headSection(report, [])
    return page(
      pageTitle(report),
      html`${head}<div class="columns alone"><main id="content" tabindex="-1">${section}</main></div>`,
    )
  }
  const causes = likelyCauses(report, options)
  const cards = failureCards(report, options)
  const head = headSection(report, causes)
  const rows = exchangeRows(report)
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]))
  const sections = [
    failureSection(cards, causes, exchanges),
    rulesSection(report),
    exchangeSection(report.exchanges, rows),
    gapSection(report),
    noticeSection(report.notices),
    aboutSection(),
  ]
  return page(
    pageTitle(report),
    html`${head}<div class="columns">${navigation(report, cards)}<main id="content" tabindex="-1">${sections}</main></div>
<aside class="drawer" data-drawer role="dialog" aria-labelledby="drawer-title" hidden></aside><div class="tooltip" data-tooltip hidden></div>${dataBlocks(report, rows, cards)}`,
  )
}

function navigation(report: Report, cards: readonly FailureCard[]): Markup {
  const links: readonly (readonly [string, string, Content])[] = [
    ...(cards.length === 0 ? [] : [['#failures', 'Failures', failuresOn(cards)] as const]),
    ['#rules', 'Rules', new Set(report.verdicts.map(({ requirement }) => requirement)).size],
    ['#exchanges', 'Exchanges', report.exchanges.length],
    ...(report.observations.length === 0 ? [] : [['#gaps', 'Gaps', report.observations.length] as const]),
    ...(report.notices.length === 0 ? [] : [['#notices', 'Notices', report.notices.length] as const]),
    ['#about', 'About', null],
  ]
  return html`<nav aria-label="Sections"><ul>${links.map(([href, name, count]) => html`<li><a href="${href}">${name}${count === null ? null : html` <small>${count}</small>`}</a></li>`)}</ul></nav>`
}

function aboutSection(): Markup {
  return html`<section id="about" aria-labelledby="about-title"><h2 id="about-title">About this report</h2>
<p>Each obligation is a rule at one operation. <b>Passed</b>: it was observed and nothing contradicts it. <b>Not tested</b>: nothing was observed, for the reason given. <b>Inconclusive</b>: the evidence does not decide it. Only rules of level must that the contract states are <b>blocking</b>; a strict run adds implied and convention ones.</p>
<p>All verdicts follow from the recorded exchanges: <code>acs judge trace.ndjson</code> reproduces them offline. Keys and secrets are pseudonyms; long bodies are shortened here; the trace contains them in full.</p>
<p class="tooltip keys" data-keys hidden> <kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> next and previous failure (or exchange, while one is open) · <kbd>Esc</kbd> close · <kbd>?</kbd> show or hide these keys</p></section>`
}
