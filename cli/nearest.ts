/** Finds the name that was meant, so that a mistyped one costs a glance and not a search. */
import { distance } from 'fastest-levenshtein'

/** Of all names the one with the fewest letters changed, those that begin alike first; `null` when none is near. */
export const nearest = (given: string, known: readonly string[]): string | null => {
  const near = known
    .map((name) => ({
      name,
      changed: Math.min(distance(given, name), distance(given, name.slice(0, given.length)) + 1),
    }))
    .filter(({ changed }) => changed <= Math.max(1, Math.ceil(given.length / 4)))
    .sort((left, right) => left.changed - right.changed)
  return near[0]?.name ?? null
}
