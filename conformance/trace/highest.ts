/** The smallest of any number of values; `Infinity` without one. */
export const lowest = (values: readonly number[]): number =>
  -highest(
    values.map((value) => -value),
    Number.NEGATIVE_INFINITY,
  )

/** The largest of any number of values; spread into `Math.max`, more than about 120,000 of them overflow the stack. */
export function highest(values: Iterable<number>, least = 0): number {
  let most = least
  for (const value of values) if (value > most) most = value
  return most
}
