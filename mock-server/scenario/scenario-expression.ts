/**
 * Compiles and runs the regular expressions of a scenario under a time limit.
 * One that backtracks without end would stop the mock for everybody.
 */
import { createContext, Script } from 'node:vm'
import type { DataPath, ScenarioProblem } from './scenario-problem.ts'

/** What a scenario asks of an expression. */
export interface ScenarioExpression {
  /** Throws when it takes too long; the exchange then ends as a fault of the mock that names the expression. */
  test(text: string): boolean
}

const longestMs = 250

/** An expression of a scenario; throws a SyntaxError. */
export function scenarioExpression(pattern: string): ScenarioExpression {
  const expression = new RegExp(pattern, 'iu')
  // Without repetition there is nothing to backtrack into, and no need of a watch, which costs more than the match.
  return /[*+{?]/.test(pattern) ? watched(expression) : expression
}

function watched(expression: RegExp): ScenarioExpression {
  const scope = { expression, text: '' }
  const context = createContext(scope)
  const script = new Script('expression.test(text)')
  return {
    test(text) {
      scope.text = text
      try {
        return script.runInContext(context, { timeout: longestMs }) === true
      } catch (cause) {
        const problem = `the expression ${expression.source} of the scenario took more than ${longestMs} ms`
        throw new RangeError(problem, { cause })
      } finally {
        scope.text = ''
      }
    },
  }
}

/** Why a text is no such expression. */
export function expressionProblems(pattern: string | undefined, path: DataPath): readonly ScenarioProblem[] {
  if (pattern === undefined) return []
  try {
    scenarioExpression(pattern)
    return []
  } catch (cause) {
    const problem = `is not a regular expression: ${(cause as Error).message}`
    return [{ path, at: 'value', problem, fix: 'put a backslash before literal characters' }]
  }
}
