/** Bodies as text in a block that can be scrolled with the keyboard. */
import { element } from './elements.ts'

/** JSON with indentation; any other text as it is. */
export function jsonText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A block of text; its name is for screen readers. */
export function wireBlock(name: string, text: string): HTMLElement {
  return element('pre', { class: 'wire', tabindex: '0', role: 'region', 'aria-label': name }, text)
}
