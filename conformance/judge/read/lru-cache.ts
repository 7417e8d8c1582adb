/**
 * Caches the results for the texts that were read last. A suite sends one body to several operations, and a service
 * returns the text that it was sent: a judge that kept every copy would hold the same text many times.
 */

/** With so few entries a linear search costs less than hashing a text. */
const kept = 16

/** Caches the last few texts and the result for each. */
export class LruCache<Made> {
  readonly #texts: string[] = []
  readonly #made: Made[] = []
  #next = 0
  readonly #make: (text: string) => Made

  constructor(make: (text: string) => Made) {
    this.#make = make
  }

  /** The result for the text, the same object as before if it is still cached. */
  of(text: string): Made {
    const at = this.#texts.indexOf(text)
    if (at >= 0) return this.#made[at] as Made
    const made = this.#make(text)
    this.#texts[this.#next] = text
    this.#made[this.#next] = made
    this.#next = (this.#next + 1) % kept
    return made
  }
}
