/** The parts of which the view of one exchange is made. */
import { type Child, element, heading } from './elements.ts'
import { kindOf } from './exchange-list.ts'
import { type ExchangeRow, isRunning } from './exchange-store.ts'
import { type Frame, frameTable, joinedText } from './frames.ts'
import { wireBlock } from './json-block.ts'
import { clockText, secondsText } from './time-text.ts'

/** What was asked, by whom, and how it ended. */
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

/** Names with what they stand for. */
export function factList(pairs: readonly (readonly [string, Child])[]): HTMLElement {
  return element(
    'dl',
    { class: 'facts' },
    pairs.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

/** Letters of a text that still grows. */
const mostLetters = 2000

/** The frames of a stream, the last ones of many, and the text that they make, or its end. */
export function streamSections(
  startedAt: string,
  frames: readonly Frame[],
  most = Number.POSITIVE_INFINITY,
): readonly Child[] {
  if (frames.length === 0) return []
  const from = Math.max(0, frames.length - most)
  const note = from === 0 ? null : element('p', { class: 'quiet' }, `The last ${most} of ${frames.length} so far.`)
  const table = element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Frames' },
    frameTable(startedAt, frames, from),
  )
  const text = joinedText(frames)
  const shown = from === 0 ? text : `…${text.slice(-mostLetters)}`
  return [section('Frames', note, table), section('Text', wireBlock('Joined text', shown))]
}
