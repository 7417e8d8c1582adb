/**
 * Text inside Markdown. Every character with a meaning in Markdown becomes a character reference. That is not enough for
 * text of a target: forges link `@name` and `#1` after parsing, everywhere except in code; so such text is set as code.
 */
import { cellText, visibleLine, visibleText } from './sanitize-text.ts'

/** Text of the suite, escaped: nothing in it is markup or an end of a table cell. */
export function markdownText(text: string, limit = 400): string {
  return referenced(visibleLine(text, limit))
}

/** Text of a target for a table cell, in code type; also safe to paste into a spreadsheet. */
export function markdownCell(text: string, limit = 120): string {
  return markdownCode(cellText(text, limit))
}

/** Text of a target, in code type, where nothing is a mention or a link. */
export function markdownCode(text: string, limit = 400): string {
  return text === '' ? '' : `<code>${markdownText(text, limit)}</code>`
}

function referenced(line: string): string {
  return line.replace(/[\\`*_{}[\]()#+.!|~@:<>&"'=$^-]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A fenced block that its content cannot close. */
export function markdownBlock(content: string, language: string): string {
  const text = visibleText(content)
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
