/**
 * Defines value operators: they look at one site and propose invalid replacements with a prediction.
 * The prediction is only a claim; `mutantsOf` lets ajv confirm it.
 */
import type { Json } from '../../spec/index.ts'
import type { FaultClass } from './mutant.ts'
import type { Site } from './sites.ts'

export interface Proposal {
  /** Where the fault will be reported. */
  readonly pointer: string
  readonly keyword: string
  readonly class: FaultClass
  /** Keywords of the same node that may be violated along with it. */
  readonly companions?: readonly string[]
  /** The new value of the site. */
  readonly replacement: Json
}

export interface ValueOperator {
  readonly id: string
  readonly propose: (site: Site) => Iterable<Proposal>
}
