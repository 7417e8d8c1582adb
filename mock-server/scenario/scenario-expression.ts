/**
 * Compiles and runs the regular expressions of a scenario under a time limit. One that backtracks endlessly would block
 * the mock.
 */
import { createContext, Script } from 'node:vm'
import { ScenarioFailure } from './scenario-failure.ts'
import type { DataPath, ScenarioProblem } from './scenario-problem.ts'

/** The interface of an expression for a scenario. */
export interface ScenarioExpression {
  /** Throws a ScenarioFailure when it takes too long. */
  test(text: string): boolean
}

const longestMs = 250

/** An expression of a scenario, with its place there; throws a SyntaxError. */
export function scenarioExpression(pattern: string, place: string): ScenarioExpression {
  const expression = new RegExp(pattern, 'iu')
  // Without repetition there is no backtracking, and no need for the time limit, which costs more than the match.
  return /[*+{?]/.test(pattern) ? watched(expression, place) : expression
}

function watched(expression: RegExp, place: string): ScenarioExpression {
  const scope = { expression, text: '' }
  const context = createContext(scope)
  const script = new Script('expression.test(text)')
  return {
    test(text) {
      scope.text = text
      try {
        return script.runInContext(context, { timeout: longestMs }) === true
      } catch (cause) {
        const problem = `the expression ${expression.source} took more than ${longestMs} ms; make it simpler`
        throw new ScenarioFailure(place, problem, cause)
      } finally {
        scope.text = ''
      }
    },
  }
}

/** Why a text is not a valid expression. */
export function expressionProblems(pattern: string | undefined, path: DataPath): readonly ScenarioProblem[] {
  if (pattern === undefined) return []
  try {
    scenarioExpression(pattern, path.join('.'))
    return []
  } catch (cause) {
    const problem = `is not a regular expression: ${(cause as Error).message}`
    return [{ path, at: 'value', problem, fix: 'put a backslash before literal characters' }]
  }
}
