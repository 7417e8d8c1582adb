/**
 * Finds where two texts differ and cuts both around it.
 * Long values often differ far behind, so that cutting at a fixed length would show the same text twice.
 */

/** Two texts as their common and their different parts. */
interface TextDifference {
  readonly before: string
  readonly left: string
  readonly right: string
  readonly after: string
}

/** Characters that are kept on each side of the difference. */
const contextLength = 20
/** Characters of a difference that are shown. */
const longestPart = 200
/** Two texts that share less than this part of the shorter one are not compared sign by sign. */
const comparablePart = 0.5

/** Where the texts differ; `null` when they are equal, or too unlike for a comparison to help. */
export function textDifference(left: string, right: string): TextDifference | null {
  if (left === right) return null
  const start = commonStart(left, right)
  const shorter = Math.min(left.length, right.length)
  const end = commonEnd(left, right, shorter - start)
  if (start + end < shorter * comparablePart || shorter === 0) return null
  return {
    before: lastPart(left.slice(0, start)),
    left: firstPart(left.slice(start, left.length - end), longestPart),
    right: firstPart(right.slice(start, right.length - end), longestPart),
    after: firstPart(left.slice(left.length - end), contextLength),
  }
}

function commonStart(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return isHighSurrogate(left, length - 1) ? length - 1 : length
}

function commonEnd(left: string, right: string, most: number): number {
  let length = 0
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length += 1
  return isLowSurrogate(left, left.length - length) ? length - 1 : length
}

const isHighSurrogate = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '')
const isLowSurrogate = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')

function lastPart(text: string): string {
  return text.length <= contextLength ? text : `…${[...text].slice(-contextLength).join('')}`
}

function firstPart(text: string, limit: number): string {
  return text.length <= limit ? text : `${[...text].slice(0, limit).join('')}…`
}
