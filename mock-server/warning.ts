/**
 * Reports a failure that no exchange can carry as a warning of the process.
 * A timer has no caller that could catch it, and one failure must not end a mock with all its worlds.
 */

/** Warns of a failure, and goes on. */
export function warnOf(place: string, cause: unknown): void {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  process.emitWarning(`${place}: ${text}`, { type: 'AcsMockWarning' })
}
