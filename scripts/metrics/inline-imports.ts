/**
 * Finds `import('./x.ts')` in a text, as an expression and as a type, and the names that are taken from it.
 * The forms in use are recognised by their text; any other counts as a use of every name that the file mentions.
 */
import type { Import } from './import.ts'

const inlineImport = /\bimport\('(\.[^']+)'\)/g

const namesInBraces = (inside: string): readonly string[] =>
  inside
    .split(',')
    .map((part) => part.split(':')[0]?.trim() ?? '')
    .filter((name) => name !== '')

const membersOf = (variable: string, text: string): readonly string[] =>
  [...text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))].map((match) => match[1] ?? '')

/** `before` and `after` are the text on either side of the `import(…)`. */
const namesTaken = (before: string, after: string, text: string): Import['names'] => {
  const member = /^\)?\.(?!then\b)(\w+)/.exec(after)
  if (member !== null) return [member[1] ?? '']
  const destructured =
    /\{([^{}]*)\}(?:\s*=\s*await\s+|\s*:\s*typeof\s+)$/.exec(before) ?? /^\.then\(\(\{([^{}]*)\}\)/.exec(after)
  if (destructured !== null) return namesInBraces(destructured[1] ?? '')
  const variable = /\b(\w+)(?:\s*=\s*await\s+|\s*:\s*typeof\s+)$/.exec(before)
  return variable === null ? 'mentioned' : membersOf(variable[1] ?? '', text)
}

/** `lazyStarts` are the places of the specifiers of import expressions; the others are types. */
export const inlineImports = (
  text: string,
  lazyStarts: ReadonlySet<number>,
  targetOf: (specifier: string) => string,
): readonly Import[] =>
  [...text.matchAll(inlineImport)].map((match) => {
    const end = match.index + match[0].length
    return {
      target: targetOf(match[1] ?? ''),
      kind: lazyStarts.has(match.index + 'import('.length) ? 'lazy' : 'types',
      names: namesTaken(text.slice(Math.max(0, match.index - 400), match.index), text.slice(end, end + 400), text),
    }
  })
