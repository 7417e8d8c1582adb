/**
 * Finds API keys that no profile names: string values of `api_key` in JSON or NDJSON, even incomplete ones. It scans
 * the text without a parser, since positions are needed and broken text must not hide a secret.
 */

/** From `start` to before `end`: the inside of a JSON string. */
export interface Span {
  readonly start: number
  readonly end: number
}

type Secrecy = 'none' | 'key' | 'list'

const worthALook = /api(?:[-_]|\\u00[0-9a-f]{2})?keys?/i

const stringEnd = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charAt(at - 1 - slashes) === '\\') slashes += 1
    if (slashes % 2 === 0) return at
  }
  return text.length
}

const decodedName = (text: string): string => {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

const secrecyOf = (name: string, within: Secrecy): Secrecy => {
  const bare = decodedName(name).toLowerCase().replace(/[-_]/g, '')
  if (within === 'key' || bare === 'apikey') return 'key'
  if (within === 'list') return /key|secret|token|value/.test(bare) ? 'key' : 'none'
  return bare === 'apikeys' ? 'list' : 'none'
}

interface Walk {
  readonly spans: Span[]
  readonly within: Secrecy[]
  next: Secrecy
}

const takeString = (text: string, start: number, walk: Walk): number => {
  const end = stringEnd(text, start)
  const container = walk.within.at(-1) ?? 'none'
  if (/^\s*:/.test(text.slice(end + 1, end + 64))) walk.next = secrecyOf(text.slice(start, end), container)
  else if (walk.next !== 'none') walk.spans.push({ start, end })
  return end
}

const takePunctuation = (char: string, walk: Walk): void => {
  if (char === '{' || char === '[') {
    walk.within.push(walk.next)
    return
  }
  if (char !== ',') walk.within.pop()
  walk.next = walk.within.at(-1) ?? 'none'
}

/** The places of all string values under `api_key`, of strings in an `api_keys` list and of key-like members of its records. */
export const apiKeySpans = (text: string): readonly Span[] => {
  if (!worthALook.test(text)) return []
  const walk: Walk = { spans: [], within: [], next: 'none' }
  const marks = /["{}[\],]/g
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = takeString(text, mark.index + 1, walk) + 1
    else takePunctuation(mark[0], walk)
  }
  return walk.spans
}
