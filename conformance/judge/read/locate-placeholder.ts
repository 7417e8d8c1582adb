/**
 * Finds where a template of the profile puts a value. The judge looks for the assistant of a run or a thread in that
 * place and nowhere else, since the contract shows no field for it.
 */
import { fieldOf, isObject, sameJson } from './json.ts'

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

/** The value at a placeholder in a filled template; `null` when the value does not fit the template. */
export function textOfPlaceholder(template: unknown, value: unknown, placeholder: string): string | null {
  const found = new Set<string>()
  return isMadeOf(template, value, placeholder, found) && found.size === 1 ? ([...found][0] ?? null) : null
}

function isMadeOf(template: unknown, value: unknown, placeholder: string, found: Set<string>): boolean {
  if (typeof template === 'string' && template.includes(placeholder)) {
    const [before = '', after = ''] = template.split(placeholder)
    const isFilled = typeof value === 'string' && value.startsWith(before) && value.endsWith(after)
    if (isFilled) found.add(value.slice(before.length, value.length - after.length))
    return isFilled
  }
  if (Array.isArray(template)) {
    const isAlike = Array.isArray(value) && value.length === template.length
    return isAlike && template.every((entry, index) => isMadeOf(entry, value[index], placeholder, found))
  }
  if (!isObject(template)) return sameJson(template, value)
  return (
    isObject(value) &&
    Object.keys(value).length === Object.keys(template).length &&
    Object.entries(template).every(([name, entry]) => isMadeOf(entry, fieldOf(value, name), placeholder, found))
  )
}
