/**
 * Fills the profile's templates: any JSON value in which `{{name}}` stands for a value known only at run time.
 */
import { isObject } from '../judge/read/json.ts'

/** The template with every `{{name}}` that is known replaced; a string that is nothing but a name takes its value. */
export function fillTemplate(template: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof template === 'string') {
    return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
  }
  if (Array.isArray(template)) return template.map((entry) => fillTemplate(entry, values))
  if (!isObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]))
}

/** The filled template when it is an object, else an empty one. */
export function filledFields(template: unknown, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = fillTemplate(template, values)
  return isObject(filled) ? filled : {}
}
