/**
 * Tallies the observations about one part of a trace and marks the components that show them. What a part says of exchanges
 * that are judged elsewhere does not count.
 */
import type { OperationId } from '../../../spec/index.ts'
import { type Contradiction, ObservationLog } from '../observation-log.ts'
import type { Marks } from './marks.ts'

interface SurveyLogOptions {
  readonly requirement: string
  /** The component of an exchange of this part; `null` for one that is judged elsewhere. */
  readonly componentOf: (exchange: string) => number | null
  /** What an exchange looks like to oracles that compare it with others. */
  readonly signatureOf: (exchange: string) => string
  readonly marks: Marks
  readonly most: number
}

/** Different contradictions of one rule that are kept for each look of the decisive exchange. */
const mostContradictions = 5

export class SurveyLog extends ObservationLog {
  readonly #options: SurveyLogOptions

  constructor(options: SurveyLogOptions) {
    super()
    this.#options = options
  }

  override held(operation: OperationId, facet: string | null, exchange: string, other?: string): undefined {
    if (this.#options.componentOf(other ?? exchange) === null) return
    super.held(operation, facet, exchange, other)
    if ((this.about(operation, facet)?.held ?? 0) > this.#options.most) return
    this.#mark(`held ${operation} ${facet}`, other === undefined ? [exchange] : [exchange, other], this.#options.most)
  }

  override contradicted(operation: OperationId, facet: string | null, contradiction: Contradiction): undefined {
    const decisive = contradiction.exchanges.at(-1)
    if (decisive === undefined || contradiction.exchanges.every((one) => this.#options.componentOf(one) === null))
      return
    super.contradicted(operation, facet, contradiction)
    const look = this.#options.signatureOf(decisive)
    this.#mark(`contradicted ${operation} ${facet} ${look}`, contradiction.exchanges, mostContradictions)
  }

  override ambiguous(operation: OperationId, facet: string | null, exchange: string, why: string): undefined {
    if (this.#options.componentOf(exchange) === null) return
    super.ambiguous(operation, facet, exchange, why)
    this.#mark(`ambiguous ${operation} ${facet}`, [exchange], this.#options.most)
  }

  #mark(what: string, exchanges: readonly string[], most: number): void {
    const { requirement, marks, componentOf } = this.#options
    for (const exchange of exchanges) marks.add(`${requirement} ${what}`, componentOf(exchange), most)
  }
}
