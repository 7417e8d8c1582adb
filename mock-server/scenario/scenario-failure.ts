/**
 * A mistake of a scenario that shows only while it is played.
 * A function fails, or an expression takes too long. It is not a failure of the mock: its author can correct it.
 */
export class ScenarioFailure extends Error {
  readonly code = 'scenario-failure'

  /** `place` says where in the scenario, for example `assistant "Echo", turn 2`. */
  constructor(place: string, problem: string, cause?: unknown) {
    super(`${place}: ${problem}`.replace(/\s+/g, ' '), { cause })
    this.name = 'ScenarioFailure'
  }
}
