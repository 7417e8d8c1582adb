/**
 * Names the kind of change of a text in transit. Careless code changes texts in a few well-known ways, and the name of the
 * way is the shortest description of the fault.
 */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const utf8 = new TextEncoder()
const bytesOf = (text: string): Uint8Array => utf8.encode(text)
const windows1252 = new TextDecoder('windows-1252')

/** Ways that keep what is said; the first that fits counts. */
const spellings: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ['without the white space at its end', (text) => text.trimEnd()],
  ['without the white space at its beginning', (text) => text.trimStart()],
  ['without the white space at its ends', (text) => text.trim()],
  ['with CRLF written as LF', (text) => text.replaceAll('\r\n', '\n')],
  ['with runs of white space as one blank', (text) => text.replaceAll(/\s+/g, ' ')],
  ['with runs of white space as one blank, trimmed', (text) => text.replaceAll(/\s+/g, ' ').trim()],
  // What counts as white space differs between languages.
  ['with runs of ASCII white space as one blank', (text) => text.replaceAll(/[\t\n\v\f\r ]+/g, ' ')],
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
  ['with its UTF-8 read as Latin-1', (text) => Array.from(bytesOf(text), (byte) => String.fromCharCode(byte)).join('')],
  ['with its UTF-8 read as Windows-1252', (text) => windows1252.decode(bytesOf(text))],
]

/** The way in which the later text is another spelling of the earlier one; `null` when it is not. */
export function respellingOf(earlier: string, later: string): string | null {
  if (earlier === later) return null
  return spellings.find(([, change]) => change(earlier) === later)?.[0] ?? null
}

/** The kind of change of the earlier text, or `null` when it is not a well-known one, or one of the two is not a text. */
export function textChange(earlier: unknown, later: unknown): string | null {
  if (typeof earlier !== 'string' || typeof later !== 'string' || earlier === later || later === '') return null
  const respelled = respellingOf(earlier, later)
  if (respelled !== null) return respelled
  if (earlier.startsWith(later)) return `cut after ${[...later].length} characters`
  if (earlier.endsWith(later)) return `without its first ${[...earlier.slice(0, -later.length)].length} characters`
  if (later === earlier + earlier) return 'twice'
  return lostKind(earlier, later) ?? replacedCharacters(earlier, later)
}

/** Characters that a store or a charset may not support, and the replacements that careless code writes. */
const lostKinds: readonly (readonly [name: string, characters: RegExp])[] = [
  ['beyond U+FFFF', /[\u{10000}-\u{10ffff}]/gu],
  ['beyond Latin-1', /[^\0-\xff]/gu],
  ['beyond ASCII', /[^\0-\x7f]/gu],
]
const signs = ['?', '??', '\ufffd', '\ufffd\ufffd']

function lostKind(earlier: string, later: string): string | null {
  for (const [name, characters] of lostKinds) {
    if (earlier.replaceAll(characters, '') === later) return `without its characters ${name}`
    const sign = signs.find((one) => earlier.replaceAll(characters, one) === later)
    if (sign !== undefined) return `with each character ${name} as ${sign}`
  }
  return null
}

/** The limits of length and of differing characters within which a difference is shown by character codes. */
const [mostReplaced, fewestAround] = [2, 8]

/** A place in the middle of a text that lost, got or changed a character or two. */
function replacedCharacters(earlier: string, later: string): string | null {
  const [before, after] = [[...earlier], [...later]]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const [old, fresh] = [before, after].map((all) => all.slice(start, all.length - end))
  if (old === undefined || fresh === undefined || start + end < fewestAround) return null
  if (old.length > mostReplaced || fresh.length > mostReplaced) return null
  // Differences between keyboard characters are visible without codes.
  if ([...old, ...fresh].every((one) => /[\x20-\x7e]/.test(one))) return null
  if (fresh.length === 0) return `without ${codesOf(old)} at character ${start + 1}`
  if (old.length === 0) return `with ${codesOf(fresh)} added at character ${start + 1}`
  return `with ${codesOf(old)} as ${codesOf(fresh)} at character ${start + 1}`
}

const codesOf = (characters: readonly string[]): string =>
  characters.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')
