/** Mutates a page of messages: items out of order, repeated, foreign, changed or too many. */
import { type Exchange, textOfPieces } from '../../conformance/index.ts'
import { otherId } from './document-mutations.ts'
import { ends } from './json-places.ts'
import type { Mutation, Site } from './mutation.ts'

type Item = Readonly<Record<string, unknown>>

/** The mutations of a site that holds a page with messages. */
export function* pageMutations(site: Site): Generator<Mutation> {
  if (site.operation !== 'listMessages' || site.status >= 300) return
  const page = site.document as { readonly items: readonly Item[] }
  const { items } = page
  const withItems = (changed: readonly Item[]): string => JSON.stringify({ ...page, items: changed })
  yield* wholePage(site, items, withItems)
  for (const index of ends(items)) {
    const item = items[index]
    if (item !== undefined)
      yield* oneItem(site, item, index, (...changed) => withItems(items.toSpliced(index, 1, ...changed)))
  }
}

function* wholePage(
  { exchange }: Site,
  items: readonly Item[],
  withItems: (items: readonly Item[]) => string,
): Generator<Mutation> {
  const [first] = items
  if (first === undefined) return
  const at = '/items'
  if (first.created_at !== items.at(-1)?.created_at)
    yield { operator: 'reversed', at, requirement: 'pagination.newest-first', body: withItems(items.toReversed()) }
  const limit = Number(new URL(exchange.request.url).searchParams.get('limit'))
  if (limit === items.length) {
    const more = { ...first, id: otherId(String(first.id)) }
    yield {
      operator: 'one item more',
      at,
      requirement: 'pagination.limit-caps-page',
      body: withItems([more, ...items]),
    }
  }
}

function* oneItem(
  site: Site,
  item: Item,
  index: number,
  withItem: (...changed: readonly Item[]) => string,
): Generator<Mutation> {
  const at = `/items/${index}`
  const foreign = { ...item, thread_id: otherId(String(item.thread_id)) }
  yield { operator: 'foreign item', at, requirement: 'threads.only-own-messages', body: withItem(foreign) }
  if (!wasCreated(site, item)) return
  yield { operator: 'duplicate item', at, requirement: 'threads.created-is-listed', body: withItem(item, item) }
  const requirement = wasListed(site, item) ? 'threads.message-never-changes' : 'threads.listed-as-created'
  const role = item.role === 'system' ? 'user' : 'system'
  yield { operator: 'changed content', at, requirement, body: withItem({ ...item, content: `${item.content}.` }) }
  yield { operator: 'changed role', at, requirement, body: withItem({ ...item, role }) }
}

/** Whether the answer to a creation before showed the message. */
const wasCreated = (site: Site, item: Item): boolean =>
  earlier(site, item).some(({ request }) => request.method === 'POST' && request.url.endsWith('/messages'))

/** Whether another list shows it as well, so that it is seen to change. */
const wasListed = (site: Site, item: Item): boolean =>
  earlier(site, item).some(({ request }) => request.method === 'GET' && request.url.includes('/messages'))

const earlier = ({ slice, exchange }: Site, { id }: Item): readonly Exchange[] =>
  slice.filter(
    ({ response, endedAtMs }) =>
      response !== null && endedAtMs < exchange.sentAtMs && textOfPieces(response.pieces).includes(`"id":"${id}"`),
  )
