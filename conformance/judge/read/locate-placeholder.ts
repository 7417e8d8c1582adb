/**
 * Finds where a template of the profile puts a value. The judge looks for the assistant of a run or a thread in that
 * place and nowhere else, since the contract shows no field for it.
 */
import { fieldOf, isObject } from './json.ts'

/** The path to a placeholder in a template, or `null` when it is not there. */
export function locatePlaceholder(template: unknown, placeholder: string): readonly string[] | null {
  if (template === placeholder) return []
  if (!isObject(template)) return null
  for (const [name, value] of Object.entries(template)) {
    const below = locatePlaceholder(value, placeholder)
    if (below !== null) return [name, ...below]
  }
  return null
}

/** The string at a path, or `null`. */
export function textAtPlaceholder(value: unknown, path: readonly string[] | null): string | null {
  if (path === null) return null
  const found = path.reduce<unknown>((inside, name) => fieldOf(inside, name), value)
  return typeof found === 'string' ? found : null
}
