/**
 * Builds HTML from tagged templates that escape every value unless it already is markup.
 * Invisible characters are spelled out first, so a bidi override in a target's string cannot turn a page around.
 */
import { visibleText } from '../sanitize-text.ts'

/** HTML that is known to be well formed. */
export interface Markup {
  readonly markup: string
}

/** The values of a template: text is escaped, lists are joined, `null` is empty. */
export type Content = string | number | Markup | null | readonly Content[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand between tags or inside a quoted attribute. */
function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Text between the tags of an element, where quotes stand for themselves; never for an attribute. */
export function preformatted(text: string): Markup {
  return { markup: visibleText(text).replace(/[&<>]/g, (character) => entities[character] ?? character) }
}

/** Markup from a template; attribute values have to be quoted in it. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += textOf(value) + (strings[index + 1] ?? '')
  return { markup }
}

function textOf(value: Content): string {
  if (value === null) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (isMarkup(value)) return value.markup
  return value.map(textOf).join('')
}

function isMarkup(value: Markup | readonly Content[]): value is Markup {
  return 'markup' in value
}
