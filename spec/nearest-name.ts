/** Finds the name that a mistyped one was meant for; a far one would mislead, so then there is none. */
import { distance } from 'fastest-levenshtein'

/** Of all names the one with the fewest letters changed, or left out at its end; `null` when none is near. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given === '') return null
  const most = Math.max(1, Math.ceil(given.length / 4))
  const near = known
    .map((name) => ({
      name,
      changed: Math.min(distance(given, name), distance(given, name.slice(0, given.length)) + 1),
    }))
    .filter(({ changed }) => changed <= most)
    .sort((left, right) => left.changed - right.changed)
  return near[0]?.name ?? null
}
