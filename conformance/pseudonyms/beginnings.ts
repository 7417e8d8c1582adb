/**
 * Checks quickly whether a text can hold one of many strings. Secrets have dozens of spellings and most texts hold none of
 * them, so that one pass replaces a search for each.
 */

/** Characters of a beginning; no string that is looked for is shorter. */
const beginningLength = 6
/** A character is out of the hash when it was shifted so many times: 6 × 5 bits. */
const bitsPerCharacter = 5
const hashMask = 2 ** (beginningLength * bitsPerCharacter) - 1
const buckets = 2 ** 15

const extended = (hash: number, code: number): number => ((hash << bitsPerCharacter) ^ code) & hashMask
const bucketOf = (hash: number): number => (hash ^ (hash >>> 15)) & (buckets - 1)

/** Prepares the check whether a text holds the first characters of one of these strings. */
export const beginningSearch = (strings: readonly string[]): ((text: string) => boolean) => {
  const beginnings = new Set(strings.map((text) => text.slice(0, beginningLength)))
  const taken = new Uint8Array(buckets)
  for (const text of beginnings) {
    let hash = 0
    for (let index = 0; index < text.length; index += 1) hash = extended(hash, text.charCodeAt(index))
    taken[bucketOf(hash)] = 1
  }
  return (text) => {
    let hash = 0
    for (let index = 0; index < text.length; index += 1) {
      hash = extended(hash, text.charCodeAt(index))
      if (taken[bucketOf(hash)] === 0) continue
      if (beginnings.has(text.slice(Math.max(0, index + 1 - beginningLength), index + 1))) return true
    }
    return false
  }
}
