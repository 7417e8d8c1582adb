/** The failure of a seed: the broken rule, and the place. */
import type { FieldFault } from '../reasons/reason.ts'
import { faultLine } from '../state-file/field-rules.ts'

/** A seed that breaks a rule, with the reason's id. */
export class SeedError extends Error {
  readonly code: string
  /** Each problem with its place in the seed. */
  readonly faults: readonly FieldFault[]

  constructor(code: string, faults: readonly FieldFault[]) {
    super(`seed: ${faults.map(faultLine).join('; ')}`)
    this.name = 'SeedError'
    this.code = code
    this.faults = faults
  }
}
