/** Names the exchange under the pointer and opens it on a click; the list is the way by keyboard. */
import type { ExchangeRow } from '../page-data-shape.ts'
import { findElement } from './page-elements.ts'

/** How far from a bar the pointer may be, pixels. */
const reach = 6

/** Makes the timeline react to the pointer. */
export function startTimeline(rows: readonly ExchangeRow[]): void {
  const chart = findElement('[data-timeline]', SVGSVGElement)
  const tooltip = findElement('[data-tooltip]', HTMLElement)
  if (chart === null || tooltip === null) return
  const lanes = (chart.dataset.timeline ?? '').split(' ')
  const totalMs = Number(chart.dataset.totalMs)
  const byLane = new Map(lanes.map((lane) => [lane, rows.filter((row) => row.operation === lane)]))
  const under = (event: MouseEvent): ExchangeRow | null => {
    const box = chart.getBoundingClientRect()
    const lane = lanes[Math.floor(((event.clientY - box.top) / box.height) * lanes.length)]
    const perPixel = totalMs / box.width
    return lane === undefined
      ? null
      : nearest(byLane.get(lane) ?? [], (event.clientX - box.left) * perPixel, reach * perPixel)
  }
  chart.addEventListener('pointermove', (event) => showTooltip(tooltip, under(event), event))
  chart.addEventListener('pointerleave', () => showTooltip(tooltip, null, null))
  chart.addEventListener('click', (event) => {
    const row = under(event)
    if (row !== null) location.hash = row.id
  })
}

function nearest(rows: readonly ExchangeRow[], atMs: number, reachMs: number): ExchangeRow | null {
  let best: ExchangeRow | null = null
  let bestDistance = reachMs
  for (const row of rows) {
    const distance = Math.max(0, row.sentAtMs - atMs, atMs - row.sentAtMs - row.tookMs)
    if (distance <= bestDistance) {
      best = row
      bestDistance = distance
    }
  }
  return best
}

function showTooltip(tooltip: HTMLElement, row: ExchangeRow | null, at: MouseEvent | null): void {
  tooltip.hidden = row === null
  if (row === null || at === null) return
  tooltip.textContent = `${row.id} ${row.method} ${row.path} → ${row.answer}, ${row.tookMs} ms`
  tooltip.style.left = `${Math.min(at.clientX + 12, innerWidth - tooltip.offsetWidth - 8)}px`
  tooltip.style.top = `${at.clientY + 16}px`
}
