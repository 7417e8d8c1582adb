/** Describes a problem of a scenario: the place, the rule and the correction. */
import type { RequirementId } from '../../spec/index.ts'

/** Steps from the root of the scenario to a value. */
export type DataPath = readonly (string | number)[]

export interface ScenarioProblem {
  readonly path: DataPath
  /** Whether the name at the path is wrong rather than its value. */
  readonly at: 'key' | 'value'
  readonly problem: string
  readonly fix: string
  /** The requirement that a mock with this fixture would break. */
  readonly requirement?: RequirementId
}

/** The problem of a field that the schema does not know. */
export const unknownField = 'is unknown'

/** Thrown for a scenario that cannot be played; the message names the first problem. */
export class ScenarioError extends Error {
  readonly code = 'scenario-invalid'
  /** The first place, for example `assistants[0].turns[1].answer`. */
  readonly place: string
  /** One line each, in the order of the file. */
  readonly problems: readonly string[]

  constructor(place: string, problems: readonly [string, ...string[]]) {
    const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    super(problems[0] + others)
    this.name = 'ScenarioError'
    this.place = place
    this.problems = problems
  }
}

/** `assistants[0].turns[1].answer`. */
function nameOfPath(path: DataPath): string {
  if (path.length === 0) return 'the scenario'
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')
}

/** The problem on one line, with the path but without the file. */
export function problemText({ path, problem, fix, requirement }: ScenarioProblem): string {
  const rule = requirement === undefined ? '' : ` (${requirement})`
  return `${nameOfPath(path)} ${problem}${rule}; ${fix}`
}

/** Throws a ScenarioError when there are problems. */
export function refuseProblems(
  problems: readonly ScenarioProblem[],
  placeOf: (problem: ScenarioProblem) => string,
): void {
  const [first, ...others] = problems
  if (first === undefined) return
  const line = (problem: ScenarioProblem) => `${placeOf(problem)}: ${problemText(problem)}`
  throw new ScenarioError(nameOfPath(first.path), [line(first), ...others.map(line)])
}
