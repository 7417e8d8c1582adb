/** The list of exchanges: only the visible rows exist, so that thousands of exchanges stay light. */
import type { ExchangeRow } from '../page-data-shape.ts'
import { addressField, laterAddress } from './address.ts'
import { createElement, findElement, inNextFrame } from './page-elements.ts'
import { announce } from './rule-filter.ts'

/** Rows kept above and below the visible ones. */
const overscan = 8

interface ListState {
  readonly list: HTMLElement
  readonly rows: readonly ExchangeRow[]
  readonly texts: readonly string[]
  shown: readonly ExchangeRow[]
}

/** Fills the list and makes its filter work. */
export function startExchangeList(rows: readonly ExchangeRow[]): void {
  const list = findElement('[data-list]', HTMLElement)
  const form = findElement('[data-filter=exchanges]', HTMLFormElement)
  if (list === null || form === null) return
  form.hidden = false
  const head = findElement('[data-list-head]', HTMLElement)
  if (head !== null) head.hidden = false
  const find = findElement('input', HTMLInputElement, form)
  const kind = findElement('select', HTMLSelectElement, form)
  if (find !== null) find.value ||= addressField('find')
  if (kind !== null) kind.value ||= addressField('kind')
  const texts = rows.map((row) =>
    `${row.id} ${row.method} ${row.path} ${row.answer} ${row.operation} ${row.probe}`.toLowerCase(),
  )
  const state: ListState = { list, rows, texts, shown: rows }
  const random = inNextFrame(() => drawRows(state))
  const writeLater = laterAddress()
  const apply = (): void => {
    state.shown = chosen(state, new FormData(form))
    list.scrollTop = 0
    announce('exchanges', state.shown.length, rows.length)
    list.hidden = state.shown.length === 0
    writeLater({ find: find?.value ?? '', kind: kind?.value ?? '' })
    random()
  }
  list.addEventListener('scroll', random, { passive: true })
  list.addEventListener('keydown', (event) => moveFocus(event, state))
  new ResizeObserver(random).observe(list)
  form.addEventListener('input', inNextFrame(apply))
  form.addEventListener('submit', (event) => event.preventDefault())
  apply()
}

function chosen({ rows, texts }: ListState, data: FormData): readonly ExchangeRow[] {
  const kind = String(data.get('kind') ?? '')
  const words = String(data.get('query') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return rows.filter(
    (row, index) => (kind === '' || row.kind === kind) && words.every((word) => texts[index]?.includes(word)),
  )
}

function rowHeight(): number {
  return matchMedia('(max-width: 880px)').matches ? 56 : 34
}

function drawRows({ list, shown }: ListState): void {
  const height = rowHeight()
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.index : undefined
  const first = Math.max(0, Math.floor(list.scrollTop / height) - overscan)
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + overscan)
  const spacer = createElement('div', { 'aria-hidden': 'true', role: 'presentation' })
  spacer.style.height = `${shown.length * height}px`
  list.style.height = `${shown.length * height + 2}px`
  const items = shown.slice(first, last).map((row, index) => rowElement(row, first + index, shown.length, height))
  list.replaceChildren(spacer, ...items)
  if (focused !== undefined) focusRow(list, Number(focused))
}

function rowElement(row: ExchangeRow, index: number, total: number, height: number): HTMLElement {
  const link = createElement(
    'a',
    { href: `#${row.id}`, 'data-index': String(index), class: row.kind },
    createElement('b', {}, row.id),
    createElement('span', { class: 'answer' }, row.answer),
    createElement('span', { class: 'path' }, `${row.method} ${row.path}`),
    createElement('span', { class: 'quiet-text took' }, `${Math.round(row.sentAtMs)} ms`),
    createElement('span', { class: 'quiet-text took' }, `${Math.round(row.tookMs)} ms`),
    createElement('span', { class: 'quiet-text probe' }, row.probe),
  )
  link.style.top = `${index * height}px`
  return createElement(
    'div',
    { role: 'listitem', 'aria-setsize': String(total), 'aria-posinset': String(index + 1) },
    link,
  )
}

function focusRow(list: HTMLElement, index: number): void {
  findElement(`[data-index="${index}"]`, HTMLElement, list)?.focus({ preventScroll: true })
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  Home: -Infinity,
  End: Infinity,
}

function moveFocus(event: KeyboardEvent, state: ListState): void {
  const step = steps[event.key]
  const current = event.target instanceof HTMLElement ? event.target.dataset.index : undefined
  if (step === undefined || current === undefined) return
  event.preventDefault()
  const next = Math.max(0, Math.min(state.shown.length - 1, Number(current) + step))
  const height = rowHeight()
  const { list } = state
  if (next * height < list.scrollTop) list.scrollTop = next * height
  if ((next + 1) * height > list.scrollTop + list.clientHeight) list.scrollTop = (next + 1) * height - list.clientHeight
  drawRows(state)
  focusRow(list, next)
}
