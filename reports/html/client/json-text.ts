/** Lays JSON out when that changes nothing but white space; any other text stays as it came. */

/** The text, laid out if it is JSON. */
export function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    // White space inside strings is part of them; doubled keys and odd numbers would be lost.
    const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
    return JSON.stringify(value) === compact ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}
