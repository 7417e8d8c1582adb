/** Opens one exchange in a drawer beside the page, which stays usable. */
import { visibleText } from '../../sanitize-text.ts'
import { blockSize, type CitedVerdict, type ExchangeDetail, type ExchangeRow } from '../page-data-shape.ts'
import { addressAnchor, addressField, writeAddress } from './address.ts'
import { readBlock } from './data-blocks.ts'
import { type ExchangeTab, exchangeTabs } from './exchange-tabs.ts'
import { createElement, findElement } from './page-elements.ts'

interface Drawer {
  readonly element: HTMLElement
  readonly rows: readonly ExchangeRow[]
  /** Exchanges that previous and next go through: the steps of a failure, or all. */
  walk: readonly string[]
  openId: string
  /** The element that had the focus before. */
  opener: HTMLElement | null
}

/** Opens exchanges that links or the page's address name; the result moves the open one and says whether one is open. */
export function startExchangeDrawer(rows: readonly ExchangeRow[]): (by: number) => boolean {
  const element = findElement('[data-drawer]', HTMLElement)
  if (element === null) return () => false
  const drawer: Drawer = { element, rows, walk: [], openId: '', opener: null }
  const known = new Set(rows.map(({ id }) => id))
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const id = decodeURIComponent(link?.hash.slice(1) ?? '')
    if (link === null || !known.has(id) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!element.contains(link)) drawer.opener = link
    if (!element.contains(link)) drawer.walk = walkFrom(link, known)
    void open(drawer, id)
  })
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && drawer.openId !== '') close(drawer)
  })
  const follow = (): void => {
    const named = known.has(addressAnchor()) ? addressAnchor() : addressField('exchange')
    if (known.has(named)) void open(drawer, named)
    else if (drawer.openId !== '') close(drawer)
  }
  addEventListener('hashchange', follow)
  follow()
  return (by) => move(drawer, by)
}

/** The exchanges of the failure that a link is in, in order; none elsewhere. */
function walkFrom(link: HTMLElement, known: ReadonlySet<string>): readonly string[] {
  const links = [...(link.closest('.place')?.querySelectorAll('a') ?? [])]
  const ids = new Set(links.map(({ hash }) => decodeURIComponent(hash.slice(1))).filter((id) => known.has(id)))
  return [...ids].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

function move(drawer: Drawer, by: number): boolean {
  if (drawer.openId === '') return false
  const next = neighbour(drawer, by)
  if (next !== undefined) void open(drawer, next)
  return true
}

function neighbour({ walk, rows, openId }: Drawer, by: number): string | undefined {
  const ids = walk.includes(openId) ? walk : rows.map(({ id }) => id)
  return ids[ids.indexOf(openId) + by]
}

/** The exchange with this id out of its block. */
async function detailOf(rows: readonly ExchangeRow[], id: string): Promise<ExchangeDetail | undefined> {
  const index = rows.findIndex((row) => row.id === id)
  const block = await readBlock<readonly ExchangeDetail[]>(`exchange-block-${Math.floor(index / blockSize)}`)
  return block?.[index % blockSize]
}

async function open(drawer: Drawer, id: string): Promise<void> {
  const { element, rows } = drawer
  const row = rows.find((one) => one.id === id)
  const detail = await detailOf(rows, id)
  const verdicts = await readBlock<readonly CitedVerdict[]>('verdicts')
  if (row === undefined || detail === undefined) return
  const isNew = drawer.openId === ''
  drawer.openId = id
  const anchor = addressAnchor()
  const tabs = exchangeTabs(detail, verdicts ?? [])
  const wanted = addressField('tab')
  const chosen = tabs.find(({ name }) => name.toLowerCase() === wanted) ?? tabs[detail.isStream ? 2 : 1] ?? tabs[0]
  element.replaceChildren(titleBar(drawer, row), tabBox(tabs, chosen))
  element.hidden = false
  writeAddress({ exchange: id }, rows.some((one) => one.id === anchor) ? 'exchanges' : anchor)
  if (isNew || !element.contains(document.activeElement)) findElement('h2', HTMLElement, element)?.focus()
}

function close(drawer: Drawer): void {
  drawer.element.hidden = true
  drawer.element.replaceChildren()
  drawer.openId = ''
  writeAddress({ exchange: '', tab: '' })
  drawer.opener?.focus()
}

function titleBar(drawer: Drawer, { id, method, path, answer, probe, sentAtMs, tookMs }: ExchangeRow): HTMLElement {
  const button = (name: string, action: () => void, isOff = false): HTMLElement => {
    const made = createElement('button', { type: 'button' }, name)
    made.disabled = isOff
    made.addEventListener('click', action)
    return made
  }
  return createElement(
    'div',
    { class: 'drawer-bar' },
    createElement('h2', { id: 'drawer-title', tabindex: '-1' }, visibleText(`${id} · ${method} ${path} → ${answer}`)),
    createElement(
      'p',
      { class: 'hint' },
      `${probe === '' ? 'recorded' : `probe ${probe}`}, at ${sentAtMs} ms, took ${tookMs} ms`,
    ),
    createElement(
      'div',
      { class: 'buttons' },
      button('Previous', () => move(drawer, -1), neighbour(drawer, -1) === undefined),
      button('Next', () => move(drawer, 1), neighbour(drawer, 1) === undefined),
      button('Close', () => close(drawer)),
    ),
  )
}

/** A tab list with its panel, after the ARIA pattern: arrow keys choose. */
function tabBox(tabs: readonly ExchangeTab[], first: ExchangeTab | undefined): HTMLElement {
  const panel = createElement('div', { role: 'tabpanel', class: 'drawer-body', tabindex: '0' })
  const buttons = tabs.map(({ name }) => createElement('button', { type: 'button', role: 'tab' }, name))
  const choose = (tab: ExchangeTab): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(tabs[index] === tab))
      button.tabIndex = tabs[index] === tab ? 0 : -1
    }
    panel.setAttribute('aria-label', tab.name)
    panel.replaceChildren(...tab.parts().filter((part) => part !== null))
  }
  const list = createElement('div', { role: 'tablist', 'aria-label': 'Parts of the exchange' }, ...buttons)
  const follow = (index: number): void => {
    const tab = tabs[index]
    if (tab === undefined) return
    choose(tab)
    writeAddress({ tab: tab.name.toLowerCase() })
    buttons[index]?.focus()
  }
  for (const [index, button] of buttons.entries()) button.addEventListener('click', () => follow(index))
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    follow((buttons.findIndex((button) => button.tabIndex === 0) + by + tabs.length) % tabs.length)
  })
  if (first !== undefined) choose(first)
  return createElement('div', {}, list, panel)
}
