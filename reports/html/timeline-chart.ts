/** Draws the run as a timeline: a lane for each operation, a bar for each exchange. */
import { operationIds } from '../../spec/index.ts'
import { msText } from './arrival-plot.ts'
import { html, type Markup } from './markup.ts'
import { type ExchangeKind, type ExchangeRow, exchangeKinds } from './page-data-shape.ts'

const laneHeight = 14
const width = 1000
/** A bar narrower than this could not be seen, units. */
const narrowest = 1.5

/** The chart; one path for each kind, so that thousands of bars stay cheap. */
export function timelineChart(rows: readonly ExchangeRow[]): Markup {
  const lanes = lanesOf(rows)
  const totalMs = Math.max(1, ...rows.map(({ sentAtMs, tookMs }) => sentAtMs + tookMs))
  const height = lanes.length * laneHeight
  const paths = exchangeKinds.map((kind) => html`<path class="${kind}" d="${barsOf(rows, kind, lanes, totalMs)}"/>`)
  const stripes = lanes.map((_, index) =>
    index % 2 === 1
      ? html`<rect class="stripe" y="${index * laneHeight}" width="${width}" height="${laneHeight}"/>`
      : null,
  )
  return html`<figure class="timeline"><figcaption>Timeline <ul class="legend">${exchangeKinds.filter((kind) => rows.some((row) => row.kind === kind)).map((kind) => html`<li><i class="swatch ${kind}"></i>${kindWords[kind]}</li>`)}</ul></figcaption>
<div class="lanes"><ol aria-hidden="true">${lanes.map((lane) => html`<li>${lane}</li>`)}</ol>
<svg role="img" aria-label="${rows.length} exchanges over ${(totalMs / 1000).toFixed(1)} seconds in ${lanes.length} operations; the list below holds each" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" height="${height}" data-timeline="${lanes.join(' ')}" data-total-ms="${totalMs}">${stripes}${paths}</svg></div>
<p class="axis" aria-hidden="true">${[0, 0.25, 0.5, 0.75, 1].map((part) => html`<span>${msText(totalMs * part)}</span>`)}</p></figure>`
}

const kindWords: Readonly<Record<ExchangeKind, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'no whole response',
  cited: 'shows a failure',
}

function lanesOf(rows: readonly ExchangeRow[]): readonly string[] {
  const used = new Set(rows.map(({ operation }) => operation))
  return [...operationIds.filter((id) => used.has(id)), ...(used.has('other') ? ['other'] : [])]
}

function barsOf(rows: readonly ExchangeRow[], kind: ExchangeKind, lanes: readonly string[], totalMs: number): string {
  const laneOf = new Map(lanes.map((lane, index) => [lane, index]))
  return rows
    .filter((row) => row.kind === kind)
    .map(({ operation, sentAtMs, tookMs }) => {
      const y = (laneOf.get(operation) ?? 0) * laneHeight + 2
      const x = (sentAtMs / totalMs) * width
      const w = Math.max(narrowest, (tookMs / totalMs) * width)
      return `M${x.toFixed(1)} ${y}h${w.toFixed(1)}v${laneHeight - 4}h-${w.toFixed(1)}z`
    })
    .join('')
}
