/** The view of exchanges: a list with a filter, and beside it the open exchange. */
import { goTo, hrefOf, placeNow } from './address.ts'
import type { Context, View } from './context.ts'
import { type Child, element, fill } from './elements.ts'
import { endedDetail } from './exchange-detail.ts'
import { createExchangeFilter } from './exchange-filter.ts'
import { createExchangeList } from './exchange-list.ts'
import type { ExchangeRow } from './exchange-store.ts'
import { createRunningDetail, type RunningDetail } from './running-detail.ts'

/** The view of exchanges. */
export function createExchangesView(context: Context): View {
  const list = createExchangeList()
  const empty = element('p', { class: 'empty' })
  const detail = element('div', { class: 'detail', 'aria-label': 'Exchange', role: 'region', tabindex: '-1' })
  const draw = () => {
    const { rows, total } = filter.choose(context.exchanges.rows(), context.world())
    empty.hidden = rows.length > 0
    empty.textContent = total > 0 ? 'No exchange fits the filter.' : hintFor(context)
    list.show(rows, context.exchanges.dropped())
  }
  const filter = createExchangeFilter(draw)
  let opened = ''
  let running: RunningDetail | null = null
  const put = (key: string, ...children: readonly Child[]) => {
    if (opened !== key) return
    fill(detail, element('a', { class: 'back', href: hrefOf({}) }, '← All exchanges'), children)
    if (document.activeElement?.closest('.rows') === null) detail.focus()
  }
  const open = async () => {
    const { item, world } = placeNow()
    const row = rowOf(context, world, item)
    root.classList.toggle('open', item !== '')
    if (row !== undefined && row.number !== null && item !== String(row.number)) {
      goTo({ item: String(row.number), world }, 'replace')
      return
    }
    const key = `${world} ${item} ${row === undefined}`
    if (key === opened) {
      running?.update()
      return
    }
    opened = key
    running = null
    if (row === undefined) {
      const text =
        item === '' ? 'Choose an exchange to see why it was answered so.' : 'The journal has no such exchange.'
      put(key, element('p', { class: 'empty' }, text))
    } else if (row.number === null) {
      running = createRunningDetail(context, row)
      put(key, running.root)
    } else put(key, await endedDetail(context, row, row.number))
  }
  const root = element(
    'div',
    { class: 'split' },
    element('div', { class: 'side' }, filter.root, list.root, empty),
    detail,
  )
  return {
    root,
    async show() {
      draw()
      await open()
    },
    async frame() {
      draw()
      if (placeNow().item.startsWith('running-')) await open()
    },
  }
}

function rowOf({ exchanges }: Context, world: string, item: string): ExchangeRow | undefined {
  const running = /^running-(\d+)$/.exec(item)?.[1]
  return running === undefined ? exchanges.find(world, Number(item)) : exchanges.running(Number(running))
}

function hintFor({ world, exchanges }: Context): string {
  const others = exchanges.rows().length
  const here = world() === 'default' ? location.origin : `${location.origin}/w/${world()}`
  const elsewhere = others === 0 ? '' : ` Other worlds have ${others}; tick “all worlds” to see them.`
  return `No exchange yet. Send requests to ${here}/v1, or try Chat.${elsewhere}`
}
