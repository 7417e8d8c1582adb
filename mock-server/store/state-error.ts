/** The failure of a state directory; separate so that it can be recognised without loading the database. */

/** A directory that cannot be used for state. */
export class StateError extends Error {
  readonly code: 'state-locked' | 'state-unusable' | 'state-damaged'

  constructor(code: StateError['code'], problem: string, cause: unknown) {
    super(`state: ${problem}`, { cause })
    this.name = 'StateError'
    this.code = code
  }
}
