/**
 * Makes persistent collections: each step leaves the earlier one as it was.
 * Their types list only what is used: comparing the whole types of `immutable` took a third of the type check.
 */
import { Map as ImmutableMap, List } from 'immutable'

export interface PersistentMap<Key, Value> extends Iterable<[Key, Value]> {
  readonly size: number
  get(key: Key): Value | undefined
  has(key: Key): boolean
  set(key: Key, value: Value): PersistentMap<Key, Value>
  delete(key: Key): PersistentMap<Key, Value>
  some(fits: (value: Value, key: Key) => boolean): boolean
  find(fits: (value: Value, key: Key) => boolean): Value | undefined
  keys(): IterableIterator<Key>
  values(): IterableIterator<Value>
}

export interface PersistentList<Value> {
  readonly size: number
  get(position: number): Value | undefined
  push(value: Value): PersistentList<Value>
}

export const emptyMap = <Key, Value>(): PersistentMap<Key, Value> => ImmutableMap<Key, Value>()

export const emptyList = <Value>(): PersistentList<Value> => List<Value>()
