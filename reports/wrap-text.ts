/**
 * Wraps the lines of a terminal text at blanks, with the indent of their own text.
 * Escape sequences of colours take no columns; a word that is longer than a line stays whole, so that it can be copied.
 */

/** Colours as picocolors writes them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const colours = /\u001b\[[0-9;]*m/g

/** Lines that are narrower than this would be worse than long ones. */
const leastColumns = 40

/** The text with no line longer than `columns`, as far as its words allow. */
export function wrapText(text: string, columns: number): string {
  const width = Math.max(leastColumns, columns)
  return text
    .split('\n')
    .map((line) => (widthOf(line) <= width ? line : isCommand(line) ? commandLine(line) : wrapLine(line, width)))
    .join('\n')
}

const isCommand = (line: string): boolean =>
  /^\s*(?:(?:reproduce:?\s+)?acs |(?:E\d+=\$\()?(?:printf %[bs] .* )?curl )/.test(line.replace(colours, ''))

/** A command stays one line, so that it can be copied; if its label does not fit beside it, the label is left out. */
function commandLine(line: string): string {
  const [, indent = '', command] = /^(\s*)\S*reproduce\S*\s+(\S.*)$/.exec(line) ?? []
  return command === undefined ? line : indent + command
}

const widthOf = (text: string): number => text.replace(colours, '').length

function wrapLine(line: string, width: number): string {
  const indent = ' '.repeat(hangingIndent(line))
  const lines: string[] = []
  let current = ''
  for (const word of line.match(/\s*\S+/g) ?? []) {
    if (current !== '' && widthOf(current + word) > width) {
      lines.push(current)
      current = indent + word.trimStart()
    } else current += word
  }
  return [...lines, current].join('\n')
}

/** Where the text of a line begins: behind its label, when it has one. */
function hangingIndent(line: string): number {
  const plain = line.replace(colours, '')
  const label = /^\s*\S+(?: \S+)*\s{2,}/.exec(plain)?.[0].length ?? 0
  return label > 0 && label <= 16 ? label : (/^\s*/.exec(plain)?.[0].length ?? 0) + 2
}
