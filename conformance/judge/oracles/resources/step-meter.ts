/**
 * Counts the steps of validating a value against a target's schema, and stops at a limit. The limit is the same on
 * every machine; a deadline would give another verdict on a slower computer.
 */

/** Thrown when the work exceeds the limit, or needs an unsupported feature. */
export class Undecided extends Error {
  override readonly name = 'Undecided'
}

/** The remaining budget; shared by all judgements of one trace. */
export interface Allowance {
  steps: number
}

/** Deeper values and longer chains of references could overflow the stack. */
const mostDepth = 200
/** This many characters of a string count as one value. */
const charactersPerStep = 64

/** The meter of one validation at a time. */
export class StepMeter {
  #left = 0
  #depth = 0
  #allowance: Allowance = { steps: 0 }

  /** Runs a validation with so many steps; throws Undecided when they do not suffice. */
  run<Result>(allowance: Allowance, most: number, work: () => Result): Result {
    this.#allowance = allowance
    this.#left = Math.min(most, allowance.steps)
    this.#depth = 0
    return work()
  }

  /** A function with code of this weight begins to look at a value, and looks at each part of it at most once. */
  enter(weight: number, isQuadratic: boolean, value: unknown): void {
    this.#depth += 1
    if (this.#depth > mostDepth) throw new Undecided('its references lead too deep')
    const { size, depth } = measure(value, this.#left)
    if (depth > mostDepth) throw new Undecided('the value is too deep')
    this.spend(weight * size + (isQuadratic ? size * size : 0))
  }

  leave(): void {
    this.#depth -= 1
  }

  spend(steps: number): void {
    this.#left -= steps
    this.#allowance.steps -= steps
    if (this.#left < 0) throw new Undecided('it takes too much work')
  }
}

/** How many values there are in a value and how deep they lie; counts no further than to `most`. */
export function measure(value: unknown, most: number): { readonly size: number; readonly depth: number } {
  const open: (readonly [value: unknown, depth: number])[] = [[value, 1]]
  let size = 0
  let deepest = 0
  for (let next = open.pop(); next !== undefined && size <= most; next = open.pop()) {
    const [one, depth] = next
    deepest = Math.max(deepest, depth)
    size += typeof one === 'string' ? 1 + Math.ceil(one.length / charactersPerStep) : 1
    if (typeof one !== 'object' || one === null || depth > mostDepth) continue
    for (const inner of Object.values(one)) open.push([inner, depth + 1])
  }
  return { size, depth: deepest }
}
