/**
 * A map with two keys. It is nested, since one combined key would be a copy of every body of a trace. Several oracles use
 * it to look for requests with the same body.
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
