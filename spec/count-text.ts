/** Formats a count in the singular or the plural. */

/** `1 rule`, `2 rules`; a plural that is not the singular with an s is given. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
