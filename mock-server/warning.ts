/**
 * Reports a failure that no exchange can carry as a warning of the process.
 * A timer has no caller that could catch it, and one failure must not end a mock with all its worlds.
 */

const type = 'AcsMockWarning'

/** Warns in a sentence. */
export function warnPlainly(problem: string): void {
  process.emitWarning(problem, { type })
}

/** The number of texts kept: a message that is different each time must fill neither the memory nor the terminal. */
const mostTold = 1000

/** Reports each sentence once, up to a limit of different ones. */
export function eachOnce(tell: (problem: string) => void): (problem: string) => void {
  const told = new Set<string>()
  return (problem) => {
    if (told.has(problem) || told.size >= mostTold) return
    told.add(problem)
    tell(problem)
  }
}

/** Warns of a failure, and goes on. */
export function warnOf(place: string, cause: unknown): void {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  process.emitWarning(`${place}: ${text}`, { type })
}
