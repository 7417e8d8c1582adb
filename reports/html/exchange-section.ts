/** The evidence: the streams that arrived oddly, a timeline, and the list of all exchanges, which the script fills. */

import { countText } from '../../spec/index.ts'
import { pieceSize } from '../body-text.ts'
import type { ReportedExchange } from '../report.ts'
import { arrivalPlot, arrivalSentence, msText } from './arrival-plot.ts'
import { html, type Markup } from './markup.ts'
import type { ExchangeRow } from './page-data-shape.ts'
import { isStream } from './stream-exchange.ts'
import { timelineChart } from './timeline-chart.ts'

/** Odd streams that get a plot on the page itself; every other one has its plot beside its lines. */
const plottedStreams = 4
const plotWidth = 240
const plotHeight = 72

/** Streams, timeline and the list. */
export function exchangeSection(exchanges: readonly ReportedExchange[], rows: readonly ExchangeRow[]): Markup {
  if (exchanges.length === 0)
    return html`<section id="exchanges"><h2>Exchanges</h2><p class="empty-note">Nothing was exchanged with the target.</p></section>`
  const kinds = [
    ['cited', 'shows a failure'],
    ['accepted', 'accepted'],
    ['rejected', 'rejected'],
    ['failed', 'no whole response'],
  ] as const
  const used = kinds.filter(([kind]) => rows.some((row) => row.kind === kind))
  return html`<section id="exchanges" aria-labelledby="exchanges-title"><h2 id="exchanges-title">Exchanges <small data-shown="exchanges">${exchanges.length}</small></h2>
${streamSummary(exchanges, rows)}
<details class="timeline-fold"><summary>Timeline</summary>${timelineChart(rows)}</details>
<form class="filters" role="search" aria-label="Filter exchanges" data-filter="exchanges" hidden><input type="search" name="query" placeholder="Search id, path, status, operation, probe" aria-label="Search exchanges" autocomplete="off" spellcheck="false">
<select name="kind" aria-label="Kind"><option value="">all kinds</option>${used.map(([kind, words]) => html`<option value="${kind}">${words}</option>`)}</select><span class="unseen" role="status" data-status="exchanges"></span></form>
<div class="exchange-head" aria-hidden="true" data-list-head hidden><span></span><span>Response</span><span>Request</span><span>Sent at</span><span>Took</span><span>Probe</span></div>
<div class="exchange-list" data-list tabindex="-1" role="list" aria-label="Exchanges"></div>
<p class="empty-note" data-empty="exchanges" hidden>No exchange fits the filter.</p>
<noscript><p class="empty-note">The list of exchanges needs a script; trace.ndjson beside this file holds all of them.</p></noscript></section>`
}

interface StreamArrival {
  readonly exchange: ReportedExchange
  readonly plot: ReturnType<typeof arrivalPlot>
  readonly isOdd: boolean
}

/**
 * Streams that arrived evenly, or that the suite aborted, are one sentence; those that came in one piece, broke off or
 * show a failure are drawn.
 */
function streamSummary(exchanges: readonly ReportedExchange[], rows: readonly ExchangeRow[]): Markup | null {
  const cited = new Set(rows.filter(({ kind }) => kind === 'cited').map(({ id }) => id))
  const streams = exchanges.filter(isStream).map((exchange): StreamArrival => {
    const pieces = exchange.response?.pieces ?? []
    const arrivals = pieces.map((piece) => ({ afterMs: piece.atMs - exchange.sentAtMs, sizeBytes: pieceSize(piece) }))
    const isBroken = exchange.ending !== 'complete' && exchange.ending !== 'aborted'
    const isOdd = isHeldBack(exchange) || isBroken || cited.has(exchange.id)
    return { exchange, plot: arrivalPlot(arrivals, plotWidth, plotHeight), isOdd }
  })
  if (streams.length === 0) return null
  const odd = streams.filter(({ isOdd }) => isOdd)
  const even = streams.filter(({ isOdd }) => !isOdd)
  const slowest = even.toSorted((one, other) => other.plot.longestGapMs - one.plot.longestGapMs)[0]
  const sentence =
    slowest === undefined
      ? null
      : html`<p class="hint" id="streams">${countText(even.length, 'stream')} arrived piece by piece (longest pause ${msText(slowest.plot.longestGapMs)}, <a href="#${slowest.exchange.id}">${slowest.exchange.id}</a>).</p>`
  const more = odd.length - plottedStreams
  return html`${sentence}${odd.length === 0 ? null : html`<h3>Streams to look at</h3><div class="plots">${odd.slice(0, plottedStreams).map(streamFigure)}</div>`}${more > 0 ? html`<p class="hint">${countText(more, 'more stream')} came in one piece, broke off or showed a failure.</p>` : null}`
}

/** Whether several lines came in one piece. */
function isHeldBack({ response }: ReportedExchange): boolean {
  const [first, ...others] = response?.pieces ?? []
  return others.length === 0 && first !== undefined && 'utf8' in first.bytes && /\n[^\n]/.test(first.bytes.utf8)
}

function streamFigure({ exchange, plot }: StreamArrival): Markup {
  const pieces = exchange.response?.pieces.length ?? 0
  return html`<figure class="plot"><figcaption><a href="#${exchange.id}">${exchange.id}</a> ${exchange.intent?.operation ?? ''}</figcaption>
<svg role="img" aria-label="${arrivalSentence(plot, pieces)}" viewBox="-4 -4 ${plotWidth + 8} ${plotHeight + 8}"><path class="line" d="${plot.line}"/><path class="marks" d="${plot.marks}"/></svg>
<p>${pieces === 1 ? `one piece of ${plot.totalBytes} bytes after ${msText(plot.totalMs)}` : `${pieces} pieces, first at ${msText(plot.firstMs)}, last at ${msText(plot.totalMs)}`}</p></figure>`
}
