/** One exchange in full: request, answer, how it arrived, and the command that repeats it. */
import type { Bytes, HeaderLines } from '../../../conformance/index.ts'
import { visibleText } from '../../sanitize-text.ts'
import { arrivalPlot, arrivalSentence } from '../arrival-plot.ts'
import { blockSize, type ExchangeDetail, type ExchangeRow } from '../page-data-shape.ts'
import { createElement, findElement, readBlock } from './page-elements.ts'

const plotWidth = 640
const plotHeight = 96

/** Opens exchanges that the page's address names, `#E12`. */
export function startExchangeDialog(rows: readonly ExchangeRow[]): void {
  const dialog = findElement('[data-dialog]', HTMLDialogElement)
  if (dialog === null) return
  const indexOf = new Map(rows.map((row, index) => [row.id, index]))
  const follow = (): void => {
    const index = indexOf.get(decodeURIComponent(location.hash.slice(1)))
    if (index !== undefined) open(dialog, rows, index)
    else if (dialog.open) dialog.close()
  }
  dialog.addEventListener('close', () => {
    if (indexOf.has(location.hash.slice(1))) history.replaceState(null, '', '#exchanges')
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  addEventListener('hashchange', follow)
  follow()
}

const parsedBlocks = new Map<number, readonly ExchangeDetail[]>()

function detailAt(index: number): ExchangeDetail | undefined {
  const number = Math.floor(index / blockSize)
  const block = parsedBlocks.get(number) ?? readBlock<readonly ExchangeDetail[]>(`exchange-block-${number}`) ?? []
  parsedBlocks.set(number, block)
  return block[index % blockSize]
}

function open(dialog: HTMLDialogElement, rows: readonly ExchangeRow[], index: number): void {
  const row = rows[index]
  const detail = detailAt(index)
  if (row === undefined || detail === undefined) return
  dialog.replaceChildren(
    titleBar(dialog, rows, index, row),
    createElement('div', { class: 'dialog-body' }, ...bodyParts(row, detail)),
  )
  if (!dialog.open) dialog.showModal()
  dialog.scrollTop = 0
}

function titleBar(
  dialog: HTMLDialogElement,
  rows: readonly ExchangeRow[],
  index: number,
  row: ExchangeRow,
): HTMLElement {
  const go = (name: string, to: number): HTMLElement => {
    const button = createElement('button', { type: 'button' }, name)
    const target = rows[to]
    button.disabled = target === undefined
    button.addEventListener('click', () => {
      if (target !== undefined) location.hash = target.id
    })
    return button
  }
  const close = createElement('button', { type: 'button' }, 'Close')
  close.addEventListener('click', () => dialog.close())
  const title = createElement('h2', { id: 'dialog-title' }, `${row.id} · ${row.method} ${row.path} → ${row.answer}`)
  return createElement('div', { class: 'dialog-bar' }, title, go('Previous', index - 1), go('Next', index + 1), close)
}

function bodyParts(row: ExchangeRow, { exchange, curl, sizes }: ExchangeDetail): readonly (Node | null)[] {
  const { request, response, intent, failure, omittedBytes } = exchange
  const meant = intent === null ? 'recorded, not sent by a probe' : `probe ${intent.probe}, ${intent.purpose}`
  return [
    createElement(
      'p',
      {},
      `${row.operation}; ${meant}; sent at ${row.sentAtMs} ms, took ${row.tookMs} ms, ${exchange.ending}${failure === undefined ? '' : `: ${visibleText(failure)}`}`,
    ),
    omittedBytes === undefined
      ? null
      : createElement('p', { class: 'hint' }, `${omittedBytes} bytes are left out here; the trace has them.`),
    part('Again', commandBlock(curl)),
    part(
      'Request',
      wire(`${request.method} ${request.url}\n${headerText(request.headers)}`),
      request.body === null ? null : wire(bodyText([request.body])),
    ),
    response === null ? null : part('Answer', wire(`${response.status}\n${headerText(response.headers)}`)),
    response === null ? null : answerBody(exchange.sentAtMs, response.pieces, sizes),
  ]
}

function part(title: string, ...children: readonly (Node | null)[]): HTMLElement {
  return createElement('section', {}, createElement('h3', {}, title), ...children)
}

function wire(text: string): HTMLElement {
  return createElement('pre', { class: 'wire', tabindex: '0' }, visibleText(text))
}

function commandBlock(text: string): HTMLElement {
  return createElement(
    'div',
    { class: 'command' },
    createElement('pre', { tabindex: '0' }, text),
    createElement('button', { type: 'button', 'data-copy': '' }, 'Copy'),
  )
}

function headerText(headers: HeaderLines): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

type Pieces = NonNullable<ExchangeDetail['exchange']['response']>['pieces']

function answerBody(sentAtMs: number, pieces: Pieces, sizes: readonly number[]): HTMLElement {
  if (pieces.length < 2) return part('Body', wire(bodyText(pieces.map(({ bytes }) => bytes))))
  const arrivals = pieces.map(({ atMs }, index) => ({ afterMs: atMs - sentAtMs, sizeBytes: sizes[index] ?? 0 }))
  const lines = pieces.map(
    ({ bytes }, index) => `+${Math.round(arrivals[index]?.afterMs ?? 0)} ms  ${bytesText(bytes)}`,
  )
  return part(
    'Body, in the pieces in which it arrived',
    plotElement(arrivals),
    wire(lines.map((line) => line.replace(/\n$/, '')).join('\n')),
  )
}

function plotElement(arrivals: readonly { afterMs: number; sizeBytes: number }[]): HTMLElement {
  const plot = arrivalPlot(arrivals, plotWidth, plotHeight)
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', `-4 -4 ${plotWidth + 8} ${plotHeight + 8}`)
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', arrivalSentence(plot, arrivals.length))
  for (const name of ['line', 'marks'] as const) {
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('class', name)
    path.setAttribute('d', plot[name])
    svg.append(path)
  }
  return createElement('figure', { class: 'plot' }, svg, createElement('p', {}, arrivalSentence(plot, arrivals.length)))
}

function bytesText(bytes: Bytes): string {
  return 'utf8' in bytes ? bytes.utf8 : `base64 ${bytes.base64}`
}

/** A body as it was sent, laid out when it is JSON and laying it out changes nothing but white space. */
function bodyText(parts: readonly Bytes[]): string {
  const text = parts.map(bytesText).join('')
  try {
    const value: unknown = JSON.parse(text)
    const compact = JSON.stringify(value)
    return compact.length === text.replace(/(?<=[,:[{])\s+|\s+(?=[\]}])/g, '').length
      ? JSON.stringify(value, null, 2)
      : text
  } catch {
    return text
  }
}
