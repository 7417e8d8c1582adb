/**
 * A persistent map from ids to what bears them. A class, since one is made with every step: it must be small.
 * It hands `immutable` the last 16 characters of an id only: longer strings go through a cache there that costs more than
 * the map itself when every id comes fresh from a request. The rest of the id is compared afterwards.
 */
import { Map as Table } from 'immutable'

const keyLength = 16

export class IdMap<Item extends { readonly id: string }> {
  readonly #table: Table<string, Item>

  constructor(table: Table<string, Item> = Table()) {
    this.#table = table
  }

  /** How many things there are. */
  get size(): number {
    return this.#table.size
  }

  get(id: string): Item | undefined {
    const item = this.#table.get(id.slice(-keyLength))
    return item?.id === id ? item : undefined
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** The map with this item, in place of the one of the same id. */
  set(id: string, item: Item): IdMap<Item> {
    return new IdMap(this.#table.set(id.slice(-keyLength), item))
  }

  without(id: string): IdMap<Item> {
    return this.has(id) ? new IdMap(this.#table.delete(id.slice(-keyLength))) : this
  }

  some(fits: (item: Item) => boolean): boolean {
    return this.#table.some(fits)
  }

  find(fits: (item: Item) => boolean): Item | undefined {
    return this.#table.find(fits)
  }

  values(): IterableIterator<Item> {
    return this.#table.values()
  }
}
