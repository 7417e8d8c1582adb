/** Maps numbers to small numbers in typed arrays: millions of entries in a fraction of what a Map takes. */

/** Above this share of used places a table grows. */
const fullest = 0.6

/** A table whose keys are hashes and whose values are 32-bit integers from 0 on. */
export class NumberTable {
  #keys = new Float64Array(1024).fill(-1)
  #values = new Int32Array(1024)
  #size = 0

  /** The value of a key, or `null`. */
  get(key: number): number | null {
    const at = this.#placeOf(key)
    return this.#keys[at] === key ? (this.#values[at] ?? null) : null
  }

  set(key: number, value: number): void {
    if (this.#size >= this.#keys.length * fullest) this.#grow()
    const at = this.#placeOf(key)
    if (this.#keys[at] !== key) this.#size += 1
    this.#keys[at] = key
    this.#values[at] = value
  }

  #placeOf(key: number): number {
    const mask = this.#keys.length - 1
    let at = (key ^ Math.floor(key / 2 ** 31)) & mask
    while (this.#keys[at] !== -1 && this.#keys[at] !== key) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(keys.length * 2).fill(-1)
    this.#values = new Int32Array(keys.length * 2)
    for (const [index, key] of keys.entries()) {
      if (key === -1) continue
      const at = this.#placeOf(key)
      this.#keys[at] = key
      this.#values[at] = values[index] ?? 0
    }
  }
}
