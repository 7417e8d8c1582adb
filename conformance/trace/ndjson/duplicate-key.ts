/**
 * Finds a repeated key in one object: JSON.parse silently keeps the last, other readers keep the first. It makes one pass
 * over the tokens of a text that is known to be JSON, unless its value already rules out a repetition.
 */

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

const nameOf = (token: string): string => (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1))

/** Text beyond this length is not searched: the pattern engine's stack is not made for giant strings. */
const mostCharacters = 1_000_000

/** Longer text may nest deeper than JSON.stringify can follow. */
const mostCompared = 4096

/** The first key that an object holds twice, or `null`. The text must be valid JSON, and `value` what it says. */
export const duplicateKey = (json: string, value: unknown): string | null => {
  // A value has no key twice, so neither has a text that is written just like it.
  if (json.length <= mostCompared && JSON.stringify(value) === json) return null
  if (json.length > mostCharacters) return null
  const open: (Set<string> | null)[] = []
  let expectsName = false
  for (const { 0: token } of json.matchAll(tokens)) {
    const top = open.at(-1)
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',' && expectsName && top) {
      const name = nameOf(token)
      if (top.has(name)) return name
      top.add(name)
    }
    expectsName = token === '{' || (token === ',' && top instanceof Set)
  }
  return null
}
