/** Formats a count in the singular or the plural. */

/** `1 rule`, `2 rules`; a plural that is not the singular with an s is given. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** `1 model call`, `1 of 20 model calls`: the noun agrees with the number before it. */
export function shareText(count: number, all: number | null, noun: string): string {
  return all === null ? countText(count, noun) : `${count} of ${countText(all, noun)}`
}
