/** A stream as a plot, a table of its lines, and its joined text beside the message that was stored. */
import type { Bytes } from '../../../conformance/index.ts'
import { pieceSize } from '../../body-text.ts'
import { visibleText } from '../../sanitize-text.ts'
import { arrivalPlot, arrivalSentence } from '../arrival-plot.ts'
import type { ExchangeDetail } from '../page-data-shape.ts'
import { textDifference } from '../text-difference.ts'
import { createElement } from './page-elements.ts'
import { type StreamText, streamText } from './stream-lines.ts'

const plotWidth = 640
const plotHeight = 72
/** Lines of the table; the response tab has all bytes. */
const shownLines = 200

/** The parts of the tab. */
export function streamParts({ exchange, stored }: ExchangeDetail): readonly Node[] {
  const pieces = exchange.response?.pieces ?? []
  const timed = pieces.map((piece) => ({
    afterMs: piece.atMs - exchange.sentAtMs,
    text: bytesText(piece.bytes),
    sizeBytes: pieceSize(piece),
  }))
  const stream = streamText(timed)
  return [
    plotFigure(timed),
    createElement('p', { class: 'hint' }, `The same in all lines: ${visibleText(JSON.stringify(stream.constant))}`),
    lineTable(stream),
    createElement('h3', {}, 'Joined text'),
    textBlock(stream.joined),
    ...(exchange.omittedBytes === undefined
      ? storedParts(stream.joined, stored)
      : [omittedNote(exchange.omittedBytes)]),
  ]
}

/** A note on bytes that the report does not hold. */
export function omittedNote(bytes: number): HTMLElement {
  return createElement('p', { class: 'hint' }, `${bytes} bytes are left out here; the trace has them.`)
}

/** Readable text of recorded bytes. */
export function bytesText(bytes: Bytes): string {
  return 'utf8' in bytes ? bytes.utf8 : `base64 ${bytes.base64}`
}

function lineTable({ lines }: StreamText): HTMLElement {
  const longest = Math.max(...lines.slice(1).map(({ gapMs }) => gapMs))
  const rows = lines
    .slice(0, shownLines)
    .map(({ afterMs, gapMs, sizeBytes, text, isChunk }, index) =>
      createElement(
        'tr',
        { class: index > 0 && gapMs === longest && longest > 0 ? 'longest' : '' },
        ...[`+${afterMs.toFixed(1)}`, gapMs.toFixed(1), String(sizeBytes)].map((cell) => createElement('td', {}, cell)),
        createElement(
          'td',
          { class: isChunk ? '' : 'lacking' },
          createElement('code', {}, visibleText(JSON.stringify(text))),
        ),
      ),
    )
  const names = ['+ms', 'Δms', 'bytes', 'delta'].map((name) => createElement('th', { scope: 'col' }, name))
  const table = createElement(
    'table',
    { class: 'lines' },
    createElement('thead', {}, createElement('tr', {}, ...names)),
    createElement('tbody', {}, ...rows),
  )
  const more = lines.length - rows.length
  return createElement(
    'div',
    { class: 'scroll', tabindex: '0' },
    table,
    more > 0 ? `${more} more lines in the trace` : null,
  )
}

function storedParts(joined: string, stored: ExchangeDetail['stored']): readonly Node[] {
  if (stored === null) return [createElement('p', { class: 'hint' }, 'No list of this run shows the stored message.')]
  const link = createElement('a', { href: `#${stored.exchange}` }, stored.exchange)
  if (stored.content === joined)
    return [createElement('p', {}, '✓ equal to the stored message, which ', link, ' lists')]
  const difference = textDifference(joined, stored.content)
  const mark = (text: string): HTMLElement => createElement('mark', {}, visibleText(text === '' ? '∅' : text))
  return [
    createElement('p', {}, '× not equal to the stored message, which ', link, ' lists:'),
    difference === null
      ? textBlock(stored.content)
      : createElement(
          'pre',
          { class: 'wire', tabindex: '0' },
          visibleText(difference.before),
          mark(difference.right),
          visibleText(difference.after),
        ),
  ]
}

function textBlock(text: string): HTMLElement {
  return createElement('pre', { class: 'wire', tabindex: '0' }, visibleText(text))
}

function plotFigure(arrivals: readonly { readonly afterMs: number; readonly sizeBytes: number }[]): HTMLElement {
  const plot = arrivalPlot(arrivals, plotWidth, plotHeight)
  const sentence = arrivalSentence(plot, arrivals.length)
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', `-4 -4 ${plotWidth + 8} ${plotHeight + 8}`)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', sentence)
  for (const name of ['line', 'marks'] as const) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('class', name)
    path.setAttribute('d', plot[name])
    svg.append(path)
  }
  return createElement('figure', { class: 'plot' }, svg, createElement('p', {}, sentence))
}
