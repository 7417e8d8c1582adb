/**
 * Counts what the oracles report on one requirement, obligation by obligation. A count and the first few exchanges are
 * all that a verdict needs, so the log stays small for a trace of any length.
 */
import type { OperationId } from '../../spec/index.ts'

/** Evidence against a requirement. */
export interface Contradiction {
  /** The exchanges that contradict, the decisive one last. */
  readonly exchanges: readonly string[]
  readonly expected: string
  readonly actual: string
  /** JSON pointer into the body of the decisive exchange, `/headers/<name>` or `line <n>`. */
  readonly pointer?: string
  /** The contradiction in one sentence. */
  readonly because: string
  /** The contradiction as a clause about the operation, without exchanges: `accepts a request without a key`. */
  readonly headline: string
  /** Whether it shows only with the same pauses between many requests. */
  readonly timed?: true
}

/** All that was said about one obligation. */
export interface Tally {
  readonly operation: OperationId
  readonly facet: string | null
  held: number
  readonly heldBy: string[]
  contradicted: number
  readonly contradictions: Contradiction[]
  ambiguous: number
  readonly ambiguousIn: string[]
  whyAmbiguous: string | null
}

const keptExchanges = 3
const keptContradictions = 5

/** The record of one requirement; oracles speak to it. */
export class ObservationLog {
  readonly #tallies = new Map<OperationId, Map<string | null, Tally>>()
  /** Oracles speak about one obligation many times in a row. */
  #last: Tally | null = null

  /** The rule was seen to hold, in one exchange or between two. */
  held(operation: OperationId, facet: string | null, exchange: string, other?: string): undefined {
    const tally = this.tally(operation, facet)
    tally.held += 1
    if (tally.heldBy.length >= keptExchanges) return
    tally.heldBy.push(exchange)
    if (other !== undefined) tally.heldBy.push(other)
  }

  /** The rule was seen to be broken, and no allowed world explains it. */
  contradicted(operation: OperationId, facet: string | null, contradiction: Contradiction): undefined {
    const tally = this.tally(operation, facet)
    tally.contradicted += 1
    if (tally.contradictions.length < keptContradictions) tally.contradictions.push(contradiction)
  }

  /** The rule was touched, but the evidence does not decide. */
  ambiguous(operation: OperationId, facet: string | null, exchange: string, why: string): undefined {
    const tally = this.tally(operation, facet)
    tally.ambiguous += 1
    tally.whyAmbiguous ??= why
    if (tally.ambiguousIn.length < keptExchanges) tally.ambiguousIn.push(exchange)
  }

  /** What was said about one obligation, or `null`. */
  about(operation: OperationId, facet: string | null): Tally | null {
    return this.#tallies.get(operation)?.get(facet) ?? null
  }

  /** Everything that was said. */
  tallies(): readonly Tally[] {
    return [...this.#tallies.values()].flatMap((facets) => [...facets.values()])
  }

  /** The tally of one obligation, begun when there is none. */
  protected tally(operation: OperationId, facet: string | null): Tally {
    const last = this.#last
    if (last !== null && last.operation === operation && last.facet === facet) return last
    const tally = this.#tallyOf(operation, facet)
    this.#last = tally
    return tally
  }

  #tallyOf(operation: OperationId, facet: string | null): Tally {
    const before = this.#tallies.get(operation)
    const known = before?.get(facet)
    if (known !== undefined) return known
    const facets = before ?? new Map<string | null, Tally>()
    this.#tallies.set(operation, facets)
    const tally: Tally = {
      operation,
      facet,
      held: 0,
      heldBy: [],
      contradicted: 0,
      contradictions: [],
      ambiguous: 0,
      ambiguousIn: [],
      whyAmbiguous: null,
    }
    facets.set(facet, tally)
    return tally
  }
}
