/** Defines the syntax of a language for writing findings as its tests. */
import type { Literals } from './source-text.ts'

/** The syntax of tests in one language. */
export interface LanguageSyntax extends Literals {
  readonly comment: string
  /** The file around the tests. */
  readonly file: (parts: FileParts) => string
  readonly test: (name: string, lines: readonly string[]) => readonly string[]
  readonly answer: (variable: string, call: string) => string
  /** The answer of a call that is made again, for a while, until a list of values stands at a pointer; all are source text. */
  readonly until: (call: string, pointer: string, values: string) => string
  readonly text: (variable: string, call: string) => string
  readonly statement: (call: string) => string
}

interface FileParts {
  /** Comment lines at the top. */
  readonly head: readonly string[]
  /** A string literal. */
  readonly baseUrl: string
  readonly tests: readonly string[]
  /** The file without folder and extension; Java calls the class so. */
  readonly name: string
}
