/**
 * The report as one HTML file. All that matters is there without the script; the script filters, lists and opens
 * exchanges.
 */
import { failureCards } from '../failure-card.ts'
import type { Report } from '../report.ts'
import { chapterChart } from './chapter-chart.ts'
import { exchangeSection } from './exchange-section.ts'
import { failureSection } from './failure-section.ts'
import { gapSection, noticeSection } from './gap-section.ts'
import { headSection, pageTitle } from './head-section.ts'
import { type Content, html, type Markup } from './markup.ts'
import { matrixSection } from './matrix-section.ts'
import { page } from './page.ts'
import { dataBlocks, exchangeRows } from './page-data.ts'

export interface HtmlOptions {
  /** Where the printed replay commands find the report. */
  readonly reportPath?: string
  /** The profile that the run was told of. */
  readonly targetFile?: string | undefined
}

/** The self-contained page. */
export function renderHtml(report: Report, options: HtmlOptions = {}): string {
  const cards = failureCards(report, options)
  const rows = exchangeRows(report)
  const sections = [
    chapterChart(report),
    failureSection(report, cards),
    matrixSection(report),
    exchangeSection(report.exchanges, rows),
    gapSection(report),
    noticeSection(report.notices),
    aboutSection(),
  ]
  const nav = navigation(report, cards.length)
  return page(
    pageTitle(report),
    html`${headSection(report, cards)}<div class="columns">${nav}<main id="content" tabindex="-1">${sections}</main></div>
<dialog data-dialog aria-labelledby="dialog-title"></dialog><div class="tooltip" data-tooltip hidden></div>${dataBlocks(report, rows)}`,
  )
}

function navigation(report: Report, failures: number): Markup {
  const links: readonly (readonly [string, string, Content])[] = [
    ['#chapters', 'Chapters', null],
    ...(failures === 0 ? [] : [['#failures', 'Failures', failures] as const]),
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
<p>A verdict is given for each obligation: a requirement at an operation, in one of its facets. <b>Upheld</b> means that it was observed and nothing contradicts it; <b>unexercised</b>, that nothing was observed, for the reason given; <b>inconclusive</b>, that the evidence allows both. Only violated rules of level must whose basis is stated fail a run; a strict run adds implied ones.</p>
<p>Every verdict is a function of the recorded exchanges: <code>acs judge trace.ndjson</code> gives it again, offline. Keys and secrets are pseudonyms; long bodies are cut here and whole in the trace. A run shows what was observed, not that nothing else can happen.</p></section>`
}
