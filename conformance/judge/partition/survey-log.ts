/**
 * Tallies the observations about one part of a trace and marks the components that show them. Observations about exchanges
 * that are judged elsewhere do not count.
 */
import type { OperationId } from '../../../spec/index.ts'
import { type Contradiction, ObservationLog, type Tally } from '../observation-log.ts'
import type { Marks } from './marks.ts'

export interface SurveyLogOptions {
  readonly requirement: string
  /** The component of an exchange of this part; `null` for one that is judged elsewhere. */
  readonly componentOf: (exchange: string) => number | null
  /** The exchanges that are judged elsewhere: a few, and asked for with every observation. */
  readonly elsewhere: ReadonlySet<string>
  /** The signature of an exchange for oracles that compare it with others. */
  readonly signatureOf: (exchange: string) => string
  readonly marks: Marks
  readonly most: number
}

/** Different contradictions of one rule that are kept for each look of the decisive exchange. */
const mostContradictions = 5

export class SurveyLog extends ObservationLog {
  readonly #options: SurveyLogOptions
  /** Obligations that were ambiguous in enough components. */
  readonly #enough = new Set<Tally>()

  constructor(options: SurveyLogOptions) {
    super()
    this.#options = options
  }

  override held(operation: OperationId, facet: string | null, exchange: string, other?: string): undefined {
    const { elsewhere, most } = this.#options
    if (elsewhere.has(other ?? exchange)) return
    super.held(operation, facet, exchange, other)
    if (this.tally(operation, facet).held > most) return
    this.#mark(`held ${operation} ${facet}`, other === undefined ? [exchange] : [exchange, other], most)
  }

  override contradicted(operation: OperationId, facet: string | null, contradiction: Contradiction): undefined {
    const decisive = contradiction.exchanges.at(-1)
    if (decisive === undefined || contradiction.exchanges.every((one) => this.#options.elsewhere.has(one))) return
    super.contradicted(operation, facet, contradiction)
    const look = this.#options.signatureOf(decisive)
    this.#mark(`contradicted ${operation} ${facet} ${look}`, contradiction.exchanges, mostContradictions)
  }

  override ambiguous(operation: OperationId, facet: string | null, exchange: string, why: string): undefined {
    if (this.#options.elsewhere.has(exchange)) return
    super.ambiguous(operation, facet, exchange, why)
    const tally = this.tally(operation, facet)
    if (this.#enough.has(tally)) return
    if (this.#mark(`ambiguous ${operation} ${facet}`, [exchange], this.#options.most)) this.#enough.add(tally)
  }

  /** Whether enough components are marked now. */
  #mark(what: string, exchanges: readonly string[], most: number): boolean {
    const { requirement, marks, componentOf } = this.#options
    const mark = `${requirement} ${what}`
    return exchanges.map((exchange) => marks.add(mark, componentOf(exchange), most)).includes(true)
  }
}
