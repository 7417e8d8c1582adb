/**
 * A map with two keys. In two steps, since one key put together of both would be a copy of every body of a trace; apart
 * because several oracles look for requests with the same body.
 */
export class TwoKeyMap<Value> {
  readonly #known = new Map<string, Map<string, Value>>()

  find(outer: string, inner: string): Value | undefined {
    return this.#known.get(outer)?.get(inner)
  }

  set(outer: string, inner: string, value: Value): void {
    const alike = this.#known.get(outer) ?? new Map<string, Value>()
    this.#known.set(outer, alike.set(inner, value))
  }
}
