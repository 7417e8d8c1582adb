/**
 * Text inside Markdown. Every sign that Markdown could read becomes a character reference. That is not enough for what a
 * target sent: forges link `@name` and `#1` after parsing, everywhere but in code; so that goes into code type.
 */
import { cellText, visibleLine, visibleText } from './sanitize-text.ts'

/** Text of ours: nothing in it is markup or an end of a table cell. */
export function markdownText(text: string, limit = 400): string {
  return referenced(visibleLine(text, limit))
}

/** Text of a target for a table cell, in code type; safe to paste into a spreadsheet as well. */
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
