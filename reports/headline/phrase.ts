/** Defines how a sentence of the judge about exchanges is rewritten into what an operation does. */

/** The words may use the groups of the pattern, and what became of a text. */
export type Phrase = readonly [
  pattern: RegExp,
  words: string | ((change: string, ...parts: readonly string[]) => string),
]
