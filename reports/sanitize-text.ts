/**
 * Strings from a target are data: they may hold terminal escapes, bidi overrides, lone surrogates or newlines. Every
 * rendering passes them through here first, so that readers see the bytes sent and no control sequence takes effect; the
 * escaping of the format itself comes after.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu
const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return shortEscapes[character] ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${hex4(code)}`)
}

function hex4(code: number): string {
  return code.toString(16).padStart(4, '0')
}

/** Texts that CI runners treat as commands: `##[` and `##vso[` anywhere, `::` at the start of a line. */
function withoutCiCommands(text: string): string {
  return text.replace(/##(?=(?:vso)?\[)/gi, '#\\u0023').replace(/^([ \t]*):(?=:)/gm, '$1\\u003a')
}

/** The text with every invisible or controlling character spelled out; line breaks and tabs stay. */
export function visibleText(text: string): string {
  const seen = text.replace(invisible, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  )
  return withoutCiCommands(seen)
}

/** The text on one line, every invisible character spelled out, cut to `limit` characters. */
export function visibleLine(text: string, limit = 400): string {
  return cut(text.length > limit * 4 ? text.slice(0, limit * 4) : text, limit)
}

/** Signs before a difference that are shown of a longer text that both sides begin with. */
const contextLength = 20

/** Two lines that differ. Where they begin with the same long text, both are shown from shortly before the difference. */
export function visiblePair(left: string, right: string, limit = 400): readonly [left: string, right: string] {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  const from = left === right || at <= 2 * contextLength ? 0 : at - contextLength
  const part = (text: string): string =>
    visibleLine(from === 0 ? text : `…${text.slice(from).replace(/^[\udc00-\udfff]/, '')}`, limit)
  return [part(left), part(right)]
}

function cut(text: string, limit: number): string {
  const line = withoutCiCommands(text.replace(invisible, escapeOf))
  if (line.length <= limit) return line
  const end = isHighSurrogate(line.charCodeAt(limit - 2)) ? limit - 2 : limit - 1
  return `${line.slice(0, end)}…`
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** The text for a table cell: a spreadsheet that gets it pasted must not take it for a formula. */
export function cellText(text: string, limit = 400): string {
  const line = visibleLine(text, limit)
  return /^\s*[=+\-@]/.test(line) ? `'${line}` : line
}
