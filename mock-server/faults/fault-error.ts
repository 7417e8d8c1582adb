/** The failure of a fault rule: which field is wrong, and why. */

/** An unknown fault, or a rule without effect. */
export class FaultError extends Error {
  readonly code = 'fault-invalid'
  /** Field of the rule that is wrong. */
  readonly field: string
  /** The problem, to follow the name of the field. */
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`fault: ${problem}`)
    this.name = 'FaultError'
    this.field = field
    this.problem = problem
  }
}
