/**
 * A persistent map from ids to items. It is a class, since every step creates one: it must be small.
 * It hands `immutable` the last 16 characters of an id only: longer strings go through a cache there that costs more than
 * the map itself when every id comes fresh from a request. The rest of the id is compared afterwards; an id whose last
 * characters belong to another one already, as ids made by hand may, is its own key.
 */
import { emptyMap, type PersistentMap } from './persistent.ts'

const keyLength = 16

export class IdMap<Item extends { readonly id: string }> {
  readonly #table: PersistentMap<string, Item>
  /** Whether an id may be its own key; while none is, a miss costs one look. */
  readonly #hasWholeKeys: boolean

  constructor(table: PersistentMap<string, Item> = emptyMap(), hasWholeKeys = false) {
    this.#table = table
    this.#hasWholeKeys = hasWholeKeys
  }

  /** How many things there are. */
  get size(): number {
    return this.#table.size
  }

  get(id: string): Item | undefined {
    const item = this.#table.get(id.slice(-keyLength))
    if (item?.id === id) return item
    return this.#hasWholeKeys ? this.#table.get(id) : undefined
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** The map with this item, in place of the one of the same id. */
  set(id: string, item: Item): IdMap<Item> {
    const key = this.#keyOf(id)
    return new IdMap<Item>(this.#table.set(key, item), this.#hasWholeKeys || key.length > keyLength)
  }

  without(id: string): IdMap<Item> {
    return this.has(id) ? new IdMap<Item>(this.#table.delete(this.#keyOf(id)), this.#hasWholeKeys) : this
  }

  /** The key of an item. */
  #keyOf(id: string): string {
    const key = id.slice(-keyLength)
    const found = this.#table.get(key)
    if (found === undefined) return this.#hasWholeKeys && this.#table.has(id) ? id : key
    return found.id === id ? key : id
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
