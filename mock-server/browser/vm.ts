/**
 * Replaces node:vm in a browser: runs the one script that the engine has, an expression of a scenario.
 * A browser cannot stop an expression that takes too long; it stops the page, which belongs to the scenario's author.
 */

interface Scope {
  readonly expression: RegExp
  readonly text: string
}

/** The scope itself. */
export const createContext = (scope: Scope): Scope => scope

/** The script `expression.test(text)`. */
export class Script {
  runInContext({ expression, text }: Scope): boolean {
    return expression.test(text)
  }
}
