/** The list of exchanges: only rows in sight exist, and they are drawn once a frame however many come. */
import { hrefOf, placeNow } from './address.ts'
import { element, fill, inNextFrame } from './elements.ts'
import { type ExchangeRow, isRunning } from './exchange-store.ts'
import { secondsText } from './time-text.ts'

const overscan = 6

export interface ExchangeList {
  readonly root: HTMLElement
  /** Shows these rows from the next frame on; `dropped` says how many went from the front so far. */
  show(rows: readonly ExchangeRow[], dropped: number): void
}

/** An empty list, which follows its end until somebody scrolls up. */
export function createExchangeList(): ExchangeList {
  const spacer = element('div', { 'aria-hidden': 'true', role: 'presentation' })
  const root = element('div', { class: 'rows', role: 'list', 'aria-label': 'Exchanges', tabindex: '0' }, spacer)
  let rows: readonly ExchangeRow[] = []
  let gone = 0
  let follows = true
  const draw = inNextFrame(() => {
    const height = rowHeight()
    spacer.style.height = `${rows.length * height}px`
    if (follows) root.scrollTop = root.scrollHeight
    const first = Math.max(0, Math.floor(root.scrollTop / height) - overscan)
    const last = Math.min(rows.length, Math.ceil((root.scrollTop + root.clientHeight) / height) + overscan)
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined
    const items = rows.slice(first, last).map((row, index) => rowElement(row, first + index, rows.length, height))
    fill(root, spacer, items)
    if (focused !== undefined) focusRow(root, focused)
  })
  root.addEventListener(
    'scroll',
    () => {
      follows = root.scrollTop + root.clientHeight >= root.scrollHeight - rowHeight()
      draw()
    },
    { passive: true },
  )
  root.addEventListener('keydown', (event) => moveFocus(event, root))
  new ResizeObserver(draw).observe(root)
  return {
    root,
    show(shown, dropped) {
      if (!follows) root.scrollTop -= (dropped - gone) * rowHeight()
      gone = dropped
      rows = shown
      draw()
    },
  }
}

/** What names a row in the address: its number in the journal, or its id while it runs. */
export function keyOf(row: ExchangeRow): string {
  return row.number === null ? `running-${row.id}` : String(row.number)
}

/** `ok`, `refused`, `broken`, `running`: what colours a row, beside its text. */
export function kindOf(row: ExchangeRow): string {
  if (isRunning(row)) return 'running'
  if (row.status >= 400) return 'refused'
  return row.outcome === 'read-all' && row.status > 0 ? 'ok' : 'broken'
}

function rowHeight(): number {
  return matchMedia('(max-width: 760px)').matches ? 52 : 30
}

function rowElement(row: ExchangeRow, index: number, total: number, height: number): HTMLElement {
  const key = keyOf(row)
  const { item, world } = placeNow()
  const open = item === key && world === row.world
  const link = element(
    'a',
    {
      href: hrefOf({ world: row.world, item: key }),
      class: kindOf(row),
      'data-key': `${row.world} ${key}`,
      ...(open ? { 'aria-current': 'true' } : null),
    },
    element('span', { class: 'status' }, isRunning(row) ? (row.held ? 'held' : '···') : String(row.status || '—')),
    element('span', { class: 'method' }, row.method),
    element('span', { class: 'target', title: row.target }, shortTarget(row.target)),
    element('span', { class: 'note' }, noteOf(row)),
    element('span', { class: 'time' }, isRunning(row) ? '' : secondsText(row.durationUs)),
  )
  const item_ = element(
    'div',
    { role: 'listitem', 'aria-setsize': String(total), 'aria-posinset': String(index + 1) },
    link,
  )
  item_.style.top = `${index * height}px`
  return item_
}

/** The path without what is the same in every row; of an id, what tells it from the others. */
function shortTarget(target: string): string {
  return target.replace(/^\/w\/[^/]+/, '').replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}[0-9a-f]{0,4}/g, '$1…')
}

function noteOf(row: ExchangeRow): string {
  const faults = row.faults.map(({ fault, state }) => (state === 'missed' ? `${fault} missed` : fault))
  const chunks =
    row.chunks === 0
      ? []
      : [`${row.chunks}${isRunning(row) && row.planned !== null ? ` of ${row.planned}` : ''} chunks`]
  const end = isRunning(row) || row.outcome === 'read-all' ? [] : [row.outcome.replace('-', ' ')]
  return [row.reason ?? '', ...faults, ...chunks, ...end].filter((text) => text !== '').join(' · ')
}

function focusRow(root: HTMLElement, key: string): void {
  const found = [...root.querySelectorAll('a')].find(({ dataset }) => dataset.key === key)
  found?.focus({ preventScroll: true })
}

function moveFocus(event: KeyboardEvent, root: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...root.querySelectorAll('a')]
  const next = links[links.findIndex((link) => link.matches(':focus')) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
