/** The filter above the list of exchanges: words, a kind, one world or all. */
import { element, inNextFrame, labelled, selection } from './elements.ts'
import { kindOf } from './exchange-list.ts'
import type { ExchangeRow } from './exchange-store.ts'

interface ExchangeFilter {
  readonly root: HTMLElement
  /** The matching rows, and the total number of rows. */
  choose(rows: readonly ExchangeRow[], world: string): { readonly rows: readonly ExchangeRow[]; readonly total: number }
}

const kinds: Readonly<Record<string, (row: ExchangeRow) => boolean>> = {
  all: () => true,
  running: (row) => kindOf(row) === 'running',
  refused: (row) => kindOf(row) === 'refused',
  streams: (row) => row.chunks > 0 || row.planned !== null,
  'with faults': (row) => row.faults.length > 0,
  'left or broken off': (row) => kindOf(row) === 'broken',
}

/** An open filter; `changed` is called in the next frame after a change. */
export function createExchangeFilter(changed: () => void): ExchangeFilter {
  const search = element('input', { type: 'search', placeholder: 'path, reason, fault …' })
  const kind = selection(Object.keys(kinds).map((name) => [name, name]))
  const everywhere = element('input', { type: 'checkbox' })
  const count = element('output', { class: 'quiet' })
  const changedSoon = inNextFrame(changed)
  for (const control of [search, kind, everywhere]) control.addEventListener('input', changedSoon)
  return {
    root: element(
      'div',
      { class: 'filter', role: 'search', 'aria-label': 'Exchanges' },
      labelled('Filter', search),
      labelled('Kind', kind),
      element('label', { class: 'check' }, everywhere, 'all worlds'),
      count,
    ),
    choose(all, world) {
      const words = search.value.toLowerCase().split(/\s+/)
      const inWorld = everywhere.checked ? all : all.filter((row) => row.world === world)
      const ofKind = kind.value === 'all' ? inWorld : inWorld.filter((row) => kinds[kind.value]?.(row))
      const rows =
        search.value === '' ? ofKind : ofKind.filter((row) => words.every((word) => textOf(row).includes(word)))
      const { length: total } = inWorld
      count.textContent = rows.length === total ? String(total) : `${rows.length} of ${total}`
      return { rows, total }
    },
  }
}

function textOf(row: ExchangeRow): string {
  const faults = row.faults.map(({ fault }) => fault)
  const words = [row.status, row.method, row.target, row.operation, row.tenant, row.reason, row.outcome, ...faults]
  return words.join(' ').toLowerCase()
}
