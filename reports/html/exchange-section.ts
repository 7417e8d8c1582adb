/** The evidence: timeline, how the streams arrived, and the list of all exchanges, which the script fills on demand. */
import { operations } from '../../spec/index.ts'
import { pieceSize } from '../body-text.ts'
import type { ReportedExchange } from '../report.ts'
import { arrivalPlot, arrivalSentence, msText } from './arrival-plot.ts'
import { html, type Markup } from './markup.ts'
import type { ExchangeRow } from './page-data-shape.ts'
import { timelineChart } from './timeline-chart.ts'

/** Streams that get a plot on the page itself; every other one has its plot in its dialog. */
const plottedStreams = 8
const plotWidth = 240
const plotHeight = 72

/** Timeline, stream plots and the list. */
export function exchangeSection(exchanges: readonly ReportedExchange[], rows: readonly ExchangeRow[]): Markup {
  if (exchanges.length === 0)
    return html`<section id="exchanges"><h2>Exchanges</h2><p class="empty-note">Nothing was exchanged with the target.</p></section>`
  return html`<section id="exchanges" aria-labelledby="exchanges-title"><h2 id="exchanges-title">Exchanges <small data-shown="exchanges">${exchanges.length}</small></h2>
${timelineChart(rows)}
${streamPlots(exchanges)}
<form class="filters" role="search" aria-label="Filter exchanges" data-filter="exchanges" hidden><input type="search" name="query" placeholder="Search id, path, status, operation, probe" aria-label="Search exchanges" autocomplete="off" spellcheck="false">
<select name="kind" aria-label="Kind"><option value="">all kinds</option><option value="cited">shows a violation</option><option value="accepted">accepted</option><option value="rejected">rejected</option><option value="failed">no whole answer</option></select><span class="unseen" role="status" data-status="exchanges"></span></form>
<div class="exchange-list" data-list tabindex="-1" role="list" aria-label="Exchanges"></div>
<p class="empty-note" data-empty="exchanges" hidden>No exchange fits the filter.</p>
<noscript><p class="empty-note">The list of exchanges needs a script; trace.ndjson beside this file holds all of them.</p></noscript></section>`
}

function streamPlots(exchanges: readonly ReportedExchange[]): Markup | null {
  const streams = exchanges.filter(isStream)
  if (streams.length === 0) return null
  const more = streams.length - plottedStreams
  return html`<h3 id="streams">How streams arrived</h3><p class="hint">Time runs to the right, bytes add up; a stream that was held back is one tall step.</p>
<div class="plots">${streams.slice(0, plottedStreams).map(streamPlot)}</div>${more > 0 ? html`<p class="hint">${more} more streams; open one in the list to see its plot.</p>` : null}`
}

/** A whole answer may come in two pieces by chance; a stream says what it is by its operation or its media type. */
function isStream({ intent, response }: ReportedExchange): boolean {
  if (response === null || response.pieces.length < 2) return false
  const mediaType = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const operation = intent?.operation ?? null
  return /ndjson|jsonl|json-seq/i.test(mediaType) || (operation !== null && operations[operation].stream !== null)
}

function streamPlot(exchange: ReportedExchange): Markup {
  const pieces = exchange.response?.pieces ?? []
  const arrivals = pieces.map((piece) => ({ afterMs: piece.atMs - exchange.sentAtMs, sizeBytes: pieceSize(piece) }))
  const plot = arrivalPlot(arrivals, plotWidth, plotHeight)
  return html`<figure class="plot"><figcaption><a href="#${exchange.id}">${exchange.id}</a> ${exchange.intent?.operation ?? ''}</figcaption>
<svg role="img" aria-label="${arrivalSentence(plot, pieces.length)}" viewBox="-4 -4 ${plotWidth + 8} ${plotHeight + 8}"><path class="line" d="${plot.line}"/><path class="marks" d="${plot.marks}"/></svg>
<p>${pieces.length} pieces, first at ${msText(plot.firstMs)}, last at ${msText(plot.totalMs)}</p></figure>`
}
