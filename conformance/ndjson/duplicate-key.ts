/**
 * A key that stands twice in one object: JSON.parse keeps the last and says nothing, other readers keep the first.
 * One pass over the tokens of a text that is known to be JSON.
 */

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

const nameOf = (token: string): string => (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1))

/** Text beyond this length is not searched: the pattern engine's stack is not made for giant strings. */
const mostCharacters = 1_000_000

/** The first key that an object holds twice, or `null`. The text must be valid JSON. */
export const duplicateKey = (json: string): string | null => {
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
