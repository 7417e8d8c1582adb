/** The failure of a fault rule: which field is wrong, and why. */

/** A fault that there is not, or a rule that means nothing. */
export class FaultError extends Error {
  readonly code = 'fault-invalid'
  /** Field of the rule that is wrong. */
  readonly field: string
  /** What is wrong with it, to stand behind its name. */
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`fault: ${problem}`)
    this.name = 'FaultError'
    this.field = field
    this.problem = problem
  }
}
