/**
 * Measures the nesting depth of a JSON text. JSON itself has no limit, but code that walks or writes a value recurses for
 * each level, and one answer must not end a run. Real documents have a dozen levels.
 */

/** Deeper values are not read. */
export const mostLevels = 500

/** Why such a text has no value. */
export const tooDeep = `nested deeper than ${mostLevels} levels`

const [quote, backslash, openArray, closeArray, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether a text that is JSON is nested too deep to be read. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters.
  if (text.length <= 2 * mostLevels) return false
  let levels = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openArray || code === openObject) {
      levels += 1
      if (levels > mostLevels) return true
    } else if (code === closeArray || code === closeObject) levels -= 1
  }
  return false
}

/** The place of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** A JSON text without its byte order mark, which readers may ignore (RFC 8259, 8.1). */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** The value of a JSON text; `undefined` for a text that is not JSON, or too deep to be read. */
export function jsonValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(withoutByteOrderMark(text))
    return isTooDeep(text) ? undefined : value
  } catch {
    return undefined
  }
}
