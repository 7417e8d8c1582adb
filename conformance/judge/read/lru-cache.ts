/**
 * What was made of the texts that were read last. A suite sends one body to several operations, and a service hands back what
 * it was sent: a judge that kept every copy would hold the same text many times over.
 */

/** A handful of texts is looked through in less time than one of them is read. */
const kept = 16

/** Remembers the last few texts and what each was made into. */
export class LruCache<Made> {
  readonly #texts: string[] = []
  readonly #made: Made[] = []
  #next = 0
  readonly #make: (text: string) => Made

  constructor(make: (text: string) => Made) {
    this.#make = make
  }

  /** What the text is made into, the same object as last time when that was not long ago. */
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
