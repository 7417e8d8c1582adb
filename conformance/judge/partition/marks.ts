/** Remembers which components of a part show something, the first few for each thing that is shown. */

/** A component, and the things that it was kept for. */
export interface Candidate {
  readonly component: number
  readonly marks: readonly string[]
}

export class Marks {
  readonly #counts = new Map<string, number>()
  readonly #marksOf = new Map<number, Set<string>>()

  /**
   * Notes that a component shows something, unless enough others do; returns whether enough do now, so that no further
   * call is needed.
   */
  add(mark: string, component: number | null, most: number): boolean {
    const count = this.#counts.get(mark) ?? 0
    if (count >= most) return true
    if (component === null) return false
    const own = this.#marksOf.get(component) ?? new Set<string>()
    this.#marksOf.set(component, own)
    if (own.has(mark)) return false
    own.add(mark)
    this.#counts.set(mark, count + 1)
    return count + 1 >= most
  }

  /** In the order in which the components begin. */
  candidates(): readonly Candidate[] {
    const sorted = [...this.#marksOf].sort(([left], [right]) => left - right)
    return sorted.map(([component, marks]) => ({ component, marks: [...marks] }))
  }
}
