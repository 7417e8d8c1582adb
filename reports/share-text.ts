/** Formats a count beside the number of which it is a part. */
import { countText } from '../spec/index.ts'

/** `1 model call`, `1 of 20 model calls`: the noun agrees with the number before it. */
export function shareText(count: number, all: number | null, noun: string): string {
  return all === null ? countText(count, noun) : `${count} of ${countText(all, noun)}`
}
