/** Refuses options that are unknown or have no effect, since an ignored option looks like one that works. */
import { nearestName } from '../spec/index.ts'

/** An option that cannot be kept. */
export class OptionError extends RangeError {
  readonly code = 'option-invalid'
  /** Name of the option. */
  readonly field: string
  /** The problem, to follow the name. */
  readonly problem: string

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`)
    this.name = 'OptionError'
    this.field = field
    this.problem = problem
  }
}

/** Names of all options of a type; the compiler wants every one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** The text after "is unknown;": the closest name, or all known names. */
export function suggestionFor(given: string, known: readonly string[]): string {
  const near = nearestName(given, known)
  return near === null ? `use one of ${known.join(', ')}` : `did you mean "${near}"?`
}

/** Throws an OptionError for what is no object, and for a name that is not known. */
export function refuseUnknown(what: string, options: unknown, names: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new OptionError(what, `must be an object, with ${Object.keys(names).join(', ')}`)
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue
    throw new OptionError(name, `is unknown in ${what}; ${suggestionFor(name, Object.keys(names))}`)
  }
}

/** Throws an OptionError for a value that is none of these words. */
export function refuseOther(field: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return
  const meant = words.length === 0 ? '' : `; ${suggestionFor(value, words)}`
  throw new OptionError(field, `is unknown: "${value}"${meant}`)
}

/** Throws an OptionError for a seed that an export could not carry. */
export function checkSeed(seed: number | undefined): void {
  if (seed === undefined || (Number.isSafeInteger(seed) && seed >= 0)) return
  throw new OptionError('seed', 'must be a whole number from 0 on')
}

/** Throws an OptionError for a limit that would let everything or nothing through by accident. */
export function checkLimit(field: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= 0)) return
  throw new OptionError(field, `must be a whole number from 0 on, got ${JSON.stringify(value)}`)
}
