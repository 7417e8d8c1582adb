/** Finds the name that a mistyped one was meant for; a far one would mislead, so then there is none. */
import { distance } from 'fastest-levenshtein'

/**
 * Of all names the one with the fewest letters changed, swapped, or left out at its end; `null` when none is near.
 * The beginning of several names means none of them. Capital letters are no change.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given === '') return null
  const most = Math.max(1, Math.ceil(given.length / 4))
  const wanted = given.toLowerCase()
  const near = known
    .map((name) => {
      const small = name.toLowerCase()
      const whole = isSwapped(wanted, small) ? 1 : distance(wanted, small)
      const shortened = distance(wanted, small.slice(0, wanted.length)) + 1
      return { name, changed: Math.min(whole, shortened), isShortened: shortened < whole }
    })
    .filter(({ changed }) => changed <= most)
    .sort((left, right) => left.changed - right.changed)
  const [best, next] = near
  if (best === undefined || (best.isShortened && next?.isShortened === true && next.changed === best.changed))
    return null
  return best.name
}

/** Two letters that changed places are one slip. */
function isSwapped(given: string, name: string): boolean {
  const at = [...given].findIndex((letter, index) => letter !== name[index])
  const swapped = given.slice(0, at) + given.charAt(at + 1) + given.charAt(at) + given.slice(at + 2)
  return at >= 0 && swapped === name
}
