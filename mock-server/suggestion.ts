/** Helps with a name that is unknown: the one that was probably meant, and otherwise all that there are. */
import { nearestName } from '../spec/index.ts'

/** To stand behind "is unknown;". A name that is not near would mislead, so none is suggested then. */
export function suggestionFor(given: string, known: readonly string[]): string {
  const near = nearestName(given, known)
  return near === null ? `use one of ${known.join(', ')}` : `did you mean "${near}"?`
}
