/** Finds the first sentence of a header comment and counts its words. */

/** The first sentence of a comment's text; a sentence ends at a full stop that a new sentence or the end follows. */
export const firstSentence = (comment: string): string => {
  const text = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim()
  const paragraph = text.split(/\n\s*\n/)[0] ?? ''
  const line = paragraph.replace(/\s+/g, ' ')
  return /^.*?[.!?](?=$|\s+["'`(A-Z\d])/.exec(line)?.[0] ?? line
}

/** Counts the words of a sentence; a dash or an arrow between spaces is none. */
export const wordCount = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
