/**
 * Matches a pattern of the target in linear time. A backtracking engine can run forever on an untrusted pattern.
 * The syntax of ECMAScript is rewritten for RE2; what RE2 cannot express (lookaround, back references) has no matcher
 * here.
 */
import { RE2JS } from 're2js'

interface LinearPattern {
  readonly test: (text: string) => boolean
  /** Steps that a test takes for each character, at most. */
  readonly size: number
}

/** The matcher of a pattern, or `null` when this engine cannot express it. */
export function linearPattern(pattern: string): LinearPattern | null {
  const rewritten = canCompile(pattern) ? rewrite(pattern) : null
  if (rewritten === null) return null
  try {
    const compiled = RE2JS.compile(rewritten)
    return { test: (text) => compiled.test(text), size: compiled.programSize() }
  } catch {
    return null
  }
}

const longestPattern = 2_000
const mostExpanded = 50_000

/** The largest length of a pattern with its repetitions expanded, which determines the cost of compiling it. */
export function expandedLength(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least))
  return pattern.length * (1 + counts.reduce((sum, count) => sum + count, 0))
}

function canCompile(pattern: string): boolean {
  return pattern.length <= longestPattern && expandedLength(pattern) <= mostExpanded && isEcmaScript(pattern)
}

function isEcmaScript(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp
    } catch {
      return false
    }
  })
}

/** The expansion of `\s` in ECMAScript, inside a class. */
const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const anyPoint = '\\x{0}-\\x{10ffff}'

const outside: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\x{2028}\\x{2029}]',
  '\\s': `[${space}]`,
  '\\S': `[^${space}]`,
  '\\b': '\\b',
  '\\B': '\\B',
  '[]': `[^${anyPoint}]`,
  '[^]': `[${anyPoint}]`,
  '(?:': '(?:',
  ']': '\\]',
  '}': '\\}',
  '{': '\\{',
}
const inside: Readonly<Record<string, string>> = { '\\s': space, '\\b': '\\x{8}', '[': '\\[' }
/** Escapes with the same meaning in both, inside a class and outside. */
const shared = /^\\(?:[dDwWtnvfr]|x[0-9a-fA-F]{2}|[pP]\{[A-Z][a-z]?\}|[^0-9A-Za-z])$/

const token =
  /\\u\{[0-9a-fA-F]+\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[pP]\{[^}]*\}|\\[\s\S]|\[\^?\]?|\(\?(?:<[A-Za-z_]\w*>|:|)|\{\d+(?:,\d*)?\}|[\s\S]/gu

/** The same language in the syntax of RE2, or `null`. */
function rewrite(pattern: string): string | null {
  let isInClass = false
  let result = ''
  for (const [part] of pattern.matchAll(token)) {
    // Inside a class these are single characters.
    const parts: readonly string[] = isInClass && /^(?:\[.|\(.|\{.)/u.test(part) ? [...part] : [part]
    for (const one of parts) {
      const next: string | null = isInClass ? insideClass(one) : outsideClass(one)
      if (next === null) return null
      if (isInClass) isInClass = one !== ']'
      else isInClass = one === '[' || one === '[^'
      result += next
    }
  }
  return result
}

function insideClass(part: string): string | null {
  return inside[part] ?? escaped(part)
}

function outsideClass(part: string): string | null {
  if (part === '[' || part === '[^') return part
  if (part.startsWith('(?<')) return '('
  if (part === '(?') return null
  return outside[part] ?? escaped(part)
}

function escaped(part: string): string | null {
  if (!part.startsWith('\\')) return part
  const point = pointOf(part)
  if (point !== null) return point >= 0xd800 && point <= 0xdfff ? null : `\\x{${point.toString(16)}}`
  return shared.test(part) ? part : null
}

/** The code point that an escape names. */
function pointOf(part: string): number | null {
  const [high, low] = [...part.matchAll(/\\u\{?([0-9a-fA-F]+)/g)].map(([, digits]) => Number.parseInt(digits ?? '', 16))
  if (high !== undefined) return low === undefined ? high : (high - 0xd800) * 0x400 + low - 0xdc00 + 0x10000
  if (/^\\c[A-Za-z]$/.test(part)) return part.charCodeAt(2) % 32
  return part === '\\0' ? 0 : null
}
