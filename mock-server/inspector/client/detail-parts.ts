/** The parts of which the view of one exchange is made. */
import { type Child, element, heading } from './elements.ts'
import { kindOf } from './exchange-list.ts'
import { type ExchangeRow, isRunning } from './exchange-store.ts'
import { createFrameTable, type Frame, joinedText } from './frames.ts'
import { wireBlock } from './json-block.ts'
import { clockText, secondsText } from './time-text.ts'

/** The request, its caller, and its ending. */
export function detailHeading(row: ExchangeRow): HTMLElement {
  const status = isRunning(row) ? 'running' : String(row.status || 'no answer')
  const end = isRunning(row) ? [] : [secondsText(row.durationUs), row.outcome.replace('-', ' ')]
  const facts = [
    row.operation ?? 'no operation',
    row.tenant === null ? 'no tenant' : `tenant ${row.tenant}`,
    `world ${row.world}`,
    clockText(row.startedAt),
    ...end,
  ]
  return element(
    'header',
    { class: 'detail-head' },
    heading(
      [element('span', { class: `badge ${kindOf(row)}` }, status), ` ${row.method} ${row.target}`],
      facts.join(' · '),
    ),
  )
}

/** A part with a title. */
export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return element('section', { 'aria-label': title }, element('h3', {}, title), children)
}

/** Names with their values. */
export function factList(pairs: readonly (readonly [string, Child])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    pairs.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

/** Letters of a text that still grows. */
const mostLetters = 800

interface StreamDetail {
  readonly root: HTMLElement
  /** Shows the frames of a stream, the last ones of many, and the text that they make, or its end. */
  show(frames: readonly Frame[], most?: number): void
}

/** The view of a stream, which is empty while there is no frame. */
export function createStreamDetail(startedAt: string): StreamDetail {
  const note = element('p', { class: 'quiet' })
  const table = createFrameTable(startedAt)
  const scroll = { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Frames' }
  const joined = wireBlock('Joined text', '')
  const root = element(
    'div',
    { class: 'stack' },
    section('Frames', note, element('div', scroll, table.root)),
    section('Text', joined),
  )
  return {
    root,
    show(frames, most = Number.POSITIVE_INFINITY) {
      const from = Math.max(0, frames.length - most)
      root.hidden = frames.length === 0
      note.hidden = from === 0
      note.textContent = from === 0 ? '' : `The last ${most} of ${frames.length} so far.`
      table.show(frames, from)
      // Nearly every frame has a letter or more.
      const text = joinedText(from === 0 ? frames : frames.slice(-mostLetters))
      joined.textContent = from === 0 ? text : `…${text.slice(-mostLetters)}`
    },
  }
}
