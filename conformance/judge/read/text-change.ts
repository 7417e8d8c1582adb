/**
 * Names what became of a text on its way. Careless code changes texts in a few well-known ways, and the name of the way
 * is the shortest description of the fault.
 */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Ways that keep what is said; the first that fits counts. */
const spellings: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ['without the white space at its end', (text) => text.trimEnd()],
  ['without the white space at its beginning', (text) => text.trimStart()],
  ['without the white space at its ends', (text) => text.trim()],
  ['with CRLF written as LF', (text) => text.replaceAll('\r\n', '\n')],
  ['with runs of white space as one blank', (text) => text.replaceAll(/\s+/g, ' ')],
  ['with runs of white space as one blank, trimmed', (text) => text.replaceAll(/\s+/g, ' ').trim()],
  ['in the Unicode form NFC', (text) => text.normalize('NFC')],
  ['in the Unicode form NFD', (text) => text.normalize('NFD')],
  ['in the Unicode form NFKC', (text) => text.normalize('NFKC')],
  ['in lower case', (text) => text.toLowerCase()],
  ['in upper case', (text) => text.toUpperCase()],
  ['escaped for HTML', (text) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)],
  // Half a character cannot be escaped, and a target may send one.
  ['escaped for a URL', (text) => encodeURIComponent(text.toWellFormed())],
  ['escaped for JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['in quotation marks', (text) => JSON.stringify(text)],
]

/** How the later text is the same as the earlier one in another spelling; `null` when it is not. */
export function respellingOf(earlier: string, later: string): string | null {
  if (earlier === later) return null
  return spellings.find(([, change]) => change(earlier) === later)?.[0] ?? null
}

/** What became of the earlier text, or `null` when it is none of the well-known changes. */
export function textChange(earlier: string, later: string): string | null {
  if (earlier === later || later === '') return null
  const respelled = respellingOf(earlier, later)
  if (respelled !== null) return respelled
  if (earlier.startsWith(later)) return `cut after ${[...later].length} characters`
  if (earlier.endsWith(later)) return `without its first ${[...earlier.slice(0, -later.length)].length} characters`
  if (later === earlier + earlier) return 'twice'
  return null
}
