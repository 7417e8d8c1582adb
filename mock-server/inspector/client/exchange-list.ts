/**
 * The list of exchanges: only visible rows exist, and they are drawn at most once a frame. A visible row keeps its
 * element, since a mouse click lasts several frames and must end on the same element.
 */
import { hrefOf, placeNow } from './address.ts'
import { element, inNextFrame } from './elements.ts'
import { type ExchangeRow, isRunning } from './exchange-store.ts'
import { secondsText } from './time-text.ts'

const overscan = 6

interface ExchangeList {
  readonly root: HTMLElement
  /** Shows these rows from the next frame on; `dropped` says how many went from the front so far. */
  show(rows: readonly ExchangeRow[], dropped: number): void
}

/** An empty list, which follows its end until the user scrolls up. */
export function createExchangeList(): ExchangeList {
  const spacer = element('div', { 'aria-hidden': 'true', role: 'presentation' })
  const root = element('div', { class: 'rows', role: 'list', 'aria-label': 'Exchanges', tabindex: '0' }, spacer)
  let rows: readonly ExchangeRow[] = []
  let gone = 0
  let follows = true
  /** The last scroll position: only scrolling up leaves the end of the list, not a smaller page. */
  let top = 0
  const elements = new WeakMap<ExchangeRow, Row>()
  const draw = inNextFrame(() => {
    const height = rowHeight()
    spacer.style.height = `${rows.length * height}px`
    if (follows) root.scrollTop = root.scrollHeight
    top = root.scrollTop
    const first = Math.max(0, Math.floor(root.scrollTop / height) - overscan)
    const last = Math.min(rows.length, Math.ceil((root.scrollTop + root.clientHeight) / height) + overscan)
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined
    const items = rows.slice(first, last).map((row, index) => {
      const shown = elements.get(row) ?? createRow()
      elements.set(row, shown)
      shown.show(row, first + index, rows.length, height)
      return shown.root
    })
    keepInOrder(root, [spacer, ...items])
    if (focused !== undefined && !root.contains(document.activeElement)) focusRow(root, focused)
  })
  root.addEventListener(
    'scroll',
    () => {
      const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - rowHeight()
      if (isAtEnd || root.scrollTop < top) follows = isAtEnd
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

/** The name of a row in the address: its number in the journal, or its id while it runs. */
function keyOf(row: ExchangeRow): string {
  return row.number === null ? `running-${row.id}` : String(row.number)
}

/** `ok`, `refused`, `broken`, `running`: the state that colours a row, beside its text. */
export function kindOf(row: ExchangeRow): string {
  if (isRunning(row)) return 'running'
  if (row.status >= 400) return 'refused'
  return row.outcome === 'read-all' && row.status > 0 ? 'ok' : 'broken'
}

function rowHeight(): number {
  return matchMedia('(max-width: 760px)').matches ? 52 : 30
}

interface Row {
  readonly root: HTMLElement
  /** Shows the exchange at this place of so many. */
  show(row: ExchangeRow, index: number, total: number, height: number): void
}

const columns = ['status', 'method', 'target', 'note', 'time'] as const

/** An element for one exchange, which is changed only where the exchange has changed. */
function createRow(): Row {
  const cells = columns.map((name) => element('span', { class: name }))
  const link = element('a', {}, cells)
  const root = element('div', { role: 'listitem' }, link)
  let shown = ''
  return {
    root,
    show(row, index, total, height) {
      root.style.top = `${index * height}px`
      root.ariaSetSize = String(total)
      root.ariaPosInSet = String(index + 1)
      const key = keyOf(row)
      const { item, world } = placeNow()
      const isOpen = item === key && world === row.world
      const texts = textsOf(row)
      const now = JSON.stringify([key, kindOf(row), isOpen, texts])
      if (now === shown) return
      shown = now
      link.href = hrefOf({ world: row.world, item: key })
      link.className = kindOf(row)
      link.dataset.key = `${row.world} ${key}`
      link.ariaCurrent = isOpen ? 'true' : null
      for (const [at, name] of columns.entries()) {
        const cell = cells[at]
        if (cell !== undefined) cell.textContent = texts[name]
        if (cell !== undefined && name === 'target') cell.title = row.target
      }
    },
  }
}

function textsOf(row: ExchangeRow): Readonly<Record<(typeof columns)[number], string>> {
  return {
    status: isRunning(row) ? (row.held ? 'held' : '···') : String(row.status || '—'),
    method: row.method,
    target: shortTarget(row.target),
    note: noteOf(row),
    time: isRunning(row) ? '' : secondsText(row.durationUs),
  }
}

/** The path without the part common to all rows; of an id, the distinctive part. */
function shortTarget(target: string): string {
  return target.replace(/^\/w\/[^/]+/, '').replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}[0-9a-f]{0,4}/g, '$1…')
}

function noteOf(row: ExchangeRow): string {
  const faults = row.faults.map(({ fault, state }) => (state === 'missed' ? `${fault} missed` : fault))
  const planned = isRunning(row) && row.planned !== null ? ` of ${row.planned}` : ''
  const chunks = row.chunks === 0 ? [] : [`${row.chunks}${planned} ${row.chunks === 1 ? 'chunk' : 'chunks'}`]
  const end = isRunning(row) || row.outcome === 'read-all' ? [] : [row.outcome.replace('-', ' ')]
  return [row.reason ?? '', ...faults, ...chunks, ...end].filter((text) => text !== '').join(' · ')
}

/** Gives the parent these children; those that it has already stay in the document. */
function keepInOrder(parent: Element, wanted: readonly Element[]): void {
  const kept = new Set(wanted)
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove()
  let next = parent.firstElementChild
  for (const child of wanted) {
    if (child === next) next = child.nextElementSibling
    else parent.insertBefore(child, next)
  }
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
