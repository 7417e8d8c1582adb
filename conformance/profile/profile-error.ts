/**
 * Reports why a profile cannot be used. Each problem has file, line and column, the reason, and the fix.
 */

export interface ProfileProblem {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly reason: string
  /** The fix. */
  readonly fix: string
}

const lineOf = ({ file, line, column, reason, fix }: ProfileProblem): string =>
  `${file}:${line}:${column}: ${reason}; ${fix}`

/** Thrown by loadProfile and parseProfile; the message is one line about the first problem. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError'
  readonly code = 'profile'
  /** In the order of the file, at least one. */
  readonly problems: readonly [ProfileProblem, ...ProfileProblem[]]
  /** A line for each problem. */
  readonly lines: readonly string[]
  constructor(first: ProfileProblem, others: readonly ProfileProblem[] = [], options?: ErrorOptions) {
    super(lineOf(first) + (others.length === 0 ? '' : ` (and ${others.length} more)`), options)
    this.problems = [first, ...others]
    this.lines = this.problems.map(lineOf)
  }
}
