/**
 * Globs over requirement ids: `*` stands for any characters, everything else for itself. They also come from untrusted
 * traces, so a match takes time proportional to the id, for any glob.
 */

/** Whether an id fits a glob. */
export function globMatcher(glob: string): (id: string) => boolean {
  const [start = '', ...inner] = glob.split('*')
  const end = inner.pop()
  if (end === undefined) return (id) => id === glob
  const parts = inner.filter((part) => part !== '')
  return (id) => {
    if (id.length < start.length + end.length || !id.startsWith(start) || !id.endsWith(end)) return false
    return holdsInOrder(id.slice(start.length, id.length - end.length), parts)
  }
}

function holdsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0
  for (const part of parts) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}
