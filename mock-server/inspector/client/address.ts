/** Keeps the state of the page after the # of the address. A link to an exchange or a thread opens it again. */

interface Place {
  readonly view: string
  readonly world: string
  /** The exchange or thread that is open. */
  readonly item: string
}

const nowhere: Place = { view: 'exchanges', world: 'default', item: '' }

/** The place that the address names. */
export function placeNow(): Place {
  const fields = new URLSearchParams(location.hash.slice(1))
  const field = (name: keyof Place) => fields.get(name) ?? nowhere[name]
  return { view: field('view'), world: field('world'), item: field('item') }
}

/** The address of a place beside the present one. */
export function hrefOf(change: Partial<Place>): string {
  const { view, world, item } = { ...placeNow(), item: '', ...change }
  return `#${new URLSearchParams({ view, world, ...(item === '' ? null : { item }) })}`
}

/** Goes there; `replace` leaves no way back to where it was. */
export function goTo(change: Partial<Place>, how: 'push' | 'replace' = 'push'): void {
  if (how === 'replace') location.replace(hrefOf(change))
  else location.hash = hrefOf(change)
}
