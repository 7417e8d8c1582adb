/** The regular expressions of turns and files: compiled in one way, so that what was checked is what is played. */
import type { DataPath, ScenarioProblem } from './scenario-problem.ts'

/** An expression of a scenario; throws a SyntaxError. */
export function scenarioExpression(pattern: string): RegExp {
  return new RegExp(pattern, 'iu')
}

/** Why a text is no such expression. */
export function expressionProblems(pattern: string | undefined, path: DataPath): readonly ScenarioProblem[] {
  if (pattern === undefined) return []
  try {
    scenarioExpression(pattern)
    return []
  } catch (cause) {
    const problem = `is no regular expression: ${(cause as Error).message}`
    return [{ path, at: 'value', problem, fix: 'put a backslash before what is meant literally' }]
  }
}
