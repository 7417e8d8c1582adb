/** Makes a number of a text, so that the keys of a long trace fit into tables of numbers. Equal texts have equal numbers. */

/** Longer texts are distinguished by their length and their ends: a collision costs a second look, never a verdict. */
const hashedEnds = 128

/** 53 bits of a text, of its ends when it is long. */
export function hashText(text: string): number {
  if (text.length <= 2 * hashedEnds) return hashWhole(text)
  return hashWhole(`${text.length} ${text.slice(0, hashedEnds)}${text.slice(-hashedEnds)}`)
}

/** 53 bits of every character of a text. */
export function hashWhole(text: string): number {
  let one = 0x811c9dc5
  let other = 0x1b873593
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x85ebca6b)
    other ^= other >>> 15
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11)
}
